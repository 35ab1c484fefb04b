// Sizes of limits by key: their keys and terms, and what the objects store of each key.
const SECOND = 1_000;
const DAY = 24 * 60 * 60 * SECOND;

/** The most limits by key of one action. Each of them costs two calls to an object for each attempt. */
export const KEY_LIMITS_PER_ACTION_MAX = 3;
/** The longest key. A rule that returns a longer text fails the run. */
export const LIMIT_KEY_CHARS_MAX = 200;
/** The most runs of one key that may be in progress at the same time. */
export const LIMIT_CONCURRENCY_MAX = 1_000;
/** The largest number of runs of one key that a throttle may admit in its period. */
export const LIMIT_THROTTLE_MAX = 10_000;
/** The shortest and the longest quiet time of a debounce. */
export const DEBOUNCE_MS_MIN = SECOND;
export const DEBOUNCE_MS_MAX = 7 * DAY;

/**
 * The most runs of one key whose places the object stores. Each place has about 90 bytes, so one row stays below 100
 * kB. Further runs wait without a place, and ask again when the stored places are used.
 */
export const LIMIT_WAITING_MAX = 1_000;
/** How many objects share the keys of one limit. A key is always in the same one of them. */
export const LIMIT_SHARDS = 16;
/**
 * The longest gap between two requests of the first run in a line. A run behind n others asks at most once in n + 1 of
 * these gaps, so the whole line sends about ln(n) requests in this time.
 */
export const LIMIT_POLL_MS = 10 * SECOND;
/** A run that returns later than this after its promised time no longer blocks the runs behind it. */
export const LIMIT_LATE_MS = { least: 100, most: 1_000 } as const;
/** How long a free slot is kept for a run that was woken. If the run does not return by then, other runs get the slot. */
export const LIMIT_WAKE_MS = SECOND;
/**
 * How many times one release passes a slot on, if the runs that were woken no longer wait. After that, the next run
 * returns at its expected time.
 */
export const LIMIT_WAKE_ROUNDS_MAX = 10;
/**
 * How a cell waits for a run that is woken while its last request is being settled: the first gap, which doubles, and
 * the number of checks. They end within LIMIT_WAKE_MS.
 */
export const LIMIT_WAKE_RECHECK = { firstMs: 10, times: 6 } as const;
/** How long after its promised time a run loses its place. It was most likely canceled, or its execution was paused. */
export const LIMIT_PLACE_KEPT_MS = 60 * SECOND;
/** For starts: the shortest and the longest time until a waiting execution asks again. Releases wake it earlier. */
export const START_WAIT_MS = { least: 5 * SECOND, most: 60 * 60 * SECOND } as const;
/** For starts: the gap between two requests of the first execution in a line. */
export const START_POLL_MS = 10 * 60 * SECOND;
/** For starts: how late an execution may return before it stops blocking the executions behind it. */
export const START_LATE_MS = 60 * SECOND;
/** For starts: how long after its promised time an execution loses its place. */
export const START_PLACE_KEPT_MS = 10 * 60 * SECOND;
/** How long an execution holds its slot until the engine checks whether its release was lost. */
export const START_CHECK_AFTER_MS = 10 * 60 * SECOND;
/** The end of a slot that only a release ends: the latest time that a date can have. */
export const LIMIT_SLOT_FOREVER = 8.64e15;
/** The most executions in doubt that one request checks. */
export const START_DOUBTS_MAX = 5;
/** The most executions that one release wakes. */
export const START_WAKES_MAX = 10;
/** How long a key stores its newest run, so that older runs that return do not start. */
export const LIMIT_NEWEST_KEPT_MS = DAY;
/** How many stored keys a call checks for expiry when it adds a key. Two are enough to keep the number of rows bounded. */
export const LIMIT_KEYS_SWEPT = 2;
/** How many waiting runs of a key an operator sees. */
export const LIMIT_WAITING_SHOWN = 20;
