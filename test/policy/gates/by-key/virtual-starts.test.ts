// Limits on starts in previews and forecasts: members share their keys, and ask in the order of their instants.
import { expect, test } from "vitest";
import { openStartLimits } from "#policy/gates/by-key/virtual-starts.ts";
import { openRunLimits } from "#policy/forecast/run-limits.ts";
import type { StartPlaceResult } from "#schema/key-limits/start-place.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { KeyLimitTerms, LimitPlace } from "#schema/key-limits/calls.ts";

const T0 = 1_000_000_000_000;
const minute = 60_000;

function asking(terms: readonly KeyLimitTerms[], places: readonly LimitPlace[] = [], finishedAt: number | null = null) {
  const limits = terms.map((each, n) => ({ name: `l${n}`, key: "ada", terms: { ...each, of: "starts" as const } }));
  const startPlace = { limits, places, hold: null, admittedAt: null };
  return { startPlace, finishedAt } as unknown as ExecutionState; // only these fields are read
}
const kindOf = ({ answer }: StartPlaceResult) => (answer.kind === "held" ? answer.until - T0 : answer.kind);
const one = [{ concurrency: 1 }];

test("a member waits until the end of the member before it, if that end is known", () => {
  const limits = openStartLimits();
  expect(kindOf(limits.place(0, asking(one), T0))).toBe("admitted");
  limits.end(0, asking(one, [], T0 + 3_000));
  const { answer, places } = limits.place(1, asking(one), T0 + 1);
  expect(answer).toMatchObject({ kind: "held", limit: "l0", key: "ada", reason: "limit_concurrency", ahead: 0 });
  expect(kindOf({ answer, places })).toBe(3_000);
  expect(kindOf(limits.place(1, asking(one, places), T0 + 3_000))).toBe("admitted");
  expect(limits.calls()).toBe(4);
});

test("a release at the instant of the request lets the member ask a moment later", () => {
  const limits = openStartLimits();
  limits.place(0, asking(one), T0);
  expect(kindOf(limits.place(1, asking(one), T0 + 1))).toBe(5_001);
  limits.end(0, asking(one));
  expect(limits.calls()).toBe(2);
});

test("a second limit that holds a member frees its slot of the first", () => {
  const limits = openStartLimits();
  const both = [{ concurrency: 1 }, { throttle: { calls: 1, perMs: minute, burst: 1 } }];
  expect(kindOf(limits.place(0, asking(both), T0))).toBe("admitted");
  limits.end(0, asking(both, [], T0));
  const { answer, places } = limits.place(1, asking(both), T0 + 1);
  expect([kindOf({ answer, places }), places.map(({ stage }) => stage)]).toEqual([minute, ["turn", "line"]]);
  expect(kindOf(limits.place(2, asking(one), T0 + 2))).toBe("admitted");
});

test("a rate skips a member, and the newest member replaces the one under way", () => {
  const limits = openStartLimits();
  const rate = [{ rate: { max: 1, perMs: minute } }];
  limits.place(0, asking(rate), T0);
  expect(limits.place(1, asking(rate), T0).answer).toMatchObject({
    ...{ kind: "skipped", limit: "l0", key: "ada", reason: "rate_limited_by_key", nextAt: T0 + minute },
  });
  const newest = openStartLimits();
  expect(kindOf(newest.place(0, asking([{ singleton: "cancel" }]), T0))).toBe("admitted");
  expect(kindOf(newest.place(1, asking([{ singleton: "cancel" }]), T0 + 1))).toBe("admitted");
});

test("members that wait ask at the ends of the members before them, in order", () => {
  const limits = openStartLimits();
  const two = [{ concurrency: 2 }];
  for (const member of [0, 1]) limits.place(member, asking(two), T0);
  limits.end(1, asking(two, [], T0 + 2_000));
  limits.end(0, asking(two, [], T0 + 1_000));
  expect(kindOf(limits.place(2, asking(two), T0 + 1))).toBe(1_000);
  expect(kindOf(limits.place(3, asking(two), T0 + 2))).toBe(2_000);
});

test("in one virtual run the start waits for a quiet time", () => {
  const { startLimits } = openRunLimits();
  const quiet = [{ debounce: { forMs: minute, atMostMs: null } }];
  expect(kindOf(startLimits(asking(quiet), T0))).toBe(minute);
});

test("an execution without limits is admitted", () => {
  const limits = openStartLimits();
  const plain = {} as ExecutionState; // has no start place
  expect(kindOf(limits.place(0, plain, T0))).toBe("admitted");
  limits.end(0, plain);
  expect(limits.calls()).toBe(0);
});
