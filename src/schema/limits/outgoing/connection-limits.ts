// Connection limits: slots, rate and breaker of a connection, and how runs wait for them.

/** The largest connection as JSON. */
export const CONNECTION_BYTES_MAX = 16 * 1024;
/** The most concurrent calls that a connection may allow. */
export const CONNECTION_CONCURRENCY_MAX = 1_000;
/** The most calls per second or minute that a connection may allow. The same limit applies to calls in one burst. */
export const CONNECTION_RATE_MAX = 10_000;
/** The shortest and the longest time that a breaker may be open. The same limits apply to its window. */
export const BREAKER_MS_MIN = 100;
export const BREAKER_MS_MAX = 60 * 60_000;

/**
 * A run waits for its connection within its invocation for at most this long. If it had to wait longer, the execution
 * holds it.
 */
export const WAIT_IN_PLACE_MS = 250;
/** The most consecutive waits of a run in one invocation. After them the run is held. */
export const WAITS_IN_PLACE_MAX = 3;
/** How long a run is held if D1 or a connection's object does not answer. D1's outages usually last seconds. */
export const ENGINE_FAULT_HOLD_MS = 15_000;

/**
 * How long after its run's deadline the lease of a slot ends. The message that releases the slot needs this time to
 * arrive.
 */
export const SLOT_LEASE_GRACE_MS = 10_000;
/**
 * The shortest and the longest wait of a caller that found no free slot. Between them, it waits for about the usual
 * duration of a call.
 */
export const SLOT_WAIT_MS_MIN = 100;
export const SLOT_WAIT_MS_MAX = 5 * 60_000;
/**
 * How long a connection's object waits before it writes its changes. If it crashes, it loses at most the changes of
 * this time.
 */
export const GATE_WRITE_AFTER_MS = 1_000;
/**
 * After this time without calls, the platform evicts an object. Data that expires earlier is therefore only kept in
 * memory.
 */
export const GATE_EVICTED_AFTER_MS = 10_000;

/** The gap between callers that come back after a pause, if the connection has no rate. */
export const PAUSED_RETURN_GAP_MS = 20;
/**
 * The longest pause of a whole connection. A provider may request a day for one run, but the other runs wait at most
 * this long.
 */
export const PAUSE_MS_MAX = 15 * 60_000;
/** Waiting callers are counted by the time at which they come back, in steps of this length. */
export const WAIT_QUEUE_SLICE_MS = 1_000;
/** If no waiting caller has come back for this long, their runs were canceled, and the wait queue counts as empty. */
export const WAIT_QUEUE_ABANDONED_MS = 5_000;
/**
 * If no caller has come back when this many were expected, their runs were canceled, and the wait queue counts as
 * empty.
 */
export const WAIT_QUEUE_ABANDONED_TURNS = 5;

/**
 * How long callers of an open breaker wait for the result of the probe. The first refused caller makes the probe call.
 */
export const PROBE_MS = 1_000;
/** The gap between callers that come back while the breaker is open. It allows fifty per second. */
export const PROBE_GAP_MS = 20;
/** The longest time over which callers come back while the breaker is open. */
export const PROBE_SPREAD_MS_MAX = 10 * 60_000;
