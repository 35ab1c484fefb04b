// Delivery mapping: computes the effect of a delivery with the current mapping of its trigger. The effect's key is
// derived from the delivery, so that the effect is applied once. The key and the execution's id are known before
// anything is sent.
import type { StoredTrigger } from "#catalog/triggers.ts";
import { openWork, type Work } from "#kernel/computing/work.ts";
import { mapRequest, type MappedEffect } from "#policy/inbound/mapping.ts";
import { timeOrderedId } from "#schema/ids.ts";
import type { Arrival, Effect, StoredRequest, MappingResult } from "#schema/inbound/delivery.ts";
import { accept, isUndecided, type Refusal, type Result } from "#schema/refusal.ts";
import type { FindDefinition } from "../definitions/find-definition.ts";
import { placeStart, type PlanDeps } from "../executions/plan-start.ts";
import { sha256 } from "../hash.ts";
import { checkPayload } from "../size-limits.ts";
import { deliveryFailureOf } from "./delivery-failure.ts";

/**
 * Shared by all deliveries of a request: a budget for evaluating their rules, and a lookup of the definitions that they
 * start.
 */
type SharedLookups = { readonly work: Work; readonly find?: FindDefinition };

/** Maps a delivery. `key` is the key that is stored with the delivery; null for a new delivery. */
export async function mapDelivery(
  deps: PlanDeps,
  row: StoredTrigger,
  request: StoredRequest,
  key: string | null,
  { work, find }: SharedLookups = { work: openWork() },
): Promise<Result<Pick<Arrival, "mapped" | "sequence">>> {
  const { id, name, namespace, tenant } = row;
  const mapping = mapRequest(row.settings, { id, name, namespace, tenant }, request, work);
  if (mapping.kind !== "effect") return accept({ mapped: mapping, sequence: null });
  const effect = await effectOf(
    deps,
    row,
    mapping.effect,
    key ?? (await effectKey(deps, id, request.deliveryId)),
    find,
  );
  if (!effect.ok && isUndecided(effect.refusal)) return effect;
  const mapped: MappingResult = effect.ok ? { kind: "effect", effect: effect.value } : unmappable(effect.refusal);
  return accept({ mapped, sequence: effect.ok ? mapping.sequence : null });
}

/**
 * Returns the effect's key. It fits into an event id, and clients cannot choose a key of this form. A delivery without
 * an id gets a unique key.
 */
async function effectKey({ now, randomBytes }: PlanDeps, trigger: string, deliveryId: string | null): Promise<string> {
  if (deliveryId === null) return `trigger/${trigger}/~${timeOrderedId("evt", now(), randomBytes(10))}`;
  return `trigger/${trigger}/${(await sha256(deliveryId)).slice(0, KEY_DIGITS)}`;
}

const KEY_DIGITS = 40;

async function effectOf(
  deps: PlanDeps,
  row: StoredTrigger,
  wanted: MappedEffect,
  key: string,
  find?: FindDefinition,
): Promise<Result<Effect>> {
  switch (wanted.kind) {
    case "start": {
      const { definition, variables, correlationId } = wanted;
      const { tenant, namespace } = row;
      const request = { definition, variables, correlationId, namespace, id: null, key };
      const placed = await placeStart(deps, tenant, request, find);
      if (!placed.ok) return placed;
      const { execution } = placed.value;
      return accept({ kind: "start", key, execution, definition, variables, namespace, correlationId });
    }
    case "event":
    case "post": {
      const sized = checkPayload(wanted.payload);
      return sized.ok ? accept({ ...wanted, key }) : sized;
    }
  }
}

function unmappable(refusal: Refusal): MappingResult {
  return { kind: "unmappable", reason: deliveryFailureOf(refusal) };
}
