import { describe, expect, test } from "vitest";
import { openGate } from "#policy/gates/connection.ts";
import { findSlot, releaseSlot, shiftSlots, waitingBefore, withoutExpired, type Slots } from "#policy/gates/slots.ts";
import type { AcquireItem } from "#schema/gate.ts";

const T = 1_000_000_000;
const minute = 60_000;
const { leases, tookMs, line } = openGate;
const empty: Slots = { leases, tookMs, line };

const item = (promisedAt: number | null, more: Partial<AcquireItem> = {}): AcquireItem => ({
  key: "k",
  expiresAt: T + 40_000,
  promisedAt,
  ...more,
});

/** Returns slots of which `count` are leased from T for a minute. */
const taken = (count: number, from: Slots = empty): Slots => ({
  ...from,
  leases: Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`l${n}`, { begunAt: T, expiresAt: T + minute, isProbe: false }]),
  ),
});

/** Returns the return times of `count` simultaneous calls, in milliseconds from T. */
function tell(slots: Slots, slotsMax: number, count: number, promisedAt: number | null = null) {
  let next = slots;
  const untils = Array.from({ length: count }, () => {
    const found = findSlot(next, slotsMax, item(promisedAt), T);
    next = found.slots;
    return found.until === null ? null : found.until - T;
  });
  return { slots: next, untils };
}

describe("new calls", () => {
  test("get successive return times, two per slot", () => {
    expect(tell(taken(2), 2, 4).untils).toEqual([500, 750, 1_000, 1_250]);
  });

  test("return soon if no call waits any more, however long the queue was", () => {
    const long = tell(taken(1, { ...empty, tookMs: 20_000 }), 1, 60);
    expect(long.untils.at(-1)).toBeGreaterThan(2 * minute);
    const later = T + 10 * minute;
    const over = withoutExpired({ ...long.slots, leases: taken(1).leases }, later);
    const busy = { ...over, leases: { a: { begunAt: later, expiresAt: later + minute, isProbe: false } }, tookMs: 200 };
    expect(findSlot(busy, 1, item(null), later).until).toBe(later + 200);
  });

  test("leave a slot for each call with a return time before their deadline, and for no other", () => {
    const told = { ...empty, line: [{ at: T + 30_000, waiting: 2 }] };
    expect(findSlot(told, 3, item(null), T).until).toBe(null);
    expect(findSlot(told, 2, item(null), T).until).not.toBe(null);
    expect(findSlot(told, 2, item(null, { expiresAt: T + 20_000 }), T).until).toBe(null);
  });

  test("wait from a tenth of a second to five minutes, with spread return times", () => {
    expect(tell(taken(1, { ...empty, tookMs: 1 }), 1, 3).untils).toEqual([100, 101, 101]);
    const { untils } = tell(taken(1, { ...empty, tookMs: minute }), 1, 300);
    expect(Math.max(...untils.map(Number))).toBeLessThanOrEqual(5 * minute);
    const count = (until: number | null) => untils.filter((each) => each === until).length;
    expect(Math.max(...untils.map(count))).toBe(1);
    const minutes = Map.groupBy(untils.slice(20), (until) => Math.floor((until ?? 0) / minute));
    expect([...minutes.keys()].toSorted()).toEqual([2, 3, 4]);
  });

  test("wait longer if the calls in progress take longer than usual", () => {
    const since = (ageMs: number) => ({ a: { begunAt: T - ageMs, expiresAt: T + minute, isProbe: false } });
    expect(findSlot({ ...empty, leases: since(500) }, 1, item(null), T).until).toBe(T + 1_000);
    expect(findSlot({ ...empty, leases: since(8_000) }, 1, item(null), T).until).toBe(T + 8_000);
  });
});

describe("a call with a return time", () => {
  const promised = tell(taken(1), 1, 1);
  const until = promised.untils[0] ?? 0;

  test("is admitted on time, before new calls", () => {
    const free = { ...promised.slots, leases: {} };
    expect(findSlot(free, 1, item(null), T + until).until).not.toBe(null);
    const gone = findSlot(free, 1, item(T + until, { promisedFor: "concurrency" }), T + until);
    expect(gone).toMatchObject({ until: null, slots: { line: [] } });
    expect(findSlot(gone.slots, 1, item(null), T + until).until).toBe(null);
  });

  test("that returns early keeps its return time, and is admitted if a slot is free", () => {
    const early = item(T + until);
    expect(findSlot(promised.slots, 1, early, T + 1)).toEqual({ slots: promised.slots, until: T + until });
    expect(findSlot({ ...promised.slots, leases: {} }, 1, early, T + 1).until).toBe(null);
  });

  test("that finds no slot returns soon, between the queued calls", () => {
    const crowd = tell(taken(1), 1, 20).slots;
    const again = findSlot(crowd, 1, item(T), T);
    const behind = findSlot(crowd, 1, item(null), T);
    expect((again.until ?? 0) - T).toBeLessThan(((behind.until ?? 0) - T) / 2);
    expect((again.until ?? 0) - T).toBeGreaterThan(1_000);
  });

  test("given by the rate has no place in the queue for slots, and still precedes new calls", () => {
    const free = { ...promised.slots, leases: {} };
    const gone = findSlot(free, 1, item(T + until, { promisedFor: "rate_limited" }), T + until);
    expect(gone).toMatchObject({ until: null, slots: { line: free.line } });
  });

  test("given by a clock of another day counts as a new call", () => {
    const other = findSlot(taken(1), 1, item(T + 60 * minute), T);
    expect(other.until).toBe(T + 1_000);
  });

  test("that never returns loses its place in the end", () => {
    const at = T + until;
    expect(waitingBefore(withoutExpired(promised.slots, at + 4_000).line, Infinity)).toBe(1);
    expect(waitingBefore(withoutExpired(promised.slots, at + 7_000).line, Infinity)).toBe(0);
  });
});

test("waiting calls are stored as counts only", () => {
  const { slots } = tell(taken(1), 1, 5_000);
  expect(waitingBefore(slots.line, Infinity)).toBe(5_000);
  expect(slots.line.length).toBeLessThanOrEqual(301);
  expect(slots.line).toEqual(slots.line.toSorted((a, b) => a.at - b.at));
});

test("a released slot updates the usual duration; an unknown lease changes nothing", () => {
  const one = taken(1);
  expect(releaseSlot(one, "l0", T + 6_000)).toMatchObject({ leases: {}, tookMs: 2_000 });
  expect(releaseSlot(one, "other", T)).toBe(one);
});

test("shifting the clock shifts leases and queue", () => {
  const moved = shiftSlots({ ...taken(1), line: [{ at: T + 5_000, waiting: 2 }] }, -3_600_000);
  expect(moved.leases["l0"]).toEqual({ begunAt: T - 3_600_000, expiresAt: T + minute - 3_600_000, isProbe: false });
  expect(moved.line).toEqual([{ at: T + 5_000 - 3_600_000, waiting: 2 }]);
});
