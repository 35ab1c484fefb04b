// Some hundred pools that grow and shrink during keyed starts, and proof that the oracle detects mistakes.
import { describe, expect, it } from "vitest";
import { expectNoticed, expectSound, seedCount, seedsTo } from "../kit/seeds.ts";
import { simulatePool } from "./pools.ts";
import type { Tampering } from "./pool-world.ts";

const SEEDS = seedCount(25, 100);
const CAUGHT_WITHIN = 300;
const WORLDS_MS_MAX = 60_000;

it(
  `in ${SEEDS} rough worlds no key begins twice, and every client gets a response`,
  () => expectSound(seedsTo(SEEDS), simulatePool),
  WORLDS_MS_MAX,
);

it("the same seed is the same world", async () => {
  const [once, again] = [await simulatePool(7), await simulatePool(7)];
  expect(once.hash).toBe(again.hash);
});

describe("the oracle sees a cell that", () => {
  it.each<[string, Tampering]>([
    ["forgets that it gave way", { storage: (disk) => ({ ...disk, readPool: () => null }) }],
    [
      "keeps to itself what it has begun",
      { asked: (cell) => ({ ...cell, yieldKeys: async (ask) => ({ ...(await cell.yieldKeys(ask)), keys: [] }) }) },
    ],
    ["denies what it has begun", { asked: (cell) => ({ ...cell, hasKey: async () => false }) }],
    [
      "never gives way",
      { asked: (cell) => ({ ...cell, yieldKeys: async () => ({ kind: "taken", keys: [], after: null }) }) },
    ],
  ])("%s", (_what, tampering) => expectNoticed(CAUGHT_WITHIN, (seed) => simulatePool(seed, tampering)), WORLDS_MS_MAX);
});
