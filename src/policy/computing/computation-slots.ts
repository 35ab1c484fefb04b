// How many long computations may run at once in one isolate, for one tenant and in all, and which of them runs next. A
// semaphore whose slots expire, because a request that its client has left never gives its slot back.
import {
  COMPUTATION_SLOT_MS,
  COMPUTATION_TURN_MS,
  COMPUTATIONS_MAX,
  COMPUTATIONS_PER_TENANT_MAX,
} from "#schema/limits/isolates.ts";

/** `lastSlice`: the number of the slice that it ran last. */
export type ComputationSlot = { readonly tenant: string; readonly lastSlice: number; readonly seenAt: number };
/** `slices`: how many were run. By computation. */
export type ComputationSlots = { slices: number; readonly held: Map<object, ComputationSlot> };

export type SlotsFull = {
  readonly limit: "COMPUTATIONS_MAX" | "COMPUTATIONS_PER_TENANT_MAX";
  readonly max: number;
  readonly used: number;
};

export function openComputationSlots(): ComputationSlots {
  return { slices: 0, held: new Map() };
}

/** Takes a slot; null: it is taken. */
export function takeComputationSlot(
  slots: ComputationSlots,
  computation: object,
  tenant: string,
  now: number,
): SlotsFull | null {
  const { held } = slots;
  for (const [other, { seenAt }] of held) if (seenAt + COMPUTATION_SLOT_MS <= now) held.delete(other);
  const full = fullFor([...held.values()], tenant);
  if (full === null) held.set(computation, { tenant, lastSlice: slots.slices, seenAt: now });
  return full;
}

/**
 * Whether a computation that has waited since slice `waitedSince` runs the next slice: never two slices in one turn of the
 * event loop, and first the computation that has not run for longest. One that was not seen for a while is passed over.
 */
export function isNextComputation(
  slots: ComputationSlots,
  computation: object,
  { tenant, waitedSince, now }: { readonly tenant: string; readonly waitedSince: number; readonly now: number },
): boolean {
  const { held } = slots;
  const { lastSlice = slots.slices } = held.get(computation) ?? {};
  // It goes on where its slot has expired meanwhile, too.
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

function fullFor(held: readonly ComputationSlot[], tenant: string): SlotsFull | null {
  const own = held.filter((slot) => slot.tenant === tenant).length;
  if (own >= COMPUTATIONS_PER_TENANT_MAX) {
    return { limit: "COMPUTATIONS_PER_TENANT_MAX", max: COMPUTATIONS_PER_TENANT_MAX, used: own };
  }
  if (held.length < COMPUTATIONS_MAX) return null;
  return { limit: "COMPUTATIONS_MAX", max: COMPUTATIONS_MAX, used: held.length };
}
