// Slots for long computations in one isolate: limits their number per tenant and in total, and chooses which one runs
// next. A slot expires, because a request that was abandoned never releases it. Checks have a limited cost, so they
// need no slot, but they take turns with the computations.
import {
  COMPUTATIONS_MAX,
  COMPUTATIONS_PER_TENANT_MAX,
  COMPUTATION_SLOT_MS,
  COMPUTATION_TURN_MS,
} from "#schema/limits/isolates/computations.ts";

/**
 * A computation in progress. `tenant`: null for a check, which occupies no slot. `lastSlice`: the number of the latest
 * slice that it has run.
 */
export type ComputationSlot = { readonly tenant: string | null; readonly lastSlice: number; readonly seenAt: number };
/** The computations in progress. `slices`: how many slices have run in this isolate so far. */
export type ComputationSlots = { slices: number; readonly held: Map<object, ComputationSlot> };

export type SlotsFull = {
  readonly limit: "COMPUTATIONS_MAX" | "COMPUTATIONS_PER_TENANT_MAX";
  readonly max: number;
  readonly used: number;
};

export function openComputationSlots(): ComputationSlots {
  return { slices: 0, held: new Map() };
}

/** Assigns a slot to the computation. Returns null on success, otherwise the limit that is reached. */
export function takeComputationSlot(
  slots: ComputationSlots,
  computation: object,
  tenant: string,
  now: number,
): SlotsFull | null {
  const { held } = slots;
  for (const [other, { seenAt }] of held) if (seenAt + COMPUTATION_SLOT_MS <= now) held.delete(other);
  const reached = reachedLimit([...held.values()], tenant);
  if (reached === null) held.set(computation, { tenant, lastSlice: slots.slices, seenAt: now });
  return reached;
}

/**
 * Returns whether this computation runs the next slice. Each turn of the event loop runs one slice, of the computation
 * that has waited longest. `waitedSince`: the number of slices when its wait began. A computation that was not seen for
 * some time is ignored.
 */
export function isNextComputation(
  slots: ComputationSlots,
  computation: object,
  { tenant, waitedSince, now }: { readonly tenant: string | null; readonly waitedSince: number; readonly now: number },
): boolean {
  const { held } = slots;
  const { lastSlice = slots.slices } = held.get(computation) ?? {};
  // If its slot has expired, the computation gets one again and continues.
  held.set(computation, { tenant, lastSlice, seenAt: now });
  if (slots.slices !== waitedSince) return false;
  return [...held].every(
    ([other, slot]) => other === computation || slot.lastSlice >= lastSlice || slot.seenAt + COMPUTATION_TURN_MS <= now,
  );
}

export function countSlice(slots: ComputationSlots, computation: object): void {
  slots.slices += 1;
  const slot = slots.held.get(computation);
  if (slot !== undefined) slots.held.set(computation, { ...slot, lastSlice: slots.slices });
}

function reachedLimit(held: readonly ComputationSlot[], tenant: string): SlotsFull | null {
  const ofTenant = held.filter((slot) => slot.tenant === tenant).length;
  if (ofTenant >= COMPUTATIONS_PER_TENANT_MAX) {
    return { limit: "COMPUTATIONS_PER_TENANT_MAX", max: COMPUTATIONS_PER_TENANT_MAX, used: ofTenant };
  }
  const total = held.filter((slot) => slot.tenant !== null).length;
  return total < COMPUTATIONS_MAX ? null : { limit: "COMPUTATIONS_MAX", max: COMPUTATIONS_MAX, used: total };
}
