// Limits on starts in virtual runs: the run continues after the answer of its caller.
import { expect, test } from "vitest";
import { runVirtually } from "#kernel/virtual/virtual-run.ts";
import { compile } from "#kernel/programs/compile.ts";
import { openFleet, playFleet } from "#kernel/virtual/fleet.ts";
import { assumedResultFor } from "#kernel/virtual/assumed-results.ts";
import { openVirtualRun, virtualRunOf, type VirtualRunSettings } from "#kernel/virtual/virtual-run.ts";
import type { StartPlaceResult } from "#schema/key-limits/start-place.ts";
import { computeAtOnce } from "#kernel/computing/computation.ts";
import { action, ask, hour, machine, minute, T0 } from "#test/support/drive.ts";

const program = compile(
  machine({
    limit: [{ key: { var: "execution.variables.customer" }, concurrency: 1 }],
    states: { a: { on: { "action.send.ok": "b" } }, b: { type: "final" } },
    actions: [action("send", { triggerState: "a" })],
  }),
);
const start = ask.start({ customer: "ada" }) as VirtualRunSettings["start"]; // `ask.start` makes a start command
const settings = { program, start, startAt: T0, until: T0 + 24 * hour };
const key = { limit: "sample/0", key: "ada" };
const admitted: StartPlaceResult = { answer: { kind: "admitted" }, places: [] };
const heldUntil = (until: number): StartPlaceResult => ({
  answer: { kind: "held", ...key, reason: "limit_concurrency", until, ahead: 0 },
  places: [],
});
function played(more: Partial<VirtualRunSettings> = {}) {
  const run = computeAtOnce(runVirtually({ ...settings, ...more }));
  return run.ok ? run.value : expect.unreachable();
}

test("without limits of the caller, every start is admitted", () => {
  expect(played()).toMatchObject({ status: "completed", actions: [{ at: T0 }] });
});

test("a held start asks again at its instant, and continues after its admission", () => {
  const asked: number[] = [];
  const startLimits = (_state: unknown, at: number) => {
    asked.push(at - T0);
    return asked.length < 3 ? heldUntil(at + hour) : admitted;
  };
  expect(played({ startLimits })).toMatchObject({ status: "completed", actions: [{ at: T0 + 2 * hour }] });
  expect(asked).toEqual([0, hour, 2 * hour]);
});

test("a skipped start ends without an action", () => {
  const skipped = { kind: "skipped", ...key, reason: "rate_limited_by_key", nextAt: null } as const;
  const startLimits = (): StartPlaceResult => ({ answer: skipped, places: [] });
  expect(played({ startLimits })).toMatchObject({ status: "canceled", actions: [] });
});

test("a start that is held beyond the end of the preview stays waiting", () => {
  const startLimits = (): StartPlaceResult => heldUntil(T0 + 48 * hour);
  expect(played({ startLimits })).toMatchObject({ status: "waiting", cut: "until", waitsFor: [] });
});

test("the members of a fleet ask in the order of their instants", () => {
  const asked: string[] = [];
  const ended: string[] = [];
  const fleet = openFleet({
    members: [0, 1, 2].map((n) => ({
      startAt: T0 + n * minute,
      open: () => openVirtualRun({ ...settings, startAt: T0 + n * minute }),
    })),
    admit: () => null,
    place: (member, _state, at) => {
      asked.push(`${member} at ${(at - T0) / minute}`);
      return member === 0 && at < T0 + 90_000 ? heldUntil(T0 + 90_000) : admitted;
    },
    resultFor: (_member, attempt, state) => assumedResultFor({}, attempt, state),
    onEnd: (member, how) => {
      if ("play" in how) ended.push(`${member} ${virtualRunOf(how.play).status}`);
    },
  });
  computeAtOnce(playFleet(fleet));
  expect(asked).toEqual(["0 at 0", "1 at 1", "0 at 1.5", "2 at 2"]);
  expect(ended.toSorted()).toEqual(["0 completed", "1 completed", "2 completed"]);
});
