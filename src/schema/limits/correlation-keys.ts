// Correlation key limits: the keys that route published events to executions, and the directory that stores them.
const DAY_MS = 24 * 60 * 60_000;

/** The longest correlation key of an execution. */
export const CORRELATION_KEY_CHARS_MAX = 200;
/**
 * The most earlier correlation keys of one execution that the directory may still have. If the limit is reached, a
 * further key is registered later.
 */
export const EARLIER_KEYS_MAX = 10;
/** The number of directory objects of a tenant. Each handles a few hundred writes per second. */
export const DIRECTORY_OBJECTS = 16;
/**
 * How long the directory keeps a removed registration. A message about the registration is in transit for less than
 * this time.
 */
export const REMOVED_KEYS_KEPT_MS = 5 * DAY_MS;
