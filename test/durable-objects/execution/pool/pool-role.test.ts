// Tests a cell's role in its pool through a list of changes, with the row that each change stores.
import { expect, it, test } from "vitest";
import { openPoolRole } from "#objects/execution/pool/pool-role.ts";
import { POOL_FENCE_KEPT_MS } from "#schema/limits/pool-cells.ts";
import type { Pool } from "#schema/placement/tenant-pool.ts";

const T0 = Date.UTC(2026, 10, 19);
const pool = (epoch: number, ...layers: number[]): Pool => ({ epoch, size: layers.at(-1) ?? 1, layers });

function disk() {
  const rows: string[] = [];
  const storage = { readPool: () => rows.at(-1) ?? null, writePool: (text: string) => void rows.push(text) };
  return { rows, open: () => openPoolRole(storage) };
}

it("a cell without other cells has no role row", () => {
  const { rows, open } = disk();
  const standing = open();
  expect(standing.ownershipAt(0)).toBe("unknown");
  standing.becomeOwner(pool(0, 1), []);
  expect([standing.ownershipAt(0), standing.keptUntil(T0), rows]).toEqual(["ours", null, []]);
});

it("a cell that has yielded refuses new keys, also after a restart", () => {
  const { rows, open } = disk();
  const standing = open();
  standing.becomeOwner(pool(0, 1), []);
  expect(standing.yieldTo(pool(2, 1, 4), T0)).toBe(true);
  expect(standing.yieldTo(pool(1, 1, 2), T0)).toBe(false);
  expect(rows).toHaveLength(1);
  for (const each of [standing, open()]) {
    expect([0, 1, 2, 3].map(each.ownershipAt)).toEqual(["superseded", "superseded", "superseded", "unknown"]);
    expect([each.owned(), each.superseded()?.size]).toEqual([null, 4]);
  }
});

it("a cell that owns its keys again stores the cells that have keys of its range", () => {
  const { rows, open } = disk();
  const standing = open();
  standing.yieldTo(pool(2, 1, 4), T0);
  standing.becomeOwner(pool(3, 1, 4, 1), [104, 105]);
  standing.setOthers([104]);
  standing.setOthers([104]);
  standing.setOthers([104, 107]);
  expect(rows).toHaveLength(3);
  const again = open();
  expect([0, 3, 4].map(again.ownershipAt)).toEqual(["ours", "ours", "unknown"]);
  expect([again.others(), again.owned()?.epoch]).toEqual([[104], 3]);
  standing.becomeOwner(pool(1, 1, 2), []);
  expect(standing.owned()?.epoch).toBe(3);
});

test.each<[string, number, number | null]>([
  ["is not forgotten at once", 1, T0 + POOL_FENCE_KEPT_MS],
  ["is forgotten when nobody can come with an older view any more", POOL_FENCE_KEPT_MS, null],
])("that a cell gave way %s", (_what, laterMs, until) => {
  const standing = disk().open();
  standing.yieldTo(pool(2, 1, 4), T0);
  expect(standing.keptUntil(T0 + laterMs)).toBe(until);
});

it("an owner keeps its role row while it is the owner", () => {
  const standing = disk().open();
  standing.becomeOwner(pool(2, 1, 4), []);
  expect(standing.keptUntil(T0)).toBe(Number.POSITIVE_INFINITY);
});
