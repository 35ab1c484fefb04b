// Tests the decisions of an isolate by its lease.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  decideUse,
  isInFlightFull,
  remainingOf,
  noLease,
  shouldReport,
  type HeldLease,
} from "#policy/gates/quotas/lease.ts";
import { recordReport, openMeter } from "#policy/gates/quotas/quota.ts";
import { limitsOf, type Amounts, type Lease } from "#schema/quota.ts";

const T = Date.UTC(2026, 0, 5, 9);
const SECOND_MS = 1_000;
const limits = limitsOf({ startsPerSecond: 10, actionsPerDay: 1_000, liveExecutions: 500 });

function lease(over: { free?: number; used?: number; live?: number; liveFree?: number; at?: number } = {}): Lease {
  const { free = 20, used = 0, live = 0, liveFree = 500, at = T } = over;
  const allowance = { free, used, max: 100, resetAt: T + 10 * SECOND_MS };
  return {
    amounts: { startsPerSecond: allowance, actionsPerDay: { ...allowance, max: 1_000 } },
    live: { free: liveFree, used: live, max: 500 },
    inFlightElsewhere: 0,
    at,
    until: at + 5 * SECOND_MS,
    shouldCount: false,
  };
}
const starts = (startsPerSecond: number, actionsPerDay = 0): Amounts => ({ startsPerSecond, actionsPerDay });
const holding = (over: Partial<HeldLease>): HeldLease => ({ ...noLease, ...over });

describe("one more start", () => {
  test.each<[string, HeldLease, number, object]>([
    ["without a lease is allowed", noLease, T, { kind: "take" }],
    ["without a lease waits beyond the trusted amount", holding({ unreported: starts(5) }), T, { kind: "wait" }],
    ["within the lease is allowed", holding({ lease: lease(), used: starts(19) }), T, { kind: "take" }],
    [
      "beyond the lease is allowed while little is used",
      holding({ lease: lease(), used: starts(20) }),
      T,
      { kind: "take" },
    ],
    [
      "beyond the lease waits if much is used",
      holding({ lease: lease({ used: 80 }), used: starts(20) }),
      T,
      { kind: "wait" },
    ],
    [
      "waits if the trusted amount is reported without an answer",
      holding({ reporting: starts(5) }),
      T,
      { kind: "wait" },
    ],
    [
      "beyond the lease waits if much is used including here",
      holding({ lease: lease({ used: 60 }), used: starts(20) }),
      T,
      { kind: "wait" },
    ],
    [
      "beyond the lease waits if many executions are live",
      holding({ lease: lease({ live: 400 }), used: starts(20) }),
      T,
      { kind: "wait" },
    ],
    [
      "after the lease's end is allowed while little is used",
      holding({ lease: lease() }),
      T + 6 * SECOND_MS,
      { kind: "take" },
    ],
    ["in the next window starts at zero", holding({ lease: lease({ free: 0 }) }), T + 10 * SECOND_MS, { kind: "take" }],
    [
      "of a used-up quota is refused until the window ends",
      holding({ lease: lease({ free: 0, used: 100 }) }),
      T,
      { kind: "refuse", limit: "startsPerSecond", used: 100, max: 100, at: T + 10 * SECOND_MS },
    ],
    [
      "of a used-up quota waits for a new lease after a while",
      holding({ lease: lease({ free: 0, used: 100 }) }),
      T + SECOND_MS,
      { kind: "wait" },
    ],
    [
      "with too many live executions is refused",
      holding({ lease: lease({ free: 0, live: 500, liveFree: 0 }) }),
      T,
      { kind: "refuse", limit: "liveExecutions", used: 500, max: 500, at: T + SECOND_MS },
    ],
  ])("%s", (_what, held, now, choice) => {
    expect(decideUse(held, "startsPerSecond", limits, now)).toEqual(choice);
  });

  test("of a quota of zero is refused at once, even without a lease", () => {
    expect(decideUse(noLease, "startsPerSecond", limitsOf({ startsPerSecond: 0 }), T)).toMatchObject({
      kind: "refuse",
      limit: "startsPerSecond",
      max: 0,
    });
    expect(decideUse(noLease, "startsPerSecond", limitsOf({ liveExecutions: 0 }), T)).toMatchObject({
      limit: "liveExecutions",
    });
    expect(decideUse(noLease, "actionsPerDay", limitsOf({ liveExecutions: 0 }), T)).toEqual({ kind: "take" });
  });

  test("an action waits for its own quota, however many executions are live", () => {
    const held = holding({ lease: lease({ live: 500, used: 100 }), used: starts(0, 20) });
    expect(decideUse(held, "actionsPerDay", limits, T)).toEqual({ kind: "take" });
    const spent = holding({ lease: lease({ free: 0, live: 500, liveFree: 0, used: 1_000 }) });
    expect(decideUse(spent, "actionsPerDay", limits, T)).toMatchObject({ limit: "actionsPerDay", max: 1_000 });
  });
});

const short = (count: number) => ({ short: count, slow: 0 });

