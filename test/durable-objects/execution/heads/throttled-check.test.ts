import { expect, it } from "vitest";
import { throttledCheck } from "#objects/execution/heads/throttled-check.ts";
import { CELL_SIZE_CHECKED_EVERY_STARTS } from "#schema/limits/large-cells.ts";

it("a false condition is checked at intervals, and a true one on each call", () => {
  const answers = [false, true, true, false, false];
  let asked = 0;
  const has = throttledCheck(() => answers[asked++] === true);
  const told = (count: number): readonly boolean[] => Array.from({ length: count }, has);
  expect(told(CELL_SIZE_CHECKED_EVERY_STARTS)).not.toContain(true);
  expect(asked).toBe(1);
  expect(told(3)).toEqual([true, true, false]);
  expect(asked).toBe(4);
  expect(told(CELL_SIZE_CHECKED_EVERY_STARTS - 1)).not.toContain(true);
  expect(asked).toBe(4);
  has();
  expect(asked).toBe(5);
});
