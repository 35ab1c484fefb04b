// Tests of the completion estimate.
import { expect, it } from "vitest";
import { estimateFinished, type Ended } from "../../scripts/load/estimate.ts";

const second = (accepted: object, followed: object) => ({ accepted: { ...accepted }, followed: { ...followed } });
const end = (scenario: string, acceptedAt: number, endedAt: number, isDelayed = false): Ended => ({
  scenario,
  acceptedAt,
  endedAt,
  isDelayed,
});

it("a followed action represents the actions of its scenario that were accepted in the same second", () => {
  const seconds = [second({ a: 10, b: 2 }, { a: 2, b: 2 }), second({ a: 9 }, { a: 3 }), second({}, {})];
  const ended = [end("a", 100, 1_100), end("a", 900, 950), end("b", 0, 0), end("a", 1_000, 2_999)];
  expect(estimateFinished(seconds, ended, 3_000)).toEqual({ bySecond: [6, 5, 3], byScenario: { a: 13, b: 1 } });
});

it("actions of a second without followed ones are represented by the next second that has some", () => {
  const seconds = [second({ a: 10 }, {}), second({ a: 20 }, {}), second({ a: 30 }, { a: 3 })];
  expect(estimateFinished(seconds, [end("a", 2_500, 2_600)], 3_000)).toEqual({
    bySecond: [0, 0, 20],
    byScenario: { a: 20 },
  });
});

it("the estimate is exact if all actions are followed and ended", () => {
  const seconds = [second({ a: 2 }, { a: 2 })];
  expect(estimateFinished(seconds, [end("a", 1, 2), end("a", 3, 4)], 1_000)).toEqual({
    bySecond: [2],
    byScenario: { a: 2 },
  });
});

it("actions that ended after the load do not count, and delayed ones count in no second", () => {
  const seconds = [second({ a: 2, later: 1 }, { a: 2, later: 1 })];
  const ended = [end("a", 1, 5_000), end("later", 1, 900, true)];
  expect(estimateFinished(seconds, ended, 1_000)).toEqual({ bySecond: [0], byScenario: { later: 1 } });
});

it("a followed action of an uncounted scenario represents itself", () => {
  expect(estimateFinished([], [end("x", 1, 1)], 1_000)).toEqual({ bySecond: [], byScenario: { x: 1 } });
});
