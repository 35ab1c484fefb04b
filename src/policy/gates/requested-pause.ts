// Detects whether a provider requests a pause for all calls (Retry-After). A refusal of a single request does not
// request such a pause.
import type { Outcome } from "#schema/engine/outcome.ts";
import { isFileFault } from "#schema/outgoing/file-faults.ts";

/** HTTP status codes with which a provider requests a pause: 429 Too Many Requests and 503 Service Unavailable. */
const PAUSE_CODES: ReadonlySet<unknown> = new Set([429, 503, "http_429", "http_503"]);

/** Returns the requested pause in milliseconds; null if the provider requested none. */
export function requestedPauseMs(outcome: Outcome): number | null {
  if (outcome.ok || outcome.retryAfterMs === undefined || isFileFault(outcome.error)) return null;
  const { type, code, details } = outcome.error;
  const requestsPause = type === "rate_limit" || PAUSE_CODES.has(code) || PAUSE_CODES.has(details?.["status"]);
  return requestsPause ? outcome.retryAfterMs : null;
}
