import { describe, expect, test } from "vitest";
import { acquireByKey } from "#policy/gates/by-key/admission.ts";
import { openTrace, T } from "./key-trace.ts";

const perSecond = { calls: 1, perMs: 1_000, burst: 1 };

describe("rate", () => {
  test("runs above the rate are skipped, with the instant of the next one", () => {
    const key = openTrace({ rate: { max: 2, perMs: 1_000 } });
    key.asks([0, "a", "starts"], [100, "b", "starts"], [200, "c", "rate_limited_by_key, next at 1000"]);
    key.asks([1_000, "d", "starts"]);
  });

  test("a run counts once, and is not skipped at a later attempt", () => {
    const key = openTrace({ rate: { max: 1, perMs: 1_000 } });
    key.asks([0, "a", "starts"]);
    key.release(1, "a");
    expect(key.ask(2, "a", { forgets: true })).toBe("starts");
    key.release(3, "a");
    expect(key.ask(4, "b", { isFirst: false })).toBe("starts");
  });

  test("a run that waits in the line was counted before", () => {
    const key = openTrace({ rate: { max: 2, perMs: 60_000 }, concurrency: 1 });
    key.asks([0, "a", "starts"], [1, "b", "concurrency until 1000, 0 ahead"]);
    key.asks([2, "c", "rate_limited_by_key, next at 60000"]);
    key.release(500, "a");
    key.asks([1_001, "b", "starts"]);
  });
});

describe("debounce", () => {
  test("the newest run starts after the quiet time, and the older ones are skipped", () => {
    const key = openTrace({ debounce: { forMs: 1_000, atMostMs: null } });
    key.asks(
      [0, "a", "debounce until 1000, 0 ahead"],
      [800, "b", "debounce until 1800, 0 ahead"],
      [1_000, "a", "debounced"],
      [1_700, "b", "debounce until 1800, 0 ahead"],
      [1_800, "b", "starts"],
      [1_900, "c", "debounce until 2900, 0 ahead"],
    );
  });

  test("the newest run at the longest wait starts, and the next quiet time begins", () => {
    const key = openTrace({ debounce: { forMs: 1_000, atMostMs: 1_500 } });
    key.asks(
      [0, "a", "debounce until 1000, 0 ahead"],
      [900, "b", "debounce until 1500, 0 ahead"],
      [1_500, "b", "starts"],
      [1_600, "c", "debounce until 2600, 0 ahead"],
    );
  });

  test("a run that comes after the longest wait starts at once if the earlier one has not returned", () => {
    const key = openTrace({ debounce: { forMs: 1_000, atMostMs: 1_500 } });
    key.asks([0, "a", "debounce until 1000, 0 ahead"], [1_600, "b", "starts"], [1_700, "a", "debounced"]);
  });

  test("a run whose key was deleted starts when it returns", () => {
    const key = openTrace({ debounce: { forMs: 1_000, atMostMs: null } });
    const request = {
      key: "k",
      id: "a",
      expiresAt: T + 9_000,
      isFirst: true,
      waited: { since: T, stage: "debounce" },
    } as const;
    expect(acquireByKey(null, { debounce: { forMs: 1_000, atMostMs: null } }, request, T + 1_000).answer.kind).toBe(
      "admitted",
    );
    expect(key.ask(2_000, "b")).toBe("debounce until 3000, 0 ahead");
  });

  test("the run that passes counts towards the rate", () => {
    const key = openTrace({ debounce: { forMs: 1_000, atMostMs: null }, rate: { max: 1, perMs: 60_000 } });
    key.asks(
      [0, "a", "debounce until 1000, 0 ahead"],
      [1_000, "a", "starts"],
      [2_000, "b", "debounce until 3000, 0 ahead"],
      [3_000, "b", "rate_limited_by_key, next at 61000"],
    );
  });
});

describe("singleton", () => {
  test("skip: a run is skipped while another is under way or waits", () => {
    const key = openTrace({ singleton: "skip" });
    key.asks([0, "a", "starts"], [1, "b", "singleton"]);
    key.release(2, "a");
    key.asks([3, "c", "starts"]);
    const [waiting] = [openTrace({ singleton: "skip", throttle: perSecond })];
    waiting.asks([0, "a", "starts"]);
    waiting.release(1, "a");
    waiting.asks([2, "b", "throttle until 1000, 0 ahead"], [3, "c", "singleton"]);
  });

  test("skip: a later attempt waits for the run under way", () => {
    const key = openTrace({ singleton: "skip" });
    key.asks([0, "a", "starts"]);
    expect(key.ask(1, "b", { isFirst: false })).toBe("singleton until 1000, 0 ahead");
  });

  test("cancel: the newest run waits for the attempt in progress, and the older runs are skipped", () => {
    const key = openTrace({ singleton: "cancel" });
    key.asks([0, "a", "starts"], [1, "b", "singleton until 1000, 0 ahead"], [2, "c", "singleton until 1000, 0 ahead"]);
    key.asks([1_001, "b", "singleton"]);
    key.release(1_002, "a");
    key.asks([1_003, "c", "starts"]);
    expect(key.ask(1_004, "a", { isFirst: false })).toBe("singleton");
    key.release(1_005, "c");
    expect(key.ask(1_006, "c", { isFirst: false })).toBe("starts");
  });
});
