// What a reconciler may keep and how often it may look: it lives for years, and thousands of them live side by side.
import { limits } from "../limits.ts";

const SECOND = 1_000;
const DAY = 24 * 60 * 60 * SECOND;

/** Between two instants at which rules are looked at. */
export const TICK_MS_MIN = SECOND;
export const TICK_MS_MAX = DAY;
/** An observation, or a desired state: both are read by every rule, and stand in the one row that all of it is. */
export const OBSERVED_BYTES_MAX = limits.payloadBytesMax;
export const DESIRED_BYTES_MAX = limits.payloadBytesMax;
export const RULES_PER_STATE_MAX = 50;
/** Why it stands where it stands, as a person reads it in a list. */
export const REASON_CHARS_MAX = 500;
/** How long an observation may be believed. */
export const STALE_MS_MIN = SECOND;
export const STALE_MS_MAX = 7 * DAY;
/** A collector is a call to somebody each time. */
export const COLLECT_EVERY_MS_MIN = SECOND;
export const COLLECT_EVERY_MS_MAX = DAY;
/** A collector that keeps failing is asked once an hour, at the least. */
export const COLLECT_BACKOFF_MS_MAX = 60 * 60 * SECOND;
/** Pages of its journal, the latest: it may live for years, and what is older is let go. */
export const RECONCILER_PAGES_KEPT = 500;
