// How many long computations may run at once in one isolate, for one tenant and in all: a semaphore whose slots expire, because
// a request that its client has left never gives its slot back.
import { COMPUTATION_SLOT_MS, COMPUTATIONS_MAX, COMPUTATIONS_PER_TENANT_MAX } from "#schema/limits/isolates.ts";

export type ComputationSlot = { readonly tenant: string; readonly expiresAt: number };
/** By computation. */
export type ComputationSlots = Map<object, ComputationSlot>;

export type SlotsFull = {
  readonly limit: "COMPUTATIONS_MAX" | "COMPUTATIONS_PER_TENANT_MAX";
  readonly max: number;
  readonly used: number;
};

/** Takes a slot, or renews the one that was taken before; null: it is taken. */
export function holdComputationSlot(
  slots: ComputationSlots,
  computation: object,
  { tenant, isNew, now }: { readonly tenant: string; readonly isNew: boolean; readonly now: number },
): SlotsFull | null {
  for (const [other, { expiresAt }] of slots) if (expiresAt <= now) slots.delete(other);
  const full = isNew ? fullFor([...slots.values()], tenant) : null;
  if (full === null) slots.set(computation, { tenant, expiresAt: now + COMPUTATION_SLOT_MS });
  return full;
}

function fullFor(held: readonly ComputationSlot[], tenant: string): SlotsFull | null {
  const own = held.filter((slot) => slot.tenant === tenant).length;
  if (own >= COMPUTATIONS_PER_TENANT_MAX) {
    return { limit: "COMPUTATIONS_PER_TENANT_MAX", max: COMPUTATIONS_PER_TENANT_MAX, used: own };
  }
  if (held.length < COMPUTATIONS_MAX) return null;
  return { limit: "COMPUTATIONS_MAX", max: COMPUTATIONS_MAX, used: held.length };
}
