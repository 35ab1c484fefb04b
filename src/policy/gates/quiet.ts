// Back-off requests of a provider: whether it asked all clients to pause, and for how long. A refusal of one request
// does not count.
import type { Outcome } from "#schema/engine/outcome.ts";
import { isFileTrouble } from "#schema/outgoing/file-trouble.ts";

/** Too Many Requests, Service Unavailable. */
const ASKING: ReadonlySet<unknown> = new Set([429, 503, "http_429", "http_503"]);

export function quietAskedFor(outcome: Outcome): number | null {
  if (outcome.ok || outcome.retryAfterMs === undefined || isFileTrouble(outcome.error)) return null;
  const { type, code, details } = outcome.error;
  const isAsking = type === "rate_limit" || ASKING.has(code) || ASKING.has(details?.["status"]);
  return isAsking ? outcome.retryAfterMs : null;
}
