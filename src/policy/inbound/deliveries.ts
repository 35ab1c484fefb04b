// Decides whether a trigger accepts another delivery, whether a delivery is older than the newest one, and what follows
// after a failed delivery.
import type { DeliveryOutcome, SequencePlace, TriggerTerms, DeliveryFault } from "#schema/inbound/delivery.ts";
import {
  DELIVERY_GAPS_MS,
  DELIVERY_MS_MAX,
  FULL_TRIGGER_RETRY_S,
  LAST_DELIVERY_GAP_MS,
  PENDING_DELIVERIES_MAX,
  PUBLISHED_DELIVERIES_MAX,
  STUCK_BYTES_MAX,
  STUCK_DELIVERIES_MAX,
} from "#schema/limits/inbound/deliveries.ts";
import type { Refusal } from "#schema/refusal.ts";
import type { Rate } from "./rate.ts";

/**
 * How many deliveries the trigger stores. `published`: deliveries whose events wait for an execution. `stuck`: deliveries that
 * wait until an operator replays them.
 */
export type StoredDeliveries = {
  readonly pending: number;
  readonly published: number;
  readonly stuck: number;
  readonly stuckBytes: number;
};

/**
 * Refuses another delivery when the trigger is full. The sender must then keep and retry it, because the engine never
 * drops an accepted delivery.
 */
export function roomRefusal(
  { pending, published, stuck, stuckBytes }: StoredDeliveries,
  { trigger }: Pick<TriggerTerms, "trigger">,
): Refusal | null {
  if (pending >= PENDING_DELIVERIES_MAX)
    return fullRefusal(trigger, "deliveries in progress", pending, PENDING_DELIVERIES_MAX);
  if (published >= PUBLISHED_DELIVERIES_MAX)
    return fullRefusal(trigger, "deliveries whose events wait for an execution", published, PUBLISHED_DELIVERIES_MAX);
  if (stuck >= STUCK_DELIVERIES_MAX) return fullRefusal(trigger, "deliveries to replay", stuck, STUCK_DELIVERIES_MAX);
  if (stuckBytes >= STUCK_BYTES_MAX)
    return fullRefusal(trigger, "bytes of deliveries to replay", stuckBytes, STUCK_BYTES_MAX);
  return null;
}

function fullRefusal(trigger: string, contents: string, size: number, limit: number): Refusal {
  return {
    code: "deliveries_full",
    message: `The trigger has ${size} ${contents}; the limit is ${limit}.`,
    hint: `Correct the trigger's mapping and replay the deliveries (POST /v1/triggers/${trigger}/replay), or wait until they are processed.`,
    details: { field: "deliveries", size, limit },
    retryAfterS: FULL_TRIGGER_RETRY_S,
  };
}

export function rateRefusal({ perMinute, burst }: Rate, retryAfterS: number): Refusal {
  return {
    code: "rate_limited",
    message: `The request exceeds the trigger's rate of ${perMinute} deliveries per minute, or ${burst} in one burst.`,
    hint: "Retry after the time in Retry-After, or raise the trigger's rateLimit.",
    details: { perMinute, burst, retryAfterS },
    retryAfterS,
  };
}

/**
 * Returns whether the value is older than the newest one; null if the two cannot be compared. Equal values are not older.
 * Numbers, also as texts, are compared by size, instants by time, and other texts by their characters.
 */
export function isOlder(value: SequencePlace["value"], newest: SequencePlace["value"] | null): boolean | null {
  if (newest === null) return false;
  const [own, other] = [comparable(value), comparable(newest)];
  return own.kind === other.kind ? own.at < other.at : null;
}

type Comparable = { readonly kind: "number" | "instant" | "text"; readonly at: number | bigint | string };

function comparable(value: SequencePlace["value"]): Comparable {
  if (typeof value === "number") return { kind: "number", at: value };
  if (/^-?\d{1,200}$/.test(value)) return { kind: "number", at: BigInt(value) };
  if (/^-?\d{1,200}\.\d{1,200}$/.test(value)) return { kind: "number", at: Number(value) };
  const at = INSTANT.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? { kind: "text", at: value } : { kind: "instant", at };
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

export type NextDeliveryStep =
  | { readonly kind: "done" }
  /** The event is published. Its directory reports the result. */
  | { readonly kind: "published" }
  | { readonly kind: "retry"; readonly at: number; readonly tries: number }
  | { readonly kind: "failed"; readonly reason: DeliveryFault };

/**
 * Returns what follows after a try of a delivery. `tries`: the number of earlier tries. `since`: when the delivery was
 * accepted or last replayed, in epoch ms.
 */
export function afterDelivery(
  outcome: DeliveryOutcome,
  { tries, since }: { readonly tries: number; readonly since: number },
  now: number,
): NextDeliveryStep {
  switch (outcome.kind) {
    case "applied":
      return { kind: "done" };
    case "published":
    case "failed":
      return outcome;
    case "later": {
      const at = now + (DELIVERY_GAPS_MS[tries] ?? LAST_DELIVERY_GAP_MS);
      if (at - since <= DELIVERY_MS_MAX) return { kind: "retry", at, tries: tries + 1 };
      return { kind: "failed", reason: { code: "not_delivered", message: outcome.reason.message } };
    }
  }
}
