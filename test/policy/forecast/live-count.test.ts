// Tests the maximum number of executions that a forecast counts as live at the same time.
import { expect, test } from "vitest";
import { openLiveCount } from "#policy/forecast/live-count.ts";
import { machine } from "#test/support/drive.ts";
import { forecastOf } from "./forecast-of.ts";

test.each<[string, readonly (readonly [number, number | null])[], number]>([
  ["no execution gives 0", [], 0],
  [
    "executions that overlap are live together",
    [
      [0, 10],
      [5, 20],
      [8, 9],
    ],
    3,
  ],
  [
    "the order in which they are counted has no effect",
    [
      [8, 9],
      [0, 10],
      [5, 20],
    ],
    3,
  ],
  [
    "one that starts when another ends is not live beside it",
    [
      [0, 10],
      [10, 20],
    ],
    1,
  ],
  [
    "one that ends at its start is live once",
    [
      [5, 5],
      [5, 5],
      [6, 6],
    ],
    2,
  ],
  [
    "one without an end is live from its start on",
    [
      [0, null],
      [100, 101],
    ],
    2,
  ],
])("%s", (_case, spans, expected) => {
  const live = openLiveCount();
  for (const [startAt, endAt] of spans) live.add(startAt, endAt);
  expect(live.max()).toBe(expected);
});

test("a forecast counts executions as live while they only wait for a timer", () => {
  const waiting = machine({ states: { a: { after: { P1D: "done" } }, done: { type: "final" } } });
  expect(forecastOf(waiting, { of: 100 }).executions.liveMax).toBe(100);
});
