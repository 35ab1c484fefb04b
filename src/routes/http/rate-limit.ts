// Rate limit headers: sets RateLimit and RateLimit-Policy on responses that count against a tenant's quotas, as lists
// of structured-field strings with parameters (draft-ietf-httpapi-ratelimit-headers).
import type { Refusal } from "#schema/refusal.ts";
import { rateStates } from "#services/quotas/rate-state.ts";
import type { AppContext } from "./context.ts";

/** Sets the headers from the usage that this isolate has counted. */
export async function setRateLimitHeaders(c: AppContext): Promise<void> {
  const states = await rateStates(c.get("deps"), c.get("caller").tenant);
  const seconds = (ms: number): number => Math.ceil(ms / 1_000);
  const policy = states.map(({ quota, max, windowMs }) => `"${quota}";q=${max};w=${seconds(windowMs)}`);
  const remaining = states.map(({ quota, left, resetMs }) => `"${quota}";r=${left};t=${seconds(resetMs)}`);
  c.header("RateLimit-Policy", policy.join(", "));
  c.header("RateLimit", remaining.join(", "));
}

/**
 * Sets the headers of a response that refuses because of a quota: which quota is used up, and the earliest time to
 * retry.
 */
export function setQuotaExceededHeaders(
  c: AppContext,
  { details, retryAfterS }: Pick<Refusal, "details" | "retryAfterS">,
): void {
  const { limit, max } = details ?? {};
  if (typeof limit !== "string" || typeof max !== "number") return;
  c.header("RateLimit-Policy", `"${limit}";q=${max}`);
  c.header("RateLimit", `"${limit}";r=0;t=${retryAfterS ?? 1}`);
}
