// Connection limits: slots, rate and breaker of a connection, and how runs wait for them.

/** The largest connection as JSON. */
export const CONNECTION_BYTES_MAX = 16 * 1024;
/** The most concurrent calls that a connection may allow. */
export const CONNECTION_CONCURRENCY_MAX = 1_000;
/** The most calls per second or minute, and in one burst, that a connection may allow. */
export const CONNECTION_RATE_MAX = 10_000;
/** The shortest and the longest window of a breaker, and time for which it is open. */
export const BREAKER_MS_MIN = 100;
export const BREAKER_MS_MAX = 60 * 60_000;

/**
 * A run waits for a connection within its invocation for at most this long. If the wait is longer, the execution holds
 * the run.
 */
export const WAIT_IN_PLACE_MS = 250;
/** The most waits in a row in one invocation. After them the run is held. */
export const WAITS_IN_PLACE_MAX = 3;
/** How long a run is held while D1 or a connection's object does not answer. D1's outages last seconds. */
export const ENGINE_FAULT_HOLD_MS = 15_000;

/**
 * The lease of a slot ends this long after its run's deadline, because the message that releases the slot needs time to
 * arrive.
 */
export const SLOT_LEASE_GRACE_MS = 10_000;
/** A caller without a slot returns after about the usual duration of a call. These are the bounds of this wait. */
export const SLOT_WAIT_MS_MIN = 100;
export const SLOT_WAIT_MS_MAX = 5 * 60_000;
/** A connection's object writes its changes after this time. A crash loses at most these changes. */
export const GATE_WRITE_AFTER_MS = 1_000;
/** The platform evicts an idle object after this time. Data that expires earlier is therefore not stored. */
export const GATE_EVICTED_AFTER_MS = 10_000;

/** The gap between callers that return after a pause, if the connection has no rate. */
export const PAUSED_RETURN_GAP_MS = 20;
/**
 * The longest pause of a connection. A provider may request a day for one run; the connection's other runs wait at most
 * this long.
 */
export const PAUSE_MS_MAX = 15 * 60_000;
/** The precision with which waiting callers are counted by their return time. */
export const WAIT_QUEUE_SLICE_MS = 1_000;
/** If no waiting caller has returned for this long, their runs were canceled. The wait queue then counts as empty. */
export const WAIT_QUEUE_ABANDONED_MS = 5_000;
/**
 * If no waiting caller has returned for this many turns, their runs were canceled. The wait queue then counts as empty.
 */
export const WAIT_QUEUE_ABANDONED_TURNS = 5;

/** Callers of an open breaker wait this long for the result of the probe. The first refused caller is the probe. */
export const PROBE_MS = 1_000;
/** The gap between callers that return to an open breaker: at most fifty per second. */
export const PROBE_GAP_MS = 20;
/** The longest time over which the callers of an open breaker return. */
export const PROBE_SPREAD_MS_MAX = 10 * 60_000;
