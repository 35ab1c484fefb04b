// Tests the slots of long computations, and which computation runs next.
import { describe, expect, test } from "vitest";
import {
  countSlice,
  isNextComputation,
  openComputationSlots,
  takeComputationSlot,
  type ComputationSlots,
} from "#policy/computing/computation-slots.ts";
import {
  COMPUTATIONS_MAX,
  COMPUTATIONS_PER_TENANT_MAX,
  COMPUTATION_SLOT_MS,
  COMPUTATION_TURN_MS,
} from "#schema/limits/isolates/computations.ts";

const take = (slots: ComputationSlots, tenant: string, now = 0, computation = {}) =>
  takeComputationSlot(slots, computation, tenant, now);

describe("slots", () => {
  test("limit one tenant, independent of other tenants", () => {
    const slots = openComputationSlots();
    for (let n = 0; n < COMPUTATIONS_PER_TENANT_MAX; n++) expect(take(slots, "acme")).toBe(null);
    const [max, used] = [COMPUTATIONS_PER_TENANT_MAX, COMPUTATIONS_PER_TENANT_MAX];
    expect(take(slots, "acme")).toEqual({ limit: "COMPUTATIONS_PER_TENANT_MAX", max, used });
    expect(take(slots, "other")).toBe(null);
  });

  test("limit all tenants together", () => {
    const slots = openComputationSlots();
    for (let n = 0; n < COMPUTATIONS_MAX; n++) expect(take(slots, `t${n}`)).toBe(null);
    expect(take(slots, "late")).toEqual({ limit: "COMPUTATIONS_MAX", max: COMPUTATIONS_MAX, used: COMPUTATIONS_MAX });
  });

  test("are not needed by checks, which take turns", () => {
    const slots = openComputationSlots();
    for (let n = 0; n < COMPUTATIONS_MAX; n++) {
      expect(isNextComputation(slots, {}, { tenant: null, waitedSince: 0, now: 0 })).toBe(true);
    }
    expect([take(slots, "acme"), slots.held.size]).toEqual([null, COMPUTATIONS_MAX + 1]);
  });

  test("expire if the computation is not seen; it may still continue", () => {
    const slots = openComputationSlots();
    const seen = {};
    expect([take(slots, "acme", 0, seen), take(slots, "acme")]).toEqual([null, null]);
    const later = COMPUTATION_SLOT_MS - 1;
    expect(isNextComputation(slots, seen, { tenant: "acme", waitedSince: 0, now: later })).toBe(true);
    expect(take(slots, "acme", later)).not.toBe(null);
    expect(take(slots, "acme", COMPUTATION_SLOT_MS)).toBe(null);
    expect([take(slots, "other", 9 * COMPUTATION_SLOT_MS), slots.held.size]).toEqual([null, 1]);
    const now = 9 * COMPUTATION_SLOT_MS;
    expect(isNextComputation(slots, seen, { tenant: "acme", waitedSince: 0, now })).toBe(true);
    expect(slots.held.size).toBe(2);
  });
});

describe("turns", () => {
  /** Returns three running computations, all of which have waited since the last slice. */
  function three() {
    const slots = openComputationSlots();
    const [a, b, c] = [{}, {}, {}];
    const all = { a, b, c };
    for (const [tenant, computation] of Object.entries(all)) take(slots, tenant, 0, computation);
    const isNext = (name: keyof typeof all, waitedSince = slots.slices, now = 0): boolean =>
      isNextComputation(slots, all[name], { tenant: name, waitedSince, now });
    return { slots, isNext, run: (name: keyof typeof all) => countSlice(slots, all[name]) };
  }

  test("go to the computation that has waited longest", () => {
    const { isNext, run } = three();
    expect([isNext("a"), isNext("b"), isNext("c")]).toEqual([true, true, true]);
    run("a");
    expect([isNext("a"), isNext("b"), isNext("c")]).toEqual([false, true, true]);
    run("b");
    expect([isNext("a"), isNext("b"), isNext("c")]).toEqual([false, false, true]);
    run("c");
    expect([isNext("a"), isNext("b"), isNext("c")]).toEqual([true, false, false]);
  });

  test("are limited to one slice per turn of the event loop", () => {
    const { slots, isNext, run } = three();
    const before = slots.slices;
    run("a");
    expect(isNext("b", before)).toBe(false);
    expect(isNext("b")).toBe(true);
  });

  test("pass over a computation that was not seen for a while", () => {
    const { isNext, run } = three();
    run("a");
    run("b");
    expect(isNext("a", 2, COMPUTATION_TURN_MS - 1)).toBe(false);
    expect(isNext("a", 2, COMPUTATION_TURN_MS)).toBe(true);
  });

  test("count a computation without a slot, which then holds none", () => {
    const slots = openComputationSlots();
    countSlice(slots, {});
    expect([slots.slices, slots.held.size]).toEqual([1, 0]);
  });
});
