// Tests the set of other cells' keys: it never denies a key, and rarely suspects one wrongly.
import { expect, it } from "vitest";
import { openKeySet } from "#objects/execution/pool/key-set.ts";
import { POOL_KEYS_EXACT_MAX } from "#schema/limits/pool-cells.ts";
import { chanceOf } from "#test/sim/kit/chance.ts";

const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

function keys(seed: string, count: number): readonly string[] {
  const chance = chanceOf(seed);
  // The keys of one cell begin with the same letters.
  return Array.from(
    { length: count },
    () => `7K${Array.from({ length: 24 }, () => LETTERS[chance.between(0, 31)]).join("")}`,
  );
}

it.each([1, POOL_KEYS_EXACT_MAX, POOL_KEYS_EXACT_MAX + 1, 30_000])("knows each of %i keys", (count) => {
  const set = openKeySet();
  const mine = keys("mine", count);
  for (const key of mine) set.add(key);
  expect(mine.filter((key) => !set.has(key))).toEqual([]);
});

it("is exact while it is small, and rarely wrong with 30,000 keys", () => {
  const [few, many] = [openKeySet(), openKeySet()];
  for (const key of keys("mine", POOL_KEYS_EXACT_MAX)) few.add(key);
  for (const key of keys("mine", 30_000)) many.add(key);
  const others = keys("others", 20_000);
  expect(others.filter(few.has)).toEqual([]);
  expect(others.filter(many.has).length).toBeLessThan(20);
});