describe("reporting", () => {
  test.each<[string, HeldLease, boolean]>([
    ["no use is not reported", noLease, false],
    ["one use of a small quota is reported", holding({ unreported: starts(1) }), true],
    ["half of a block is reported", holding({ lease: lease(), used: starts(10), unreported: starts(10) }), true],
    [
      "less than half of a block is not reported",
      holding({ lease: lease(), used: starts(9), unreported: starts(9) }),
      false,
    ],
    ["a use of long ago is reported", holding({ unreportedSince: T - 30 * SECOND_MS }), true],
    ["many more attempts in flight are reported", holding({ inFlight: 60, reportedInFlight: 10 }), true],
    ["many fewer attempts in flight are reported", holding({ inFlight: 10, reportedInFlight: 60 }), true],
    ["a few more attempts in flight are not reported", holding({ inFlight: 12, reportedInFlight: 10 }), false],
    ["many more occupied consumers are reported", holding({ inQueue: short(20), reportedInQueue: short(10) }), true],
    ["many more occupied consumers of the slow queue are reported", holding({ inQueue: { short: 0, slow: 10 } }), true],
    ["many fewer occupied consumers are reported", holding({ inQueue: short(10), reportedInQueue: short(20) }), true],
    [
      "a few more occupied consumers are not reported",
      holding({ inQueue: short(19), reportedInQueue: short(10) }),
      false,
    ],
    [
      "one use with a lease of zero is reported",
      holding({ lease: lease({ free: 0 }), unreported: starts(0, 1) }),
      true,
    ],
  ])("%s", (_what, held, isWorth) => {
    expect(shouldReport(held, limits, T)).toBe(isWorth);
  });

  test("of a large quota needs one call for many uses", () => {
    const told = (uses: number) => shouldReport(holding({ unreported: starts(0, uses) }), limitsOf(null), T);
    expect([told(49), told(50)]).toEqual([false, true]);
  });
});

test("replaces a lease whose limits have changed", () => {
  const spent = holding({ lease: lease({ free: 0, used: 100 }) });
  const now = (own: object) => limitsOf({ startsPerSecond: 10, actionsPerDay: 1_000, liveExecutions: 500, ...own });
  expect(decideUse(spent, "startsPerSecond", now({ startsPerSecond: 20 }), T)).toEqual({ kind: "wait" });
  expect(decideUse(spent, "startsPerSecond", now({ liveExecutions: 600 }), T)).toEqual({ kind: "wait" });
  expect(decideUse(spent, "actionsPerDay", now({ actionsPerDay: 2_000 }), T)).toEqual({ kind: "wait" });
  expect(decideUse(spent, "actionsPerDay", now({ liveExecutions: 600 }), T)).toMatchObject({ kind: "refuse" });
});

test("attempts in flight are counted in this isolate and the others", () => {
  const few = limitsOf({ inFlight: 3 });
  expect(isInFlightFull(holding({ inFlight: 2 }), few)).toBe(false);
  expect(isInFlightFull(holding({ inFlight: 2, lease: { ...lease(), inFlightElsewhere: 1 } }), few)).toBe(true);
});

test("the remaining amount includes unreported and local use", () => {
  const held = holding({ lease: lease({ used: 30 }), used: starts(5), unreported: starts(5) });
  expect(remainingOf(held, "startsPerSecond", limits, T)).toMatchObject({ free: 65, used: 35, max: 100 });
  expect(remainingOf(held, "startsPerSecond", limits, T + 10 * SECOND_MS)).toMatchObject({ free: 95, used: 5 });
  expect(remainingOf(noLease, "startsPerSecond", limits, T)).toMatchObject({ free: 100 });
});

/** Simulates isolates that start as fast as possible and report like the service. */
function crowd(isolates: number, uses: readonly number[], max: number): number {
  const few = limitsOf({ startsPerSecond: max / 10 });
  let state = openMeter;
  let now = T;
  let taken = 0;
  const held = Array.from({ length: isolates }, () => noLease);
  const tell = (n: number): void => {
    const mine = held[n] ?? noLease;
    const told = recordReport(state, { isolate: `i${n}`, limits: few, used: mine.unreported, inFlight: 0 }, now);
    state = told.state;
    held[n] = { ...mine, lease: told.lease, used: starts(0), unreported: starts(0) };
  };
  for (const use of uses) {
    const n = use % isolates;
    now += 1;
    for (let tries = 0; tries < 5; tries++) {
      const mine = held[n] ?? noLease;
      const choice = decideUse(mine, "startsPerSecond", few, now);
      if (choice.kind === "wait") tell(n);
      if (choice.kind === "wait") continue;
      if (choice.kind === "take") {
        taken += 1;
        held[n] = {
          ...mine,
          used: starts(mine.used.startsPerSecond + 1),
          unreported: starts(mine.unreported.startsPerSecond + 1),
        };
        if (shouldReport(held[n], few, now)) tell(n);
      }
      break;
    }
  }
  return taken;
}

test("a window is exceeded by a few percent at most, however many isolates start", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 8 }),
      fc.constantFrom(50, 100, 1_000),
      fc.array(fc.nat(100), { minLength: 1_500, maxLength: 3_000 }),
      (isolates, max, uses) => {
        const taken = crowd(isolates, uses, max);
        expect(taken).toBeLessThanOrEqual(Math.ceil(max * 1.05) + isolates);
        expect(taken).toBeGreaterThanOrEqual(max * 0.9);
      },
    ),
    { numRuns: 60 },
  );
});
