// Rate of requests to a trigger, taken before their bodies are read. Each isolate counts by itself, and each sender's address
// apart, so that a sender that is never believed uses up nothing of the others'. Deliveries are limited by the trigger's object.
import { admit } from "#policy/inbound/deliveries.ts";
import type { TriggerTerms } from "#schema/inbound/delivery.ts";
import { remembered } from "#schema/limits/isolates.ts";
import type { Refusal } from "#schema/refusal.ts";
import type { Deps } from "../deps.ts";
import { isolateCache, peek, put } from "../isolate-cache.ts";

/** When the bucket of each is full again. */
const buckets = isolateCache<number>({
  sizeMax: remembered.senders.sizeMax,
  freshMs: () => Infinity,
  staleMs: () => 0,
});

/** null: it may be read. */
export function takeRequest({ now }: Pick<Deps, "now">, terms: TriggerTerms, sender: string | null): Refusal | null {
  const [key, at] = [JSON.stringify([terms.tenant, terms.trigger, sender]), now()];
  const { fullAt, refusal } = admit(peek(buckets, key, at) ?? 0, terms, 1, at);
  put(buckets, key, fullAt, at);
  return refusal;
}
