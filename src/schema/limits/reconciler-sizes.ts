// Reconciler sizes: limits for long-lived reconcilers, of which thousands may exist.
import { limits } from "../limits.ts";

const SECOND = 1_000;
const DAY = 24 * 60 * 60 * SECOND;

/** Interval between evaluations of the rules. */
export const TICK_MS_MIN = SECOND;
export const TICK_MS_MAX = DAY;
/** Observed or desired state: every rule reads both, and they are stored in its single row. */
export const OBSERVED_BYTES_MAX = limits.payloadBytesMax;
export const DESIRED_BYTES_MAX = limits.payloadBytesMax;
export const RULES_PER_STATE_MAX = 50;
/** The reason of its state, as lists show it. */
export const REASON_CHARS_MAX = 500;
/** How long an observation may stay valid. */
export const STALE_MS_MIN = SECOND;
export const STALE_MS_MAX = 7 * DAY;
/** A collector is an outside call each time. */
export const COLLECT_EVERY_MS_MIN = SECOND;
export const COLLECT_EVERY_MS_MAX = DAY;
/** A failing collector is called at least once an hour. */
export const COLLECT_BACKOFF_MS_MAX = 60 * 60 * SECOND;
/** Pages of its journal, the latest: it may run for years, and older pages are deleted. */
export const RECONCILER_PAGES_KEPT = 500;
