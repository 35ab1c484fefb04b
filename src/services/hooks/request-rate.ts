// Request rate: limits requests without an API key before their bodies are read. Each isolate counts separately.
import { takeRate, type Rate } from "#policy/inbound/rate.ts";
import { isolateCaches } from "#schema/limits/isolates/caches.ts";
import type { Deps } from "../deps.ts";
import { openIsolateCache, peekCached, putCached } from "../isolate-cache.ts";

/**
 * The time, in epoch ms, at which each bucket has its full rate again. A bucket counts the requests of one sender to
 * one URL.
 */
const buckets = openIsolateCache<number>({
  sizeMax: isolateCaches.senders.sizeMax,
  freshMs: () => Infinity,
  staleMs: () => 0,
});

/**
 * Counts one request. Returns null if its body may be read; otherwise returns the seconds to wait. `bucket` contains
 * the owner of the called URL and the sender's IP address. So an unverified sender uses up only its own rate.
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
