// What holds before a call goes out: a connection's slots, rate and breaker, its token, and an address's nonces.

/** Shorter waits before a connection are waited out: coming back through the execution costs more than they do. */
export const WAIT_IN_PLACE_MS = 250;
/** So often in a row; then the run comes back after all. */
export const WAITS_IN_PLACE_MAX = 3;
/**
 * The engine's own trouble, such as D1 or a connection's object that does not answer: the run comes back after this.
 * D1's bad moments last seconds; more often than this nobody needs to ask.
 */
export const TROUBLE_BACK_AFTER_MS = 15_000;

/** A lease outlives its run's deadline by the time that giving it back takes. */
export const LEASE_GRACE_MS = 10_000;
/** Nobody knows when a slot gets free: one asks again after about as long as calls take, within these bounds. */
export const LEASE_WAIT_MS_MIN = 100;
export const LEASE_WAIT_MS_MAX = 5 * 60_000;
/** Changes wait this long for each other before they are written; a crash may cost this much memory of calls made. */
export const GATE_WRITE_AFTER_MS = 1_000;
/** An idle object is put to sleep after ten seconds; what will be forgotten by itself until then need not be kept. */
export const GATE_ASLEEP_AFTER_MS = 10_000;

/** Without a rate only a pause makes wait; those it turns away come back this far apart. */
export const PAUSED_APART_MS = 20;
/** A provider may ask for a day; that is one run's business, not everybody's. */
export const PAUSE_MS_MAX = 15 * 60_000;
/** Those who wait for a slot are counted by the time they were told to come back at, so exactly. */
export const LINE_SLICE_MS = 1_000;
/** A line from which nobody has come for so long, or for this many turns, is one of runs that were canceled. */
export const LINE_ABANDONED_MS = 5_000;
export const LINE_ABANDONED_PLACES = 5;

/** The first of those turned away is the probe; the others give it this long, and then come one after the other. */
export const PROBE_MS = 1_000;
/** However many wait out an outage, no more than fifty a second come to ask whether it is over. */
export const PROBES_APART_MS = 20;
export const PROBES_SPREAD_MS_MAX = 10 * 60_000;

/** What failed with its provider goes out again by itself once, if nobody says how often. */
export const SELF_HEAL_TIMES = 1;
export const SELF_HEAL_TIMES_MAX = 10;
/** The breaker has to stay closed for so long before; each time that it opens again meanwhile makes it twice as long. */
export const SELF_HEAL_QUIET_MS = { least: 1_000, usual: 60_000, most: 60 * 60_000 } as const;
/** A breaker that opens again so soon after is taken for one that flaps. */
export const SELF_HEAL_CALM_MS = 60 * 60_000;
/** Where it cannot begin just now, it is looked at again after this. */
export const SELF_HEAL_AGAIN_MS = 60_000;

/** A token is not used in the last minute of its life, or the last tenth of a short one: calls take time. */
export const TOKEN_EARLY_MS = 60_000;
/** A replacement that is refused so soon is not the token's fault. */
export const TOKEN_REPLACED_MS = 60_000;
/** Headers have room for little more in all, and a token is stored. */
export const TOKEN_CHARS_MAX = 16 * 1024;
/** Whoever says more says never. */
export const TOKEN_LIFE_MS_MAX = 30 * 24 * 60 * 60_000;
/** How long an assertion holds that was signed for a token: it is used at once, and some take none that holds for longer. */
export const ASSERTED_MS = 5 * 60_000;
/** What holds the tokens of a config, and no connection, is cleared so long after its last token has ended. */
export const TOKEN_HOLDER_IDLE_MS = 24 * 60 * 60_000;
/** A rotated refresh token cannot be had again: its holder waits longer than the longest pause between two runs. */
export const REFRESH_TOKEN_KEPT_MS = 400 * 24 * 60 * 60_000;
/** An account that its provider refuses is tried again after this, then after twice as long, and so on up to the other. */
export const ATTENTION_LOOK_MS_MIN = 60_000;
export const ATTENTION_LOOK_MS_MAX = 30 * 60_000;
/** Those it holds up come back this far apart, over no more than this. */
export const ATTENTION_APART_MS = 20;
export const ATTENTION_SPREAD_MS_MAX = 10 * 60_000;
/** Work is held for so long; from then on it fails, so that it waits where people look for what waits for them. */
export const ATTENTION_HELD_MS = 7 * 24 * 60 * 60_000;
/** What the lists could not be told is told again after this. */
export const ATTENTION_TOLD_AGAIN_MS = 30_000;
/** How long a failure is believed: long enough for those that wait to share it. */
export const TOKEN_SETBACK_MS = 2_000;
export const TOKEN_SETBACK_MS_MAX = 60_000;

/** Signing takes milliseconds: whoever has not stored by then is gone. */
export const NONCE_RESERVED_MS = 30_000;
/** A transaction that nobody reported as sent is sent by those who wait behind it. */
export const TX_UNSENT_MS = 60_000;
/** Nodes behind one address may be some blocks apart: so long a transaction may be mined and not yet seen. */
export const TX_LAG_MS = 30_000;
/** Nodes that forget keep the receipts of some ten thousand blocks; within this time no chain makes as many. */
export const TX_REMEMBERED_MS = 60 * 60_000;
/** After so many blocks, but not sooner than that, a transaction offers too little. */
export const TX_STUCK_BLOCKS = 10;
export const TX_STUCK_MS_MIN = 60_000;
export const TX_LOOK_MS_MAX = 60_000;

/** What was mined is kept until it is final, so that it can be sent again: at most so much and so many, so long. */
export const TX_KEPT_MAX = 1_000;
export const TX_KEPT_CHARS_MAX = 4_000_000;
export const TX_KEPT_MS_MAX = 24 * 60 * 60_000;
/** While runs wait at an address one of them looks so often whether what was mined still is; otherwise this rarely. */
export const TEND_EVERY_MS = 10_000;
export const TEND_QUIET_MS = 5 * 60_000;
/** At once: the rest next time. */
export const TEND_RESENDS_MAX = 20;
export const TEND_CHECKS_MAX = 20;
/** A transaction that was signed so long ago and is not mined is worth a person's look. */
export const TX_LATE_MS = 30 * 60_000;
