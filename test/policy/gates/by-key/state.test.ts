import { describe, expect, test } from "vitest";
import { quietAt, unusedKey } from "#policy/gates/by-key/state.ts";
import { viewKey } from "#policy/gates/by-key/view.ts";
import { LIMIT_NEWEST_KEPT_MS, LIMIT_PLACE_KEPT_MS } from "#schema/limits/limits-by-key.ts";
import { openTrace, T } from "./key-trace.ts";

const perSecond = { calls: 1, perMs: 1_000, burst: 1 };

describe("a clock that was set back", () => {
  test("moves all instants back by the same time", () => {
    const hour = 3_600_000;
    const terms = { concurrency: 1, rate: { max: 9, perMs: 1_000 }, throttle: perSecond };
    const key = openTrace(terms);
    key.asks([hour, "a", "starts"], [hour + 1, "b", `concurrency until ${hour + 1_000}, 0 ahead`]);
    key.asks([1, "c", "concurrency until 2000, 1 ahead"]);
    expect(key.state()).toMatchObject({
      leases: { a: { begunAt: T, since: T, expiresAt: T + 60_000 } },
      line: [
        { id: "b", since: T + 1, until: T + 1_000 },
        { id: "c", since: T + 1 },
      ],
      counted: { taken: [{ at: T }, { at: T + 1 }, { at: T + 1 }] },
      seenAt: T + 1,
    });
  });

  test("moves the quiet time and the return time of runs without a place", () => {
    const key = openTrace({ debounce: { forMs: 1_000, atMostMs: null } });
    key.asks([5_000, "a", "debounce until 6000, 0 ahead"]);
    key.asks([4_000, "b", "debounce until 5000, 0 ahead"]);
    expect(key.state()).toMatchObject({ debounce: { id: "b", at: T + 4_000, firstAt: T + 4_000 }, tailAt: -1_000 });
  });
});

describe("the end of the state", () => {
  test.each([
    ["of a key that no run has used", unusedKey, 0],
    [
      "with a lease",
      { ...unusedKey, leases: { a: { begunAt: T, expiresAt: T + 5, isProbe: false, since: T } } },
      T + 5,
    ],
    ["with a place", { ...unusedKey, line: [{ id: "a", since: T, until: T + 1 }] }, T + 1 + LIMIT_PLACE_KEPT_MS],
    ["with a used turn", { ...unusedKey, throttle: { ...unusedKey.throttle, fullAt: T + 7 } }, T + 7],
    ["with a newest run", { ...unusedKey, newest: { id: "a", at: T } }, T + LIMIT_NEWEST_KEPT_MS],
    [
      "with a quiet time",
      { ...unusedKey, debounce: { id: "a", at: T, firstAt: T, until: T + 3, isOver: false } },
      T + 3 + LIMIT_NEWEST_KEPT_MS,
    ],
    [
      "with counted runs",
      {
        ...unusedKey,
        counted: {
          v: 1,
          cap: "rate",
          max: 1,
          window: { kind: "rolling", ms: 50 },
          keepMs: 50,
          taken: [{ key: "a", at: T, times: 1 }],
        },
      },
      T + 50,
    ],
  ] as const)("%s", (_name, state, at) => {
    expect(quietAt(state)).toBe(at);
  });
});

describe("the use of a key", () => {
  test("shows the runs in progress, the waiting runs and the next start", () => {
    const key = openTrace({ concurrency: 1 });
    key.asks([0, "a", "starts"], [1, "b", "concurrency until 1000, 0 ahead"]);
    expect(viewKey(key.state(), T + 2)).toEqual({
      terms: { concurrency: 1 },
      inUse: [{ run: "a", since: T, until: T + 60_000 }],
      waiting: 1,
      next: [{ run: "b", since: T + 1, until: T + 1_000 }],
      counted: null,
      debouncing: null,
      nextAt: T + 1_500,
    });
  });

  test("shows the count of a rate, and the end of a quiet time", () => {
    const counted = openTrace({ rate: { max: 1, perMs: 1_000 } });
    counted.asks([0, "a", "starts"]);
    counted.release(1, "a");
    expect(viewKey(counted.state(), T + 2)).toMatchObject({ counted: 1, inUse: [], nextAt: T + 1_000 });
    expect(viewKey(counted.state(), T + 1_000)).toMatchObject({ counted: 0, nextAt: null });
    expect(viewKey({ ...unusedKey, terms: { rate: { max: 1, perMs: 1 } } }, T)).toMatchObject({ counted: 0 });
    const quiet = openTrace({ debounce: { forMs: 1_000, atMostMs: null } });
    quiet.asks([0, "a", "debounce until 1000, 0 ahead"]);
    expect(viewKey(quiet.state(), T + 1)).toMatchObject({
      debouncing: { run: "a", until: T + 1_000 },
      nextAt: T + 1_001,
    });
    quiet.asks([1_000, "a", "starts"]);
    expect(viewKey(quiet.state(), T + 1_001)).toMatchObject({ debouncing: null });
  });
});
