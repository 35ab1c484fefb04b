// How many long computations may run at once.
import { expect, test } from "vitest";
import { holdComputationSlot, type ComputationSlots } from "#policy/computing/computation-slots.ts";
import { COMPUTATION_SLOT_MS, COMPUTATIONS_MAX, COMPUTATIONS_PER_TENANT_MAX } from "#schema/limits/isolates.ts";

const take = (slots: ComputationSlots, tenant: string, now = 0) =>
  holdComputationSlot(slots, {}, { tenant, isNew: true, now });

test("a tenant may run so many at once, whatever the others run", () => {
  const slots: ComputationSlots = new Map();
  const taken = Array.from({ length: COMPUTATIONS_PER_TENANT_MAX }, () => take(slots, "acme"));
  expect(taken.every((full) => full === null)).toBe(true);
  expect(take(slots, "acme")).toEqual({
    ...{ limit: "COMPUTATIONS_PER_TENANT_MAX", max: COMPUTATIONS_PER_TENANT_MAX },
    used: COMPUTATIONS_PER_TENANT_MAX,
  });
  expect(take(slots, "other")).toBe(null);
});

test("all tenants together may run so many at once", () => {
  const slots: ComputationSlots = new Map();
  for (let n = 0; n < COMPUTATIONS_MAX; n++) expect(take(slots, `t${n}`)).toBe(null);
  expect(take(slots, "late")).toEqual({ limit: "COMPUTATIONS_MAX", max: COMPUTATIONS_MAX, used: COMPUTATIONS_MAX });
});

test("a slot that is not renewed is free again after its time, and its computation may still go on", () => {
  const slots: ComputationSlots = new Map();
  const renewed = {};
  expect(holdComputationSlot(slots, renewed, { tenant: "acme", isNew: true, now: 0 })).toBe(null);
  expect(take(slots, "acme")).toBe(null);
  const later = COMPUTATION_SLOT_MS - 1;
  expect(holdComputationSlot(slots, renewed, { tenant: "acme", isNew: false, now: later })).toBe(null);
  expect(take(slots, "acme", later)).not.toBe(null);
  expect(take(slots, "acme", COMPUTATION_SLOT_MS)).toBe(null);
  expect(holdComputationSlot(slots, renewed, { tenant: "acme", isNew: false, now: 10 * COMPUTATION_SLOT_MS })).toBe(
    null,
  );
});
