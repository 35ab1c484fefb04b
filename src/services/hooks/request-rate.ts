// Rate of requests that come without a key, counted before their bodies are read. Each isolate counts separately.
import { takeRate, type Rate } from "#policy/inbound/rate.ts";
import { remembered } from "#schema/limits/isolates.ts";
import type { Deps } from "../deps.ts";
import { isolateCache, peekCached, putCached } from "../isolate-cache.ts";

/** When each bucket is full again. */
const buckets = isolateCache<number>({
  sizeMax: remembered.senders.sizeMax,
  freshMs: () => Infinity,
  staleMs: () => 0,
});

/**
 * null if the body may be read; else the seconds to wait. `bucket` names the address called and the sender's address, so that
 * an unverified sender uses up only its own rate.
 */
export function checkRequestRate(
  { now }: Pick<Deps, "now">,
  bucket: readonly (string | null)[],
  rate: Rate,
): number | null {
  const [key, at] = [JSON.stringify(bucket), now()];
  const { fullAt, retryAfterS } = takeRate(peekCached(buckets, key, at) ?? 0, rate, 1, at);
  putCached(buckets, key, fullAt, at);
  return retryAfterS;
}
