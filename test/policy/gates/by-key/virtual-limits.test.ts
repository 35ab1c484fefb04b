// Limits by key in virtual runs: the keys are free at the start, and an ended attempt releases its slot.
import { expect, test } from "vitest";
import { openKeyLimits } from "#policy/gates/by-key/virtual-limits.ts";
import { openRunLimits } from "#policy/forecast/run-limits.ts";
import type { KeyLimitTerms } from "#schema/key-limits/calls.ts";
import { hour, T0 } from "#test/support/drive.ts";

type Asked = Parameters<ReturnType<typeof openKeyLimits>["pass"]>[1];
const asked = (at: number, terms: readonly KeyLimitTerms[], more: object = {}, attempt = 1): Asked => {
  const limits = terms.map((each, n) => ({ name: `limit-${n}`, key: "ada", terms: each }));
  return { run: { id: "1.0", limits, ...more }, attempt, at: T0 + at, timeoutMs: 1_000 } as unknown as Asked; // only these fields are read
};
const one = [{ concurrency: 1 }];
const state = {} as never; // the function does not read the state

test("a run without limits is admitted", () => {
  const limits = openKeyLimits();
  const plain = { ...asked(0, []), run: { id: "1.0" } } as unknown as Asked; // only the id is read
  expect(limits.pass(0, plain)).toBeNull();
  limits.end(0, plain, T0, true);
  expect(limits.calls()).toBe(0);
});

test("the runs of several executions share a key, in order", () => {
  const limits = openKeyLimits();
  expect(limits.pass(0, asked(0, one))).toBeNull();
  expect(limits.pass(1, asked(1, one))).toEqual({ reason: "limit_concurrency", until: T0 + 1_000, connection: null });
  expect(limits.pass(2, asked(2, one))).toMatchObject({ until: T0 + 1_500 });
  limits.end(0, asked(0, one), T0 + 500, true);
  limits.end(7, asked(0, one), T0 + 90_000, true);
  expect(limits.pass(2, asked(600, one))).toMatchObject({ reason: "limit_concurrency" });
  expect(limits.pass(1, asked(1_000, one))).toBeNull();
  expect(limits.calls()).toBe(7);
});

test("a limit that holds the run releases the limits before it, and the run keeps its turn there", () => {
  const limits = openKeyLimits();
  const both = [{ concurrency: 1, throttle: { calls: 1, perMs: 1_000, burst: 2 } }, { concurrency: 1 }];
  const onlySecond = { limits: [{ name: "limit-1", key: "ada", terms: { concurrency: 1 } }] };
  expect(limits.pass(0, asked(0, [], onlySecond))).toBeNull();
  expect(limits.pass(1, asked(0, both))).toMatchObject({ reason: "limit_concurrency" });
  expect(limits.pass(2, asked(1, both.slice(0, 1)))).toBeNull();
  limits.end(2, asked(1, both.slice(0, 1)), T0 + 5, true);
  limits.end(0, asked(0, [], onlySecond), T0 + 10, true);
  // Both turns are used, one of them by this run.
  expect(limits.pass(1, asked(20, both))).toBeNull();
});

test("a run above a rate is skipped, except at a later attempt", () => {
  const limits = openKeyLimits();
  const rate = [{ rate: { max: 1, perMs: hour } }];
  expect(limits.pass(0, asked(0, rate))).toBeNull();
  expect(limits.pass(1, asked(1, rate))).toEqual({ skipped: "rate_limited_by_key", nextAt: T0 + hour });
  expect(limits.pass(2, asked(2, rate, {}, 2))).toBeNull();
});

test("in one virtual run a cap releases the slot that a limit by key has given", () => {
  const { limits, attempted } = openRunLimits();
  const cap = { name: "gentle", max: 1, window: { kind: "rolling", ms: hour }, over: "wait" };
  const first = asked(0, one, { cap });
  expect(limits(first, state)).toBeNull();
  expect(limits(asked(1, one, { id: "1.1" }), state)).toMatchObject({ reason: "limit_concurrency" });
  attempted(first, { endedAt: T0 + 10 } as never); // only the end is read
  expect(limits(asked(1_000, one, { id: "1.1", cap }), state)).toMatchObject({ reason: "cap" });
  expect(limits(asked(1_001, one, { id: "1.2" }), state)).toBeNull();
});

test("runs return at the ends of the runs before them, and later ones after as many rounds", () => {
  const limits = openKeyLimits();
  const two = [{ concurrency: 2 }];
  const ends: readonly [member: number, endsAt: number][] = [
    [0, 900],
    [1, 400],
  ];
  for (const [member, endsAt] of ends) {
    expect(limits.pass(member, asked(0, two))).toBeNull();
    limits.end(member, asked(0, two), T0 + endsAt, true);
  }
  const untils = [2, 3, 4, 5].map((member) => limits.pass(member, asked(1, two)));
  // The shortest call takes 400 ms, so the third and the fourth run are expected one such call later.
  expect(untils).toMatchObject([400, 900, 800, 1_300].map((ms) => ({ until: T0 + ms })));
  expect(limits.pass(2, asked(400, two))).toBeNull();
});

test("a run that a singleton skips has no next start", () => {
  const limits = openKeyLimits();
  const single = [{ singleton: "skip" as const }];
  expect(limits.pass(0, asked(0, single))).toBeNull();
  expect(limits.pass(1, asked(1, single))).toEqual({ skipped: "singleton" });
});
