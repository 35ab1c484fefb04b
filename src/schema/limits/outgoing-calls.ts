// Outgoing calls: limits before a call: a connection's slots, rate and breaker, its token, and an address's nonces.

/** A shorter wait at a connection is spent in place, because returning through the execution costs more. */
export const WAIT_IN_PLACE_MS = 250;
/** How many times in a row; then the run is held. */
export const WAITS_IN_PLACE_MAX = 3;
/**
 * How long a run is held because of the engine's own fault, such as D1 or a connection's object without an answer. D1's
 * outages last seconds.
 */
export const TROUBLE_BACK_AFTER_MS = 15_000;

/** A lease outlives its run's deadline by the time that its release takes. */
export const LEASE_GRACE_MS = 10_000;
/**
 * When a slot becomes free is unknown: a caller asks again after about a call's usual duration, within these bounds.
 */
export const LEASE_WAIT_MS_MIN = 100;
export const LEASE_WAIT_MS_MAX = 5 * 60_000;
/** Changes wait this long for each other before they are written; a crash may lose this much. */
export const GATE_WRITE_AFTER_MS = 1_000;
/** An idle object is evicted after ten seconds; what expires by then need not be stored. */
export const GATE_ASLEEP_AFTER_MS = 10_000;

/** Without a rate only a pause holds callers; they return this far apart. */
export const PAUSED_APART_MS = 20;
/** A provider may request a day for one run; other runs are paused for at most this. */
export const PAUSE_MS_MAX = 15 * 60_000;
/** Waiting callers are counted by their return time, with this precision. */
export const LINE_SLICE_MS = 1_000;
/** A wait queue from which no caller has come for this long, or for this many turns, consists of canceled runs. */
export const LINE_ABANDONED_MS = 5_000;
export const LINE_ABANDONED_PLACES = 5;

/**
 * The first refused caller is the probe; the others wait this long for its result, and then come one after the other.
 */
export const PROBE_MS = 1_000;
/** However many wait for the end of an outage, at most fifty per second ask. */
export const PROBES_APART_MS = 20;
export const PROBES_SPREAD_MS_MAX = 10 * 60_000;

/** The default number of automatic retries after a recovery. */
export const SELF_HEAL_TIMES = 1;
export const SELF_HEAL_TIMES_MAX = 10;
/** How long the breaker must stay closed first; each time that it opens meanwhile doubles it. */
export const SELF_HEAL_QUIET_MS = { least: 1_000, usual: 60_000, most: 60 * 60_000 } as const;
/** A breaker that opens this soon again counts as flapping. */
export const SELF_HEAL_CALM_MS = 60 * 60_000;
/** If the retry operation cannot start, it is tried again after this. */
export const SELF_HEAL_AGAIN_MS = 60_000;

/** A token is not used in the last minute of its life, or the last tenth of a short one, because calls take time. */
export const TOKEN_EARLY_MS = 60_000;
/** If a new token is refused this soon, the token is not the cause. */
export const TOKEN_REPLACED_MS = 60_000;
/** The total space in headers is not much larger, and a token is stored. */
export const TOKEN_CHARS_MAX = 16 * 1024;
/** A longer lifetime counts as unlimited. */
export const TOKEN_LIFE_MS_MAX = 30 * 24 * 60 * 60_000;
/** The lifetime of a signed assertion: it is used at once, and some providers refuse longer ones. */
export const ASSERTED_MS = 5 * 60_000;
/** The token object of a config is deleted this long after its last token has expired. */
export const TOKEN_HOLDER_IDLE_MS = 24 * 60 * 60_000;
/** A rotated refresh token cannot be replaced: its object keeps it longer than the longest pause between two runs. */
export const REFRESH_TOKEN_KEPT_MS = 400 * 24 * 60 * 60_000;
/** An account with rejected credentials is checked again after this, then after twice as long, up to the maximum. */
export const ATTENTION_LOOK_MS_MIN = 60_000;
export const ATTENTION_LOOK_MS_MAX = 30 * 60_000;
/** The runs that it held return this far apart, over at most this time. */
export const ATTENTION_APART_MS = 20;
export const ATTENTION_SPREAD_MS_MAX = 10 * 60_000;
/** How long runs are held; later ones fail, so that they are listed as dead letters. */
export const ATTENTION_HELD_MS = 7 * 24 * 60 * 60_000;
/** A failed report to the catalog is repeated after this. */
export const ATTENTION_TOLD_AGAIN_MS = 30_000;
/** How long a failure is cached: long enough for waiting callers to share it. */
export const TOKEN_SETBACK_MS = 2_000;
export const TOKEN_SETBACK_MS_MAX = 60_000;

/** Signing takes milliseconds: a reservation not stored by then is lost. */
export const NONCE_RESERVED_MS = 30_000;
/** A transaction not reported as sent is sent by the next waiting run. */
export const TX_UNSENT_MS = 60_000;
/** Nodes behind one address may differ by some blocks: a transaction may be mined this long before it is seen. */
export const TX_LAG_MS = 30_000;
/** Pruning nodes keep the receipts of some ten thousand blocks; no chain makes as many within this time. */
export const TX_REMEMBERED_MS = 60 * 60_000;
/** After this many blocks, but not sooner than that, a transaction's offer is too low. */
export const TX_STUCK_BLOCKS = 10;
export const TX_STUCK_MS_MIN = 60_000;
export const TX_LOOK_MS_MAX = 60_000;

/** A mined transaction is kept until it is final, so that it can be sent again: at most this many, for this long. */
export const TX_KEPT_MAX = 1_000;
export const TX_KEPT_CHARS_MAX = 4_000_000;
export const TX_KEPT_MS_MAX = 24 * 60 * 60_000;
/** How often one of the waiting runs checks the mined transactions of an address; and without waiting runs. */
export const TEND_EVERY_MS = 10_000;
export const TEND_QUIET_MS = 5 * 60_000;
/** At once: the rest next time. */
export const TEND_RESENDS_MAX = 20;
export const TEND_CHECKS_MAX = 20;
/** A transaction that was signed this long ago and is not mined needs an operator's check. */
export const TX_LATE_MS = 30 * 60_000;
