// Tests the quotas of a tenant: the reports of isolates and their leases.
import { describe, expect, test } from "vitest";
import {
  recordReport,
  openMeter,
  viewMeter,
  windowEnd,
  windowMax,
  type MeterState,
} from "#policy/gates/quotas/quota.ts";
import { limitsOf, type OwnLimits, type Report } from "#schema/quota.ts";

const T = Date.UTC(2026, 0, 5, 9);
const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;

type Told = { readonly isolate?: string; readonly starts?: number; readonly actions?: number } & Partial<Report>;

function metering(own: OwnLimits = {}) {
  const limits = limitsOf(own);
  let state: MeterState = openMeter;
  return {
    tell: ({ isolate = "a", starts = 0, actions = 0, inFlight = 0, ...more }: Told, now = T) => {
      const used = { startsPerSecond: starts, actionsPerDay: actions };
      const told = recordReport(state, { isolate, limits, used, inFlight, ...more }, now);
      state = told.state;
      return told;
    },
    view: (now = T) => viewMeter(state, now),
    state: () => state,
  };
}

describe("windows", () => {
  test("starts are counted per ten seconds, actions until midnight UTC", () => {
    const limits = limitsOf({ startsPerSecond: 3, actionsPerDay: 7 });
    expect([windowMax("startsPerSecond", limits), windowMax("actionsPerDay", limits)]).toEqual([30, 7]);
    expect(windowEnd("startsPerSecond", T + 3 * SECOND_MS)).toBe(T + 10 * SECOND_MS);
    expect(windowEnd("actionsPerDay", T)).toBe(Date.UTC(2026, 0, 6));
  });

  test("a report counts in the window of its arrival, and the next window starts at zero", () => {
    const { tell, view } = metering();
    tell({ starts: 5, actions: 2 });
    expect(view().used).toEqual({ startsPerSecond: 5, actionsPerDay: 2 });
    tell({ starts: 1 }, T + 11 * SECOND_MS);
    expect(view(T + 11 * SECOND_MS).used).toEqual({ startsPerSecond: 1, actionsPerDay: 2 });
    expect(view(T + 24 * HOUR_MS).used).toEqual({ startsPerSecond: 0, actionsPerDay: 0 });
  });
});

describe("a lease", () => {
  test.each<[string, number, number, number]>([
    ["of an idle isolate is a small block", 1_000, 0, 20],
    ["of a busy isolate is twice its use", 1_000, 40, 80],
    ["is at most half of the remaining amount", 100, 60, 20],
    ["of the last remaining use is one", 61, 60, 1],
    ["of a used-up quota is zero", 60, 60, 0],
    ["of an exceeded quota is zero", 60, 90, 0],
  ])("%s", (_what, max, starts, free) => {
    const { lease } = metering({ startsPerSecond: max / 10 }).tell({ starts });
    expect(lease.amounts.startsPerSecond).toMatchObject({ free, used: starts, max });
  });

  test.each([50, 400, 4_000])("for %i uses a second lasts until the next report is worthwhile", (perSecond) => {
    const { tell } = metering({ startsPerSecond: 100_000, liveExecutions: 1_000_000_000 });
    let [calls, untold, free] = [0, 0, 0];
    for (let at = T; at < T + 10 * SECOND_MS; at += 10) {
      untold += perSecond / 100;
      if (untold < free / 2) continue;
      ({ free } = tell({ starts: untold }, at).lease.amounts.startsPerSecond);
      [calls, untold] = [calls + 1, 0];
    }
    expect(calls).toBeLessThan(60);
    expect(free).toBeLessThanOrEqual(Math.max(20, perSecond));
  });

  test("grows at most eightfold per report", () => {
    const { tell } = metering({ startsPerSecond: 100_000, liveExecutions: 1_000_000_000 });
    tell({ starts: 10 });
    expect(tell({ starts: 10 }, T + 1).lease.amounts.startsPerSecond.free).toBe(80);
    expect(tell({ starts: 10 }, T + 1).lease.amounts.startsPerSecond.free).toBe(80);
  });

  test("is reserved for its isolate until it ends", () => {
    const { tell } = metering({ actionsPerDay: 60 });
    expect(tell({ isolate: "a", actions: 10 }).lease.amounts.actionsPerDay.free).toBe(20);
    expect(tell({ isolate: "b" }).lease.amounts.actionsPerDay.free).toBe(15);
    expect(tell({ isolate: "a" }).lease.amounts.actionsPerDay.free).toBe(18);
    expect(tell({ isolate: "c" }, T + 11 * SECOND_MS).lease.amounts.actionsPerDay.free).toBe(20);
  });
});

