// Tests the split of a batch: cells stay together, tenants are spread, and no item is lost.
import { describe, expect, test } from "vitest";
import { splitIntoSubBatches } from "#policy/gates/sub-batches.ts";

/** Parses items: "a1a1b2" has items of the tenants a and b in their cells 1 and 2. */
const items = (said: string) =>
  Array.from(said.matchAll(/([a-z])(\d)/g), ([cell, tenant = ""], at) => ({ tenant, cell, at }));
const told = (said: string, count: number): readonly string[] =>
  splitIntoSubBatches(items(said), count).map((share) => share.map(({ cell }) => cell).join(""));

describe("a batch is split", () => {
  test.each<readonly [string, string, number, readonly string[]]>([
    ["into one sub-batch", "a1b1a2", 1, ["a1a2b1"]],
    ["evenly if all cells differ", "a1a2a3a4a5a6", 3, ["a1a4", "a2a5", "a3a6"]],
    ["with the items of a cell together", "a1a2a1a2", 2, ["a1a1", "a2a2"]],
    ["with a cell together that slightly exceeds a part", "a1a1a1a2a2a3a4", 3, ["a1a1a1", "a2a2", "a3a4"]],
    ["with a large cell in as many pieces as it has parts", "a1a1a1a1a1a1a1", 3, ["a1a1a1", "a1a1", "a1a1"]],
    ["with each tenant in every sub-batch, however small", "a1a2a3a4a5a6b1b2", 2, ["a1a3a5b1", "a2a4a6b2"]],
    ["with each tenant spread, even if another's items are in one sub-batch", "a1a1a1b1b2", 2, ["a1a1a1b2", "b1"]],
    ["with a new tenant in the smallest sub-batch", "a1a2a3b1", 2, ["a1a3", "a2b1"]],
    ["and a sub-batch may be empty", "a1a1", 3, ["a1", "a1", ""]],
    ["into empty sub-batches if there are no items", "", 0, []],
  ])("%s", (_how, said, count, shares) => {
    expect(told(said, count)).toEqual(shares);
  });

  test("completely: each item is in one sub-batch, and none exceeds its part plus the rest of a cell", () => {
    for (let size = 1; size <= 100; size += 7) {
      const all = Array.from({ length: size }, (_, at) => ({ tenant: "abc"[at % 3] ?? "", cell: `${at % 5}`, at }));
      const shares = splitIntoSubBatches(all, 4);
      expect(shares.flat().toSorted((x, y) => x.at - y.at)).toEqual(all);
      for (const share of shares) expect(share.length).toBeLessThanOrEqual(2 * Math.ceil(size / 4));
    }
  });
});
