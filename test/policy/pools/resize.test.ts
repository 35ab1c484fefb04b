// Tests the growing and shrinking of pools.
import { expect, it, test } from "vitest";
import { growPool, shrinkPool } from "#policy/pools/resize.ts";
import { newPool } from "#policy/pools/layout.ts";
import { POOL_CELL_BYTES_MAX, POOL_STARTS_PER_S_MAX as MAX } from "#schema/limits/pool-cells.ts";
import type { Pool } from "#schema/placement/tenant-pool.ts";

const pool = (size: number, epoch = 3, layers: readonly number[] = [1, size]): Pool => ({ epoch, size, layers });
const report = (startsPerS: number, epoch = 3, bytes = 0) => ({ epoch, startsPerS, bytes });

test.each<[string, Pool, ReturnType<typeof report>, Pool | null]>([
  ["grows twofold for a small excess", pool(4), report(MAX + 1), { epoch: 4, size: 8, layers: [1, 4, 8] }],
  ["grows fourfold for a large excess", pool(4), report(10 * MAX), { epoch: 4, size: 16, layers: [1, 4, 16] }],
  ["grows to 64 at most", pool(32), report(10 * MAX), { epoch: 4, size: 64, layers: [1, 32, 64] }],
  ["not beyond", pool(64), report(10 * MAX), null],
  ["does not grow within the limit", pool(4), report(MAX), null],
  ["does not grow twice for one report", pool(4, 4), report(10 * MAX), null],
  [
    "grows to a size that it had before",
    pool(2, 3, [1, 2, 4]),
    report(MAX + 1),
    { epoch: 4, size: 4, layers: [1, 2, 4] },
  ],
  ["grows for its stored bytes", newPool, report(0, 0, POOL_CELL_BYTES_MAX + 1), { epoch: 1, size: 2, layers: [1, 2] }],
])("a pool %s", (_what, from, said, to) => {
  expect(growPool(from, said)).toEqual(to);
});

test.each<[string, Pool, Pool | null]>([
  ["shrinks to a quarter", pool(64), { epoch: 4, size: 16, layers: [1, 64, 16] }],
  ["to one", pool(2), { epoch: 4, size: 1, layers: [1, 2] }],
  ["shrinks to one cell at least", pool(1), null],
])("after a long quiet time a pool %s", (_what, from, to) => {
  expect(shrinkPool(from)).toEqual(to);
});

it("a pool that grew and was quiet for some days is small again", () => {
  let now: Pool = newPool;
  for (const size of [4, 16, 64]) {
    now = growPool(now, report(10 * MAX, now.epoch)) ?? now;
    expect(now.size).toBe(size);
  }
  for (const size of [16, 4, 1]) {
    now = shrinkPool(now) ?? now;
    expect(now.size).toBe(size);
  }
  expect(now).toEqual({ epoch: 6, size: 1, layers: [1, 4, 16, 64] });
});