describe("live executions", () => {
  test("are counted before the first start, later when half of the quota is used, with a minimum gap", () => {
    const { tell } = metering({ liveExecutions: 10 });
    expect(tell({ starts: 1 }).lease).toMatchObject({ shouldCount: true, live: { used: 1 } });
    expect(tell({ starts: 1 }).lease.shouldCount).toBe(false);
    const known = tell({ counted: { live: 0, at: T - 10 * SECOND_MS } }).lease;
    expect(known).toMatchObject({ shouldCount: false, live: { used: 2, free: 8 } });
    expect(tell({ starts: 1 }, T + 6 * SECOND_MS).lease.shouldCount).toBe(false);
    expect(tell({ starts: 3 }, T + 7 * SECOND_MS).lease.shouldCount).toBe(true);
  });

  test("beyond the quota stop starts until a new count", () => {
    const { tell } = metering({ liveExecutions: 5 });
    tell({ counted: { live: 0, at: T - SECOND_MS } });
    const full = tell({ starts: 5 }).lease;
    expect(full.live).toEqual({ free: 0, used: 5, max: 5 });
    expect(full.amounts.startsPerSecond.free).toBe(0);
    const later = tell({ counted: { live: 2, at: T + 20 * SECOND_MS } }, T + 30 * SECOND_MS).lease;
    expect(later).toMatchObject({ live: { used: 2, free: 3 }, amounts: { startsPerSecond: { free: 2 } } });
  });

  test("an outdated count refuses nothing while the catalog is down", () => {
    const { tell } = metering({ liveExecutions: 5 });
    tell({ starts: 9, counted: { live: 0, at: T - SECOND_MS } });
    expect(tell({}, T + 3 * 60 * SECOND_MS).lease.live).toEqual({ free: 5, used: 9, max: 5 });
  });
});

describe("in flight", () => {
  test("is the sum of the isolates' reports of the last minute", () => {
    const { tell, view } = metering();
    tell({ isolate: "a", inFlight: 3 });
    expect(tell({ isolate: "b", inFlight: 2 }).lease.inFlightElsewhere).toBe(3);
    expect(view().inFlight).toBe(5);
    expect(tell({ isolate: "b", inFlight: 2 }, T + 61 * SECOND_MS).lease.inFlightElsewhere).toBe(0);
  });

  test("includes the occupied queue consumers, as far as reported", () => {
    const { tell } = metering();
    const elsewhere = (report: Parameters<typeof tell>[0], at = T) => tell(report, at).lease.inQueueElsewhere;
    expect(elsewhere({ isolate: "a", inQueue: { short: 30, slow: 1 } })).toEqual({ short: 0, slow: 0 });
    expect(elsewhere({ isolate: "b", inQueue: { short: 12, slow: 2 } })).toEqual({ short: 30, slow: 1 });
    expect(elsewhere({ isolate: "c" })).toEqual({ short: 42, slow: 3 });
    expect(elsewhere({ isolate: "b" }, T + 61 * SECOND_MS)).toEqual({ short: 0, slow: 0 });
  });

  test("a stored state without queue use counts as zero", () => {
    const { state } = metering();
    const free = { startsPerSecond: 0, actionsPerDay: 0 };
    const stored: MeterState = { ...state(), lent: { old: { free, until: T, inFlight: 1, reportedAt: T } } };
    const report = { isolate: "new", limits: limitsOf(null), used: free, inFlight: 0 };
    expect(recordReport(stored, report, T).lease.inQueueElsewhere).toEqual({ short: 0, slow: 0 });
  });

  test("at most LEASES_MAX isolates are stored", () => {
    const { tell, state } = metering();
    for (let n = 0; n < 600; n++) tell({ isolate: `i${n}`, inFlight: 1 }, T + n);
    expect(Object.keys(state().lent)).toHaveLength(500);
    expect(state().lent.i0).toBeUndefined();
    expect(state().lent.i599).toBeDefined();
  });
});

test("a quota used to 80 % is reported once an hour", () => {
  const { tell } = metering({ actionsPerDay: 100, inFlight: 10, liveExecutions: 1_000 });
  expect(tell({ actions: 79 }).near).toEqual([]);
  expect(tell({ actions: 1, inFlight: 8 }).near).toEqual([
    { limit: "actionsPerDay", used: 80, max: 100 },
    { limit: "inFlight", used: 8, max: 10 },
  ]);
  expect(tell({ actions: 10 }).near).toEqual([]);
  expect(tell({}, T + HOUR_MS).near).toEqual([{ limit: "actionsPerDay", used: 90, max: 100 }]);
});
