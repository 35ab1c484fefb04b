// Work in progress of a tenant in this isolate: counts its attempts, and the consumer invocations that they occupy.
// Each counts as ended at its deadline at the latest, because the platform may end an invocation before it releases its
// work.
import type { ActionQueue } from "#schema/engine/message.ts";
import type { IsolateLease } from "./isolate-lease.ts";

/** One counted attempt or invocation. It counts as ended at `until` (epoch ms), even if it was not released. */
export type QuotaSlot = { until: number };
export type QuotaSlots = { readonly [kind in "attempts" | ActionQueue]: Set<QuotaSlot> };

export function enterSlot(lease: IsolateLease, kind: keyof QuotaSlots, until: number): QuotaSlot {
  const slot = { until };
  lease.slots[kind].add(slot);
  updateCounts(lease);
  return slot;
}

/** Releases the slot. Idempotent. */
export function leaveSlot(lease: IsolateLease, kind: keyof QuotaSlots, slot: QuotaSlot): void {
  lease.slots[kind].delete(slot);
  updateCounts(lease);
}

export function dropOverdue(lease: IsolateLease, now: number): void {
  for (const slots of Object.values(lease.slots)) for (const slot of slots) if (slot.until <= now) slots.delete(slot);
  updateCounts(lease);
}

function updateCounts(lease: IsolateLease): void {
  const { attempts, short, slow } = lease.slots;
  lease.held = { ...lease.held, inFlight: attempts.size, inQueue: { short: short.size, slow: slow.size } };
}
