import { describe, expect, test } from "vitest";
import { acquireByKey } from "#policy/gates/by-key/admission.ts";
import { LIMIT_PLACE_KEPT_MS, LIMIT_WAITING_MAX } from "#schema/limits/limits-by-key.ts";
import { openTrace, T } from "./key-trace.ts";

const perSecond = { calls: 1, perMs: 1_000, burst: 1 };

describe("concurrency", () => {
  test("runs wait in the order in which they first asked", () => {
    const key = openTrace({ concurrency: 1 });
    key.asks(
      [0, "a", "starts"],
      [1, "b", "concurrency until 1000, 0 ahead"],
      [2, "c", "concurrency until 1500, 1 ahead"],
    );
    key.release(500, "a");
    // b is expected first, so that neither a new run nor c takes its slot.
    key.asks([600, "d", "concurrency until 1600, 2 ahead"], [700, "c", "concurrency until 1250, 1 ahead"]);
    key.asks([1_001, "b", "starts"]);
    key.release(1_100, "b");
    key.asks([2_050, "c", "starts"]);
  });

  test("runs of the same millisecond keep the order of their requests", () => {
    const key = openTrace({ concurrency: 1 });
    key.asks(
      [0, "a", "starts"],
      [0, "b", "concurrency until 1000, 0 ahead"],
      [0, "c", "concurrency until 1500, 1 ahead"],
      [0, "d", "concurrency until 2000, 2 ahead"],
    );
  });

  test("a run that is late for its slot does not block the runs behind it, and keeps its place", () => {
    const key = openTrace({ concurrency: 1 });
    key.asks([0, "a", "starts"], [1, "b", "concurrency until 1000, 0 ahead"]);
    key.asks([2, "c", "concurrency until 1500, 1 ahead"]);
    key.release(100, "a");
    key.asks([2_100, "c", "starts"], [2_200, "d", "concurrency until 3330, 1 ahead"]);
    key.asks([2_300, "b", "concurrency until 2920, 0 ahead"]);
  });

  test("a run that does not return loses its place, and gets it again by its first request", () => {
    const key = openTrace({ concurrency: 1 });
    key.asks([0, "a", "starts"], [1, "b", "concurrency until 1000, 0 ahead"]);
    const later = 1_002 + LIMIT_PLACE_KEPT_MS;
    key.ask(later, "c", { leaseMs: 1_000_000 });
    expect(key.state().line).toEqual([]);
    key.ask(later + 1, "d");
    key.ask(later + 2, "b");
    expect(key.state().line.map(({ id }) => id)).toEqual(["b", "d"]);
  });

  test("a lease ends at its instant if it is not released", () => {
    const key = openTrace({ concurrency: 1 });
    key.ask(0, "a", { leaseMs: 300 });
    key.asks([300, "b", "starts"]);
  });

  test("a repeated request gets the same slot", () => {
    const key = openTrace({ concurrency: 1, throttle: perSecond });
    key.asks([0, "a", "starts"], [10, "a", "starts"]);
    expect(Object.keys(key.state().leases)).toEqual(["a"]);
    expect(key.state().leases["a"]).toMatchObject({ begunAt: T, since: T, expiresAt: T + 60_010 });
  });

  test("a release without a lease changes nothing", () => {
    const key = openTrace({ concurrency: 1 });
    key.asks([0, "a", "starts"]);
    key.release(10, "b");
    expect(key.state()).toMatchObject({ tookMs: 1_000, leases: { a: {} } });
  });

  test("only a sent run changes the expected duration", () => {
    const key = openTrace({ concurrency: 2 });
    key.asks([0, "a", "starts"], [0, "b", "starts"]);
    key.release(100, "a", false);
    expect(key.state().tookMs).toBe(1_000);
    key.release(100, "b");
    expect(key.state().tookMs).toBe(820);
  });
});

describe("places", () => {
  test("above the stored places a run waits behind all others, and older runs are stored first", () => {
    const key = openTrace({ concurrency: 1 });
    key.ask(0, "a", { leaseMs: 1_000_000_000 });
    for (let n = 0; n < LIMIT_WAITING_MAX; n++) key.ask(10 + n, `run-${n}`);
    const at = 20 + LIMIT_WAITING_MAX;
    key.ask(at, "first above");
    key.ask(at + 1, "second above");
    expect(key.state().line).toHaveLength(LIMIT_WAITING_MAX);
    expect(key.state().line.some(({ id }) => id.endsWith("above"))).toBe(false);
    const request = {
      key: "k",
      id: "older",
      expiresAt: T + at,
      isFirst: true,
      waited: { since: T, stage: "line" },
    } as const;
    const { state, answer } = acquireByKey(key.state(), { concurrency: 1 }, request, T + at + 2);
    expect(answer).toMatchObject({ kind: "held", ahead: 0 });
    expect(state.line).toHaveLength(LIMIT_WAITING_MAX);
    expect(state.line[0]).toMatchObject({ id: "older" });
  });
});

describe("throttle", () => {
  test("runs get successive turns, and new runs wait behind them", () => {
    const key = openTrace({ throttle: perSecond });
    key.asks(
      [0, "a", "starts"],
      [1, "b", "throttle until 1000, 0 ahead"],
      [2, "c", "throttle until 2000, 1 ahead"],
      [1_000, "d", "throttle until 3000, 2 ahead"],
      [1_000, "b", "starts"],
      [2_000, "c", "starts"],
      [3_000, "d", "starts"],
    );
  });

  test("a burst starts at once after a quiet time", () => {
    const key = openTrace({ throttle: { ...perSecond, burst: 3 } });
    key.asks([0, "a", "starts"], [0, "b", "starts"], [0, "c", "starts"], [0, "d", "throttle until 1000, 0 ahead"]);
  });

  test("a later attempt needs no further turn", () => {
    const key = openTrace({ throttle: perSecond });
    key.asks([0, "a", "starts"]);
    key.release(10, "a");
    expect(key.ask(20, "a", { isFirst: false })).toBe("starts");
  });

  test("a run that another limit has held keeps its turn", () => {
    const key = openTrace({ throttle: perSecond, concurrency: 1 });
    key.asks([0, "a", "starts"]);
    const had = {
      key: "k",
      id: "b",
      expiresAt: T + 9_000,
      isFirst: true,
      waited: { since: T, stage: "turn" },
    } as const;
    const held = acquireByKey(key.state(), { throttle: perSecond, concurrency: 1 }, had, T + 10);
    expect(held.answer).toMatchObject({ reason: "limit_concurrency", stage: "turn", since: T });
    key.release(20, "a");
    expect(acquireByKey(key.state(), { throttle: perSecond }, had, T + 30).answer).toEqual({
      kind: "admitted",
      since: T,
    });
  });

  test("the later one of two limits decides", () => {
    const key = openTrace({ throttle: { calls: 1, perMs: 5_000, burst: 1 }, concurrency: 1 });
    key.asks([0, "a", "starts"], [1, "b", "concurrency until 5000, 0 ahead"]);
    key.release(100, "a");
    key.asks([200, "b", "throttle until 5000, 0 ahead"], [5_000, "b", "starts"]);
  });
});
