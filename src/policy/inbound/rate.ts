// Limits the rate of requests or deliveries: a token bucket, stored as the instant at which it is full again.
import { RATE_MS } from "#schema/limits/inbound/trigger-requests.ts";

export type Rate = { readonly perMinute: number; readonly burst: number };
/**
 * The bucket after the request. `retryAfterS`: null if the items are admitted, otherwise the seconds after which the
 * sender should retry.
 */
export type TakenRate = { readonly fullAt: number; readonly retryAfterS: number | null };

/**
 * Admits or refuses `count` items together. One free token is enough for all of them. Otherwise a list that exceeds the
 * burst would never be admitted.
 */
export function takeRate(fullAt: number, { perMinute, burst }: Rate, count: number, now: number): TakenRate {
  const apart = RATE_MS / perMinute;
  const freeAt = fullAt - (burst - 1) * apart;
  if (freeAt <= now) return { fullAt: Math.max(fullAt, now) + count * apart, retryAfterS: null };
  return { fullAt, retryAfterS: Math.max(1, Math.ceil((freeAt - now) / 1_000)) };
}
