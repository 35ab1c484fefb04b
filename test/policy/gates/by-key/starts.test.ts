// Limits by key on starts: an execution holds its slot until it ends; lost releases are found by checks.
import { expect, test } from "vitest";
import { acquireStart, releaseStart } from "#policy/gates/by-key/starts.ts";
import { quietAt, upToDate, type KeyLimitState } from "#policy/gates/by-key/state.ts";
import { viewKey } from "#policy/gates/by-key/view.ts";
import type { KeyLimitAnswer, KeyLimitRequest, KeyLimitTerms } from "#schema/key-limits/calls.ts";
import {
  LIMIT_SLOT_FOREVER,
  START_CHECK_AFTER_MS,
  START_DOUBTS_MAX,
  START_PLACE_KEPT_MS,
  START_POLL_MS,
  START_WAIT_MS,
} from "#schema/limits/limits-by-key.ts";

const T = 1_000_000_000_000;
const hour = 3_600_000;

function openTrace(written: Omit<KeyLimitTerms, "of">) {
  const terms = { ...written, of: "starts" } as const;
  let state: KeyLimitState | null = null;
  const waited = new Map<string, NonNullable<KeyLimitRequest["waited"]>>();
  return {
    ask: (at: number, id: string, live?: readonly string[]): KeyLimitAnswer => {
      const ask = { key: "k", id, expiresAt: LIMIT_SLOT_FOREVER, isFirst: true, waited: waited.get(id) ?? null };
      const result = acquireStart(state, terms, { ...ask, ...(live ? { live } : {}) }, T + at);
      state = result.state;
      if (result.answer.kind === "held") waited.set(id, result.answer);
      return result.answer;
    },
    release: (at: number, id: string): readonly string[] => {
      if (state === null) return [];
      const result = releaseStart(state, { key: "k", id, wasSent: true }, T + at);
      state = result.state;
      return result.wake.map((each) => each.id);
    },
    state: (): KeyLimitState => state ?? expect.unreachable(),
  };
}

test.each(["throttle", "rate"] as const)(
  "a limit without slots (%s) forgets the executions that it has admitted",
  (kind) => {
    const t = openTrace({ [kind]: { calls: 1, perMs: hour, burst: 1 } });
    for (let n = 0; n < 100; n++) expect(t.ask(n * 2 * hour, `exe_${n}`).kind).toBe("admitted");
    expect(Object.keys(t.state().leases)).toEqual(["exe_99"]);
    expect(t.ask(198 * hour + 1, "exe_99").kind).toBe("admitted");
  },
);

test("an execution holds its slot until its release, however long it lives", () => {
  const t = openTrace({ concurrency: 2 });
  expect([t.ask(0, "a").kind, t.ask(1, "b").kind]).toEqual(["admitted", "admitted"]);
  expect(t.ask(2, "c")).toMatchObject({ kind: "held", reason: "limit_concurrency", ahead: 0 });
  expect(t.ask(400 * 24 * hour, "c")).toMatchObject({ kind: "held" });
  expect(quietAt(t.state())).toBe(LIMIT_SLOT_FOREVER);
  expect(t.release(400 * 24 * hour + 1, "a")).toEqual(["c"]);
  expect(t.ask(400 * 24 * hour + 2, "c").kind).toBe("admitted");
});

test("the same execution takes one slot, and a repeated release frees one", () => {
  const t = openTrace({ concurrency: 2 });
  for (const at of [0, 1, 2]) expect(t.ask(at, "a").kind).toBe("admitted");
  expect(Object.keys(t.state().leases)).toEqual(["a"]);
  t.ask(3, "b");
  for (const at of [4, 5]) t.release(at, "a");
  expect(Object.keys(t.state().leases)).toEqual(["b"]);
});

test("a release wakes as many executions as slots are free, in order, and forgets the place of the released one", () => {
  const t = openTrace({ concurrency: 1 });
  for (const [at, id] of ["a", "b", "c", "d"].entries()) t.ask(at, id);
  expect(t.release(10, "b")).toEqual([]);
  expect(t.release(11, "a")).toEqual(["c"]);
  expect(t.ask(12, "e").kind).toBe("held");
  expect(t.ask(13, "c").kind).toBe("admitted");
});

test("a waiting execution asks at the earliest after some seconds, and at the latest after an hour", () => {
  const t = openTrace({ concurrency: 1 });
  t.ask(0, "a");
  expect(t.ask(1, "b")).toMatchObject({ until: T + 1 + START_WAIT_MS.least });
  const later = 30 * 24 * hour;
  expect(t.ask(later, "b")).toMatchObject({ until: T + later + START_POLL_MS });
  for (let n = 0; n < 10; n++) t.ask(later + n, `c${n}`);
  expect(t.ask(later + 20, "d")).toMatchObject({ until: T + later + 20 + START_WAIT_MS.most });
  expect(t.state().line.at(-1)).toMatchObject({ id: "d", until: T + later + 20 + START_WAIT_MS.most });
});

