// Tests the counts and reports of a cell, as traces.
import { describe, expect, it, test } from "vitest";
import { isSizeNeeded, isOverloaded, noLoad, countStarts, type Load } from "#policy/pools/load.ts";
import { POOL_CELL_BYTES_MAX, POOL_STARTS_PER_S_MAX } from "#schema/limits/pool-cells.ts";
import type { PoolReport } from "#schema/placement/tenant-pool.ts";

const SECOND = 1_000;
const T0 = Date.UTC(2026, 10, 19);

type Step = readonly [atS: number, count: number, epoch?: number];

function told(steps: readonly Step[], bytes = 0): readonly (PoolReport & { readonly atS: number })[] {
  let load: Load = noLoad;
  return steps.flatMap(([atS, count, epoch = 0]) => {
    const noted = countStarts(load, { count, epoch, now: T0 + atS * SECOND, bytes: () => bytes });
    load = noted.load;
    return noted.report ? [{ atS, ...noted.report }] : [];
  });
}

/** Returns one call per second, with this many starts each. */
const rate = (perS: number, fromS: number, toS: number, epoch = 0): Step[] =>
  Array.from({ length: toS - fromS }, (_, n) => [fromS + n, perS, epoch] as const);

describe("the load of a cell", () => {
  it("is not reported for a few starts", () => {
    expect(told(rate(10, 0, 600))).toEqual([]);
  });

  it("is reported above the limit, repeatedly with a minimum gap", () => {
    const reports = told(rate(2 * POOL_STARTS_PER_S_MAX, 0, 40));
    expect(reports.map(({ atS }) => atS)).toEqual([5, 20, 35]);
    expect(reports[0]).toMatchObject({ epoch: 0, bytes: 0 });
    expect(reports[0]?.startsPerS).toBeGreaterThan(2 * POOL_STARTS_PER_S_MAX);
  });

  it("is not reported for a burst that has ended", () => {
    expect(
      told([
        [0, 1],
        [1, 900],
        [60, 1],
        [120, 1],
      ]),
    ).toEqual([]);
  });

  it("is counted anew after the pool has changed, and reported at once", () => {
    const reports = told([...rate(2 * POOL_STARTS_PER_S_MAX, 0, 8), ...rate(2 * POOL_STARTS_PER_S_MAX, 8, 16, 1)]);
    expect(reports.map(({ atS, epoch }) => [atS, epoch])).toEqual([
      [5, 0],
      [13, 1],
    ]);
  });

  it("is reported once an hour as needed", () => {
    const reports = told(rate(POOL_STARTS_PER_S_MAX / 2, 0, 7_300));
    expect(reports.map(({ atS }) => atS)).toEqual([5, 3_605, 7_205]);
  });

  it("is reported for its size, however few starts there are", () => {
    expect(
      told(
        [
          [0, 1],
          [6, 1],
        ],
        POOL_CELL_BYTES_MAX + 1,
      ),
    ).toMatchObject([{ atS: 6 }]);
  });
});

test.each<[string, number, number, boolean, boolean]>([
  ["idle", 0, 0, false, false],
  ["at a quarter of the limit", POOL_STARTS_PER_S_MAX / 4, 0, false, false],
  ["above a quarter of the limit", POOL_STARTS_PER_S_MAX / 4 + 1, 0, false, true],
  ["at the limit", POOL_STARTS_PER_S_MAX, 0, false, true],
  ["above the limit", POOL_STARTS_PER_S_MAX + 1, 0, true, true],
  ["full of stored executions", 0, POOL_CELL_BYTES_MAX + 1, true, false],
])("a cell that is %s", (_what, startsPerS, bytes, pressed, needed) => {
  const report = { epoch: 0, startsPerS, bytes };
  expect([isOverloaded(report), isSizeNeeded(report)]).toEqual([pressed, needed]);
});
