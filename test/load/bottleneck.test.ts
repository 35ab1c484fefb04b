// Tests of bottleneck detection, with tables of seconds.
import { describe, expect, it, test } from "vitest";
import { findBottlenecks, type Sample } from "../../scripts/load/bottleneck.ts";
import { naming } from "#test/support/matchers/naming.ts";

const calm: Omit<Sample, "second"> = {
  concurrency: 20,
  requests: 100,
  dispatched: 100,
  finished: 100,
  refused: {},
  p95: 10,
  backlog: 5,
  looks: 20,
  held: {},
  busy: 0.4,
};

/** Builds ten seconds without bottleneck. `of` overrides figures of single seconds. */
function seconds(of: (second: number) => Partial<Sample> = () => ({}), count = 10): Sample[] {
  return Array.from({ length: count }, (_, second) => ({ ...calm, second, ...of(second) }));
}
const bottleneckOf = (samples: readonly Sample[]) => findBottlenecks(samples, null)[0] ?? null;
const from = (first: number, then: Partial<Sample>) => (second: number) => (second >= first ? then : {});
const at = (only: number, then: Partial<Sample>) => (second: number) => (second === only ? then : {});

describe("no bottleneck is found", () => {
  test.each<readonly [string, readonly Sample[]]>([
    ["in no seconds", []],
    ["in one", seconds(undefined, 1)],
    ["in ten calm ones", seconds()],
    ["in a second's own trouble with this machine", seconds(at(4, { busy: 1 }))],
    ["in a single refusal", seconds(at(4, { refused: { "503 unavailable": 1 } }))],
    ["in refusals below two in a hundred", seconds(from(4, { requests: 1_000, refused: { "503 unavailable": 20 } }))],
    ["in one action held", seconds(from(4, { held: { rate_limited: 1 }, looks: 2 }))],
    ["in few held", seconds(from(4, { held: { rate_limited: 2 }, looks: 50 }))],
    ["in latency that brings more through", seconds(from(5, { concurrency: 80, p95: 50, dispatched: 300 }))],
    ["in a standstill that costs nothing", seconds(from(5, { concurrency: 80, p95: 25 }))],
    ["in seconds without answers", seconds(() => ({ p95: null }))],
    ["in a slow start that is caught up", seconds((n) => ({ finished: n < 5 ? 0 : 200, backlog: 50 }))],
    [
      "in actions that take their time",
      seconds((n) => ({ finished: n < 3 ? 0 : 100, backlog: n < 3 ? n * 100 : 300 })),
    ],
    ["in a short burst", seconds((n) => ({ finished: 10, backlog: n * 90 }), 4)],
    ["in a difference too small to fill a line", seconds((n) => ({ dispatched: 2, finished: 1, backlog: n / 9 }))],
  ])("%s", (_fact, samples) => expect(bottleneckOf(samples)).toBeNull());
});

describe("the bottleneck is found:", () => {
  test.each<[string, readonly Sample[], string, number, ...(string | number)[]]>([
    ["a sender at its end", seconds(from(6, { busy: 0.95 })), "client", 6],
    [
      "an API that refuses, by what it says most",
      seconds(from(7, { concurrency: 40, refused: { "429 rate": 9, "no answer": 2 } })),
      "api",
      7,
      "429 rate",
      40,
    ],
    [
      "a connection that holds",
      seconds(from(3, { held: { rate_limited: 8, circuit_open: 1 } })),
      "provider",
      3,
      "rate_limited",
    ],
    [
      "a backlog that grows",
      seconds((n) => (n < 2 ? {} : { dispatched: 300, finished: 120, backlog: (n - 1) * 180 })),
      "queue",
      2,
      1440,
      "300/s",
      "120/s",
    ],
    [
      "more at once that brings no more through",
      seconds((n) => ({ concurrency: 20 + 20 * Math.floor(n / 3), p95: 10 + 10 * Math.floor(n / 3) })),
      "saturation",
      1,
      "p95",
      "3.0",
      10,
      30,
      "100/s",
      20,
    ],
    [
      "the level from which on nothing more came through",
      seconds((n) => ({
        concurrency: 10 * 2 ** Math.floor(n / 2),
        dispatched: [50, 100, 200, 205, 190][Math.floor(n / 2)] ?? 0,
        p95: [10, 10, 12, 25, 60][Math.floor(n / 2)] ?? 0,
      })),
      "saturation",
      4,
      "p95",
      "6.0",
      10,
      60,
      "205/s",
      40,
    ],
    [
      "more at once that brings less through than there was",
      seconds((n) => (n < 3 ? {} : { concurrency: n < 6 ? 40 : 80, dispatched: n < 6 ? 300 : 150, p95: 50 })),
      "saturation",
      3,
      "300/s",
      "150/s",
      40,
    ],
  ])("%s", (_fact, samples, kind, second, ...named) =>
    expect(bottleneckOf(samples)).toEqual({ kind, second, says: naming(...named) }),
  );

  it("several bottlenecks are sorted by second", () => {
    const samples = seconds((n) => ({
      held: n >= 4 ? { rate_limited: 9 } : {},
      refused: n >= 6 ? { "503 unavailable": 50 } : {},
    }));
    expect(findBottlenecks(samples, null).map(({ kind, second }) => [kind, second])).toEqual([
      ["provider", 4],
      ["api", 6],
    ]);
  });

  it("constant throughput at the plan's own request limit is no saturation", () => {
    const samples = seconds((n) => ({ concurrency: n < 5 ? 20 : 40, p95: n < 5 ? 10 : 50, requests: n < 5 ? 80 : 99 }));
    expect(findBottlenecks(samples, 110).map(({ kind }) => kind)).toEqual([]);
    expect(findBottlenecks(samples, 120).map(({ kind }) => kind)).toEqual(["saturation"]);
  });

  it("of the same second, the saturated sender is reported first", () => {
    expect(bottleneckOf(seconds(from(4, { busy: 1, refused: { "no answer": 50 } })))?.kind).toBe("client");
  });
});
