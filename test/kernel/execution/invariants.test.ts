// Each invariant finds what it is there for, in a state that no input leads to.
import { expect, test } from "vitest";
import { brokenInvariants, invariants } from "#kernel/execution/invariants.ts";
import { limits } from "#schema/limits.ts";
import type { Run } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { action, drive, hour, success, T0 } from "#test/support/drive.ts";

const waits = { a: { on: { go: "b" }, after: { PT1H: "b" } }, b: { on: { back: "a" } } };
const busy = drive({ states: waits, actions: [action("mail", { triggerState: "a" })] }).start();
const { program } = busy;
const queued = busy.state;
const claimed = drive({ states: waits, actions: [action("mail", { triggerState: "a" })] })
  .start()
  .claim("mail").state;
const ended = drive({ states: { a: { type: "final" } } }).start().state;
const deaf = drive({
  states: { a: { on: { "action.mail.ok": "b" } }, b: {} },
  actions: [action("mail", { triggerState: "a" })],
}).start();

const withRun = (state: ExecutionState, part: Partial<Run>): ExecutionState => ({
  ...state,
  runs: state.runs.map((run) => ({ ...run, ...part })),
});
const [run] = queued.runs;
const [timer] = queued.timers;
const copies = <T>(value: T | undefined, count: number): T[] => Array.from({ length: count }, () => value as T); // there is one

test.each<[keyof typeof invariants & string, ExecutionState]>([
  ["slots are not oversold", { ...queued, runs: copies(run, 2).map((each, n) => ({ ...each, id: `1.${n}` })) }],
  [
    "a free slot and due work do not stand side by side",
    withRun(queued, { status: "scheduled", attempt: 0, dueAt: T0 - 1 }),
  ],
  ["a run in flight has a deadline and a frozen config", withRun(claimed, { config: null })],
  ["a queued run knows when it was sent", withRun(queued, { attempt: 0 })],
  ["nothing new starts when paused", { ...queued, status: "paused" }],
  ["only an end is owed to a parent", { ...queued, owed: { parent: "exe_2", sentAt: T0, resends: 0 } }],
  ["what is final has stopped", { ...ended, finishedAt: null }],
  ["what is final has stopped", { ...ended, retainUntil: null }],
  ["what is final has stopped", { ...ended, timers: copies(timer, 1), triggers: queued.triggers }],
  [
    "what is final has stopped",
    {
      ...ended,
      buffer: [{ message: { id: "e", type: "go", payload: null, source: "", correlationId: null }, origin: "outside" }],
    },
  ],
  ["what is final has stopped", { ...ended, runs: queued.runs, triggers: queued.triggers }],
  [
    "run ids are unique",
    {
      ...queued,
      runs: [...copies(run, 1), ...copies(run, 1).map((each): Run => ({ ...each, status: "ok", finishedAt: T0 }))],
    },
  ],
  ["timer ids are unique", { ...queued, timers: copies(timer, 2) }],
  ["what refers to a trigger finds it", { ...queued, triggers: [] }],
  ["a finished run says when", withRun(queued, { finishedAt: T0 })],
  ["collections stay within their limits", { ...queued, receipts: copies(queued.receipts[0], limits.receiptsMax + 1) }],
  [
    "collections stay within their limits",
    { ...queued, olderReceipts: [{ until: T0 + hour, digests: "-".repeat(12 * (limits.olderReceiptsMax + 2)) }] },
  ],
])("%s", (name, state) => {
  expect(brokenInvariants(program, state, T0)).toEqual([name]);
});

test("a sent message without its instant is caught before anybody asks when to send again", () => {
  expect(invariants["a queued run knows when it was sent"]?.(program, withRun(queued, { sentAt: null }), T0)).toBe(
    false,
  );
});

test("a run in flight without a deadline is caught, and asking for its wake is loud", () => {
  const lost = withRun(claimed, { deadlineAt: null });
  expect(invariants["a run in flight has a deadline and a frozen config"]?.(program, lost, T0)).toBe(false);
  expect(() => brokenInvariants(program, lost, T0)).toThrow("run 1.0 is in flight and has a deadline");
});

test("too many events from outside, or unfinished runs, are caught", () => {
  const message = { id: "e", type: "go", payload: null, source: "", correlationId: null };
  const holds = (state: ExecutionState) => invariants["collections stay within their limits"]?.(program, state, T0);
  const buffer = copies({ message, origin: "outside" } as const, limits.eventsBufferedMax + 1);
  expect(holds({ ...queued, buffer })).toBe(false);
  expect(holds({ ...queued, buffer: buffer.map((each) => ({ ...each, origin: "run" })) })).toBe(true);
  expect(holds({ ...queued, runs: copies(run, limits.runsLiveMax + 1) })).toBe(false);
});

test("an execution that waits for nothing is not alive", () => {
  const nothing: ExecutionState = { ...deaf.state, runs: [], unprojectedSince: null };
  expect(brokenInvariants(deaf.program, nothing, T0)).toEqual(["liveness"]);
});

test.each<[string, Partial<ExecutionState>]>([
  ["a final status", { ...ended }],
  ["a pause", { status: "paused" }],
  ["a wake", { unprojectedSince: T0 }],
  ["a timer that waits for its variable", { timers: queued.timers.map((each) => ({ ...each, at: null })) }],
  [
    "a run that waits for its variable",
    { runs: deaf.state.runs.map((each) => ({ ...each, status: "scheduled", dueAt: null })) },
  ],
  ["a dead letter", { runs: deaf.state.runs.map((each) => ({ ...each, status: "failed", deadLetter: true })) }],
  ["an event it listens for", { position: { ...deaf.state.position, states: ["a"] } }],
])("what keeps it alive: %s", (what, part) => {
  const of = what === "an event it listens for" ? program : deaf.program;
  expect(invariants["liveness"]?.(of, { ...deaf.state, runs: [], unprojectedSince: null, ...part }, T0)).toBe(true);
});

test("none is broken by what really happens", () => {
  const t = drive({ states: waits, actions: [action("mail", { triggerState: "a" })] }).start();
  t.claim("mail").pause().settle("mail", success()).clock(hour).resume();
  expect(brokenInvariants(t.program, t.state, T0 + hour)).toEqual([]);
});
