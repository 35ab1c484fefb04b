// Detects a provider's request to pause all calls (Retry-After). The refusal of a single request is no such request.
import type { Outcome } from "#schema/engine/outcome.ts";
import { isFileTrouble } from "#schema/outgoing/file-trouble.ts";

/** Status codes that ask clients to pause: 429 Too Many Requests and 503 Service Unavailable. */
const ASKING: ReadonlySet<unknown> = new Set([429, 503, "http_429", "http_503"]);

export function quietAskedFor(outcome: Outcome): number | null {
  if (outcome.ok || outcome.retryAfterMs === undefined || isFileTrouble(outcome.error)) return null;
  const { type, code, details } = outcome.error;
  const isAsking = type === "rate_limit" || ASKING.has(code) || ASKING.has(details?.["status"]);
  return isAsking ? outcome.retryAfterMs : null;
}