test("an execution that is late by less than a minute is not overtaken, and keeps its place for ten minutes", () => {
  const t = openTrace({ concurrency: 1 });
  t.ask(0, "a");
  t.ask(1, "b");
  t.release(2, "a");
  expect(t.ask(20_000, "c").kind).toBe("held");
  expect(t.ask(50_000, "b").kind).toBe("admitted");
  const waits = Number(t.state().line[0]?.until);
  expect(upToDate(t.state(), waits + START_PLACE_KEPT_MS - 1).line).toHaveLength(1);
  expect(upToDate(t.state(), waits + START_PLACE_KEPT_MS).line).toHaveLength(0);
});

test("slots that are held for long are in doubt, and a check postpones the next one", () => {
  const t = openTrace({ concurrency: START_DOUBTS_MAX + 2 });
  for (let n = 0; n < START_DOUBTS_MAX + 2; n++) t.ask(n, `a${n}`);
  expect(t.ask(100, "b")).not.toHaveProperty("doubts");
  const at = START_CHECK_AFTER_MS + 200;
  expect(t.ask(at, "b")).toMatchObject({ doubts: ["a0", "a1", "a2", "a3", "a4"] });
  const live = ["a0", "a1", "a2", "a3", "gone"];
  expect(t.ask(at, "b", live)).toMatchObject({ kind: "held", doubts: ["a4", "a5", "a6"] });
  expect(t.release(at, "a4")).toEqual(["b"]);
  expect(t.ask(at, "b").kind).toBe("admitted");
  expect(viewKey(t.state(), T + at).inUse[0]).toEqual({ run: "a0", since: T, until: T + at + START_CHECK_AFTER_MS });
});

test("singleton: skip names the execution in doubt, and admits the start if that one has ended", () => {
  const t = openTrace({ singleton: "skip" });
  t.ask(0, "a");
  expect(t.ask(1, "b")).toEqual({ kind: "skipped", reason: "singleton", nextAt: null });
  const at = START_CHECK_AFTER_MS;
  expect(t.ask(at, "b")).toMatchObject({ kind: "skipped", doubts: ["a"] });
  t.release(at, "a");
  expect(t.ask(at, "b").kind).toBe("admitted");
});

test("singleton: cancel names the executions that the newest one replaces", () => {
  const t = openTrace({ singleton: "cancel" });
  t.ask(0, "a");
  expect(t.ask(1, "b")).toMatchObject({ kind: "held", reason: "limit_singleton", replaces: ["a"] });
  expect(t.ask(2, "c")).toMatchObject({ kind: "held", replaces: ["a", "b"] });
  expect(t.ask(3, "b")).toMatchObject({ kind: "skipped", reason: "singleton" });
  expect(t.release(4, "a")).toEqual(["c"]);
  expect(t.ask(5, "c").kind).toBe("admitted");
});

test("a start replaces the execution under way after its quiet time, not before", () => {
  const t = openTrace({ singleton: "cancel", debounce: { forMs: 1_000, atMostMs: null } });
  t.ask(0, "a");
  expect(t.ask(1_000, "a").kind).toBe("admitted");
  expect(t.ask(1_500, "b")).not.toHaveProperty("replaces");
  expect(t.ask(2_500, "b")).toMatchObject({ kind: "held", reason: "limit_singleton", replaces: ["a"] });
  const paced = openTrace({ singleton: "cancel", throttle: { calls: 1, perMs: 60_000, burst: 1 } });
  paced.ask(0, "a");
  expect(paced.ask(1, "b")).toMatchObject({ kind: "held", replaces: ["a"] });
  paced.release(2, "a");
  expect(paced.ask(3, "b")).toMatchObject({ kind: "held", reason: "limit_throttle" });
});

test("the exact instants of a throttle and a debounce stay, and a rate skips", () => {
  const throttled = openTrace({ throttle: { calls: 1, perMs: 1_000, burst: 1 } });
  expect(throttled.ask(0, "a").kind).toBe("admitted");
  expect(throttled.ask(0, "b")).toMatchObject({ reason: "limit_throttle", until: T + 1_000 });
  const debounced = openTrace({ debounce: { forMs: 1_000, atMostMs: null } });
  expect(debounced.ask(0, "a")).toMatchObject({ reason: "limit_debounce", until: T + 1_000 });
  const rated = openTrace({ rate: { max: 1, perMs: hour } });
  expect([rated.ask(0, "a").kind, rated.ask(1, "b")]).toMatchObject([
    "admitted",
    { kind: "skipped", reason: "rate_limited_by_key", nextAt: T + hour },
  ]);
});
