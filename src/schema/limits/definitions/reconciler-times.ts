// Reconciler limits. A tenant may have thousands of reconcilers, and each may run for years.
import { PAYLOAD_BYTES_MAX } from "../buffered-events.ts";

const SECOND = 1_000;
const DAY = 24 * 60 * 60 * SECOND;

/** The shortest and the longest interval between two evaluations of a reconciler's rules. */
export const TICK_MS_MIN = SECOND;
export const TICK_MS_MAX = DAY;
/** The largest observed state. Every rule reads it, and it is stored in the execution's row. */
export const OBSERVED_BYTES_MAX = PAYLOAD_BYTES_MAX;
/** The largest desired state. Every rule reads it, and it is stored in the execution's row. */
export const DESIRED_BYTES_MAX = PAYLOAD_BYTES_MAX;
/** The most rules of one state of a reconciler. */
export const RULES_PER_STATE_MAX = 50;
/** The longest reason of a reconciler's state in lists. */
export const REASON_CHARS_MAX = 500;
/** The shortest and the longest time for which an observation is valid. */
export const STALE_MS_MIN = SECOND;
export const STALE_MS_MAX = 7 * DAY;
/** The shortest and the longest interval between two calls of a collector. Each call is a request to a provider. */
export const COLLECT_EVERY_MS_MIN = SECOND;
export const COLLECT_EVERY_MS_MAX = DAY;
/** The longest wait before a failing collector is called again. */
export const COLLECT_BACKOFF_MS_MAX = 60 * 60 * SECOND;
