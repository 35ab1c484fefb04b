import { expect, test } from "vitest";
import { chanceFor } from "#kernel/execution/chance.ts";

test("chance is the same for the same step, for ever", () => {
  expect(chanceFor("exe_1", 1, 1)).toBe(chanceFor("exe_1", 1, 1));
  expect(
    [chanceFor("exe_1", 1, 1), chanceFor("exe_1", 1, 2), chanceFor("exe_2", 7, 1)].map((each) => each.toFixed(6)),
  ).toEqual(["0.244388", "0.019037", "0.974811"]);
});

test("chance is even, from 0 to below 1, over executions, steps and counters alike", () => {
  const tenths = (draw: (n: number) => number): number[] => {
    const counts = Array.from({ length: 10 }, () => 0);
    for (let n = 0; n < 10_000; n += 1) counts[Math.floor(draw(n) * 10)] = Number(counts[Math.floor(draw(n) * 10)]) + 1;
    return counts;
  };
  for (const draw of [
    (n: number) => chanceFor(`exe_${n}`, 1, 1),
    (n: number) => chanceFor("exe_1", n, 1),
    (n: number) => chanceFor("exe_1", 1, n),
  ]) {
    expect(tenths(draw).every((count) => count > 850 && count < 1_150)).toBe(true);
  }
});
