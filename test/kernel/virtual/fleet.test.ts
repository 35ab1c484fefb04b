// Many virtual runs on one clock: the order of their attempts, and runs that cannot start.
import { expect, test } from "vitest";
import { computeAtOnce } from "#kernel/computing/computation.ts";
import { compile } from "#kernel/programs/compile.ts";
import { assumedResultFor } from "#kernel/virtual/assumed-results.ts";
import { openFleet, playFleet, type FleetInput, type MemberResult } from "#kernel/virtual/fleet.ts";
import { openTurnQueue } from "#kernel/virtual/turn-queue.ts";
import { openVirtualRun, virtualRunOf } from "#kernel/virtual/virtual-run.ts";
import { definition } from "#schema/definition/definition.ts";
import { action, machine, T0 } from "#test/support/drive.ts";
import { askOf } from "./played.ts";

const SECOND = 1_000;
const body = machine({
  states: {
    first: { on: { "action.ask.ok": "second", "action.ask.skipped": "done" } },
    second: { on: { "action.tell.ok": "done" } },
    done: { type: "final" },
  },
  actions: [action("ask", { triggerState: "first" }), action("tell", { triggerState: "second", delay: 5 * SECOND })],
});

function play(startsAt: readonly number[], more: Partial<FleetInput> = {}) {
  const program = compile(definition.parse(body));
  const told: string[] = [];
  const ended: (MemberResult | undefined)[] = [];
  const crowd = openFleet({
    members: startsAt.map((at) => ({
      startAt: T0 + at,
      open: () => openVirtualRun({ ...askOf(body, { program }), startAt: T0 + at }),
    })),
    admit: (member, { run, at }) => (told.push(`${member} ${run.action} ${(at - T0) / SECOND}`), null),
    place: () => ({ answer: { kind: "admitted" }, places: [] }),
    resultFor: (_member, asked, state) => assumedResultFor({}, asked, state),
    onEnd: (member, how) => {
      ended[member] = how;
    },
    ...more,
  });
  computeAtOnce(playFleet(crowd));
  return { told, ended };
}

function statusOf(ended: MemberResult | undefined): string {
  if (ended === undefined) return "nothing";
  return "play" in ended ? virtualRunOf(ended.play).status : ended.refusal.code;
}

test("attempts are served in order of time, across all runs, and at one instant in the order of arrival", () => {
  const { told, ended } = play([3 * SECOND, 0, 0]);
  expect(told).toEqual(["1 ask 0", "2 ask 0", "0 ask 3", "1 tell 5", "2 tell 5", "0 tell 8"]);
  expect(ended.map(statusOf)).toEqual(["completed", "completed", "completed"]);
});

test("who waits in its place is asked again, and who is held or skipped goes on without an attempt", () => {
  const asked: string[] = [];
  const { ended } = play([0, 0, 0], {
    admit: (member, { run, at }) => {
      asked.push(`${member} ${run.action} ${(at - T0) / SECOND}`);
      if (run.action === "tell") return null;
      if (member === 0 && at === T0) return { waitsUntil: T0 + SECOND };
      if (member === 1 && run.held == null)
        return { reason: "rate_limited", until: T0 + 2 * SECOND, connection: "crm" };
      return member === 2 ? { skipped: "capped" } : null;
    },
  });
  expect(asked).toEqual(["0 ask 0", "1 ask 0", "2 ask 0", "0 ask 1", "1 ask 2", "0 tell 6", "1 tell 7"]);
  expect(ended.map(statusOf)).toEqual(["completed", "completed", "completed"]);
});

test("a run that cannot start gives the reason, and delays no other run", () => {
  const program = compile(definition.parse(body));
  const refusal = { code: "invalid_input", message: "no" } as const;
  const open = (refuses: boolean) =>
    function* (): ReturnType<typeof openVirtualRun> {
      return refuses ? { ok: false, refusal } : yield* openVirtualRun(askOf(body, { program }));
    };
  const { ended } = play([], {
    members: [
      { startAt: T0, open: open(true) },
      { startAt: T0, open: open(false) },
    ],
  });
  expect(ended.map(statusOf)).toEqual(["invalid_input", "completed"]);
});

test("turns come by their instants, and those of one instant as they were put in", () => {
  const turns = openTurnQueue<string>();
  const ats = [5, 3, 9, 3, 1, 7, 5, 2, 8, 3];
  ats.forEach((at, n) => turns.put(at, `${at}/${n}`));
  const taken = ats.map(() => turns.takeFirst());
  const wanted = ats.map((at, n) => [at, n] as const).toSorted(([a, n], [b, m]) => a - b || n - m);
  expect(taken).toEqual(wanted.map(([at, n]) => `${at}/${n}`));
  expect(turns.takeFirst()).toBeNull();
});
