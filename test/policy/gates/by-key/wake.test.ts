// Wake-ups of a limit by key: a release wakes as many waiting runs as slots are free, in the order of the line.
import { describe, expect, test } from "vitest";
import { LIMIT_WAKE_MS } from "#schema/limits/limits-by-key.ts";
import { openTrace } from "./key-trace.ts";

describe("a release", () => {
  test("wakes nobody if no run waits", () => {
    const key = openTrace({ concurrency: 1 });
    key.asks([0, "a", "starts"]);
    expect(key.release(10, "a")).toEqual([]);
  });

  test("wakes the run that first asked, which finds its slot kept", () => {
    const key = openTrace({ concurrency: 1 });
    key.asks(
      [0, "a", "starts"],
      [1, "b", "concurrency until 1000, 0 ahead"],
      [2, "c", "concurrency until 1500, 1 ahead"],
    );
    expect(key.release(100, "a")).toEqual(["b at 100"]);
    key.asks([110, "d", "concurrency until 1030, 2 ahead"], [120, "b", "starts"]);
    expect(key.release(220, "b")).toEqual(["c at 220"]);
  });

  test("wakes as many runs as slots are free, and none of them twice", () => {
    const key = openTrace({ concurrency: 2 });
    key.asks([0, "a", "starts"], [0, "b", "starts"]);
    for (const id of ["c", "d", "e"]) key.ask(1, id);
    expect(key.release(100, "a")).toEqual(["c at 100"]);
    expect(key.release(101, "b")).toEqual(["d at 101"]);
    expect(key.release(102, "b")).toEqual([]);
    key.asks([103, "c", "starts"], [104, "d", "starts"]);
  });

  test("wakes no run if its own slot was the only thing that it lacked", () => {
    const key = openTrace({ throttle: { calls: 1, perMs: 1_000, burst: 1 } });
    key.asks([0, "a", "starts"], [1, "b", "throttle until 1000, 0 ahead"]);
    expect(key.release(10, "a")).toEqual([]);
  });

  test("that frees no slot wakes nobody, because the limit has become smaller", () => {
    const key = openTrace({ concurrency: 2 });
    key.asks([0, "a", "starts"], [0, "b", "starts"]);
    const smaller = openTrace({ concurrency: 1 }, key.state());
    smaller.ask(1, "c");
    expect(smaller.release(10, "a")).toEqual([]);
    expect(smaller.release(11, "b")).toEqual(["c at 11"]);
  });

  test("brings a run that waits for a slot and a turn to its turn", () => {
    const key = openTrace({ concurrency: 1, throttle: { calls: 1, perMs: 500, burst: 1 } });
    key.asks([0, "a", "starts"], [1, "b", "concurrency until 1000, 0 ahead"]);
    expect(key.release(100, "a")).toEqual(["b at 500"]);
    key.asks([500, "b", "starts"], [501, "c", "concurrency until 1320, 0 ahead"]);
    expect(key.release(1_010, "b")).toEqual(["c at 1010"]);
  });

  test("wakes a later attempt without a turn", () => {
    const key = openTrace({ concurrency: 1, throttle: { calls: 1, perMs: 60_000, burst: 1 } });
    key.asks([0, "a", "starts"]);
    key.ask(1, "b", { isFirst: false });
    expect(key.release(100, "a")).toEqual(["b at 100"]);
  });
});

describe("a promised slot", () => {
  test("is free for others if the woken run does not return", () => {
    const key = openTrace({ concurrency: 1 });
    key.asks([0, "a", "starts"], [1, "b", "concurrency until 1000, 0 ahead"]);
    expect(key.release(100, "a")).toEqual(["b at 100"]);
    expect(key.ask(100 + LIMIT_WAKE_MS, "c")).toMatch(/^concurrency/);
    expect(key.ask(101 + LIMIT_WAKE_MS, "c")).toBe("starts");
  });

  test("passes on to the next run if the woken run no longer waits", () => {
    const key = openTrace({ concurrency: 1 });
    key.asks([0, "a", "starts"], [1, "b", "concurrency until 1000, 0 ahead"]);
    key.ask(2, "c");
    expect(key.release(100, "a")).toEqual(["b at 100"]);
    expect(key.passOn(105, "b")).toEqual(["c at 105"]);
    expect(key.passOn(110, "c")).toEqual([]);
    expect(key.state().line).toEqual([]);
    // A run that was only paused shows when it first asked.
    key.asks([120, "d", "starts"]);
    key.asks([121, "e", "concurrency until 940, 0 ahead"], [122, "b", "concurrency until 940, 0 ahead"]);
    expect(key.state().line.map(({ id }) => id)).toEqual(["b", "e"]);
  });

  test("goes to the newest run of a singleton that cancels the others", () => {
    const key = openTrace({ singleton: "cancel" });
    key.asks([0, "a", "starts"], [1, "b", "singleton until 1000, 0 ahead"]);
    key.asks([2, "c", "singleton until 1000, 0 ahead"], [3, "b", "singleton"]);
    expect(key.release(50, "a")).toEqual(["c at 50"]);
    key.asks([51, "c", "starts"]);
  });
});
