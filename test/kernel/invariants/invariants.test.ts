// Each invariant detects its violation: a sound step, and the same step with one change.
import { describe, expect, test } from "vitest";
import { brokenInvariants, invariants, type ObservedStep } from "#kernel/invariants/invariants.ts";
import { OLDER_RECEIPTS_MAX, RECEIPTS_MAX } from "#schema/limits/executions.ts";
import type { OutboxKind } from "#schema/engine/outbox.ts";
import type { Run } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Reconciling } from "#schema/engine/reconciling.ts";
import { action, ask, drive, hour, T0, type Drive } from "#test/support/drive.ts";
import { told } from "../programs/reconciler/drive-reconciler.ts";
import { asWaiting, observed, spoiledRun, watching } from "./watching.ts";

const mail = action("mail", { triggerState: "a", retryPolicy: { maxAttempts: 2 } });
const states = { a: { on: { go: "b" }, after: { PT1H: "b" } }, b: { on: { back: "a", later: "a" } } };
const begun = (more: Partial<typeof mail> = {}) => drive({ states, actions: [{ ...mail, ...more }] }).start();

/** An observed step, which breaks no invariant. */
function judged(t: Drive, command = ask.event("go")): ObservedStep {
  const before = t.state;
  t.take(command);
  const input = t.inputs.at(-1);
  if (!input) throw new Error("it has taken one");
  return { program: t.program, before, input, state: t.state, effects: t.effects, entries: [] };
}

/** The step as if it had changed something. */
const queued = judged(begun(), ask.patch({ n: 1 }));
const claimed = judged(begun(), ask.claim("1.0", 1));
const backoff = judged(begun().claim("mail"), ask.settle("1.0", 1, { ...failureOf(), retryAfterMs: 5_000 }));
const dead = judged(
  begun().claim("mail"),
  ask.settle("1.0", 1, { ...failureOf(), error: { type: "x", message: "no", retryable: false } }),
);
const paused = judged(begun(), ask.pause());
const stopped = judged(begun({ onExhausted: "pause" }).miss("mail", { retryable: false }), ask.patch({ n: 1 }));
const ended = judged(begun(), ask.cancel());
const waiting = judged(drive({ states }).start(), ask.patch({ n: 1 }));
const deaf = judged(
  drive({ states: { a: { on: { "action.mail.ok": "b" } }, b: {} }, actions: [mail] }).start(),
  ask.patch({ n: 1 }),
);

function failureOf() {
  const error = { type: "service_unavailable", message: "503", retryable: true };
  return { ok: false as const, error, startedAt: T0, endedAt: T0 };
}

const unbegun = { limits: [], places: [], hold: null, admittedAt: null, deferred: {} };

type Spoil = (judged: ObservedStep) => ObservedStep;
const state =
  (part: Partial<ExecutionState>): Spoil =>
  (sound) => ({ ...sound, state: { ...sound.state, ...part } });
const run =
  (part: Partial<Run>): Spoil =>
  (sound) =>
    state({ runs: sound.state.runs.map((each) => ({ ...each, ...part })) })(sound);
const past =
  (part: Partial<ExecutionState>): Spoil =>
  (sound) => ({ ...sound, before: { ...(sound.before ?? sound.state), ...part } });
const times = <T>(list: readonly T[], count: number): T[] => Array.from({ length: count }, () => list[0] as T); // the list has one item
const message = (type: string) => ({ id: "e", type, payload: null, source: "", correlationId: null });
const asked = { run: "9.0", action: "ask", boundTo: null, id: null };
const ownChild = { run: "9.0", action: "begin", onCancel: "wait" as const, execution: "exe_2", startBy: T0 };
const stopping = { at: T0, reason: "execution_canceled" };
const children = (child: object) => [{ ...ownChild, ...child }];
const outbox = (kind: OutboxKind, key: string, tries = 1) => [{ kind, key, sentAt: T0, tries }];
const spoils =
  (name: string, sound: ObservedStep) =>
  (spoil: Spoil): [string, ObservedStep, Spoil] => [name, sound, spoil];
const unregistered = state({ correlation: { key: "o-1", since: 7, registered: [] } });
const [timer] = queued.state.timers;

const correlated = judged(
  drive({ states, correlation: { key: { var: "execution.variables.order" } } }).start({ order: "o-1" }),
  ask.patch({ order: "o-2" }),
);

const looking = judged(watching(), ask.claim("1.0", 1));
const informed = judged(watching(), told.observe({ n: 1 }));
const acting = judged(watching(), ask.runNow({ action: "call" }));
const keeps =
  (part: Partial<Reconciling>): Spoil =>
  (at) =>
    state({ ...(at.state.reconciling ? { reconciling: { ...at.state.reconciling, ...part } } : {}) })(at);

const spoiled: readonly (readonly [name: string, sound: ObservedStep, spoil: Spoil])[] = [
  [
    "liveness",
    deaf,
    (at) => state({ runs: [], triggers: [], unprojectedSince: null })({ ...at, effects: [{ kind: "project" }] }),
  ],
  [
    "a reconciler has at most one action in progress",
    acting,
    (at) => state({ runs: [...at.state.runs, ...at.state.runs.map(asWaiting)] })(at),
  ],
  ["a reconciler's action status agrees with its runs", acting, state({ lastAction: null })],
  ["a reconciler's next tick is in the future", informed, keeps({ tickAt: T0 })],
  [
    "a running collector has a deadline and a config",
    looking,
    (at) => keeps({ collecting: spoiledRun(at, { config: null }) })(at),
  ],
  [
    "an ended reconciler has no running collector",
    judged(watching(), ask.cancel()),
    keeps({ collecting: { run: null, dueAt: T0, failures: 0, error: null } }),
  ],
  ["a reconciler's revisions never decrease", informed, keeps({ desired: { value: {}, revision: 0, at: T0 } })],
  ["a reconciler's revisions never decrease", judged(observed(), ask.patch({ n: 1 })), keeps({ observed: null })],
  ["a reconciler's revisions never decrease", acting, state({ reconciling: undefined } as never)],
  ["each waiting run or timer has an instant or lacks a variable", backoff, run({ status: "scheduled", dueAt: null })],
  [
    "each waiting run or timer has an instant or lacks a variable",
    waiting,
    (at) => state({ timers: at.state.timers.map((each) => ({ ...each, at: null })) })(at),
  ],
  [
    "a run that an operator holds has no due instant, and nothing else holds the run",
    backoff,
    run({ status: "scheduled", heldByHand: { since: T0, dueAt: null, actor: { kind: "key", id: "k" }, reason: null } }),
  ],
  [
    "the execution has no more runs in progress than slots",
    queued,
    (at) => state({ runs: times(at.state.runs, 2).map((each, n) => ({ ...each, id: `1.${n}` })) })(at),
  ],
  ["no due run is waiting while a slot is free", queued, run({ status: "scheduled", attempt: 0, dueAt: T0 })],
  ["a run in flight has a deadline, a frozen config and a current attempt", claimed, run({ config: null })],
  ["a run in flight has a deadline, a frozen config and a current attempt", claimed, run({ attempts: [] })],
  ["each handled run is a failed run", dead, run({ handledAt: T0 })],
  ["each handled run is a failed run", claimed, run({ heard: { event: "action.mail.failed", state: "b", at: T0 } })],
  ["a queued run has the instant at which it was sent", queued, run({ attempt: 0 })],
  ["a run in backoff has the instant of its next attempt", backoff, run({ dueAt: null })],
  ["no run makes more attempts than its retry policy allows", queued, run({ attempt: 3 })],
  [
    "the attempt numbers of a run increase",
    backoff,
    (at) => run({ attempts: times(at.state.runs[0]?.attempts ?? [], 2) })(at),
  ],
  [
    "the attempt numbers of a run increase",
    backoff,
    (at) => run({ attempts: times(at.state.runs[0]?.attempts ?? [], 1).map((each) => ({ ...each, attempt: 5 })) })(at),
  ],
  ["a paused execution has no queued runs", paused, run({ status: "queued", sentAt: T0, attempt: 1 })],
  ["an execution has a pause instant while it is paused, and only then", paused, state({ pausedAt: null })],
  ["an execution has a pause instant while it is paused, and only then", queued, state({ pausedAt: T0 })],
  ["a failed execution has an error", ended, state({ status: "failed" })],
  ["an ended execution has no pending work", ended, state({ finishedAt: null })],
  ["an ended execution has no pending work", ended, state({ retainUntil: null })],
  [
    "an ended execution has no pending work",
    ended,
    state({ timers: times([timer], 1).flatMap((each) => each ?? []), triggers: queued.state.triggers }),
  ],
  ["an ended execution has no pending work", ended, state({ buffer: [{ message: message("go"), origin: "outside" }] })],
  [
    "an ended execution has no pending work",
    ended,
    state({ runs: queued.state.runs, triggers: queued.state.triggers }),
  ],
  ["an ended execution has no pending work", queued, state({ retainUntil: T0 + hour })],
  [
    "each timer belongs to an active state",
    queued,
    (at) => state({ timers: at.state.timers.map((each) => ({ ...each, state: "b" })) })(at),
  ],
  ["each buffered event has to wait", queued, state({ buffer: [{ message: message("go"), origin: "outside" }] })],
  ["before its first move, an execution has no position, runs and timers", queued, state({ startPlace: unbegun })],
  ["only an ended execution notifies its parent or subject", queued, state({ outbox: outbox("child_ended", "exe_2") })],
  ["only an ended execution notifies its parent or subject", queued, state({ outbox: outbox("subject_ended", "c-1") })],
  ["the ids of an execution's runs are unique", dead, (at) => state({ runs: times(at.state.runs, 2) })(at)],
  ["the ids of an execution's timers are unique", queued, (at) => state({ timers: times(at.state.timers, 2) })(at)],
  ["each stored trigger is used by a run or timer, and no used trigger is missing", queued, state({ triggers: [] })],
  [
    "each stored trigger is used by a run or timer, and no used trigger is missing",
    queued,
    (at) =>
      state({ triggers: [...at.state.triggers, { seq: 9, message: null, previousState: null, currentState: "a" }] })(
        at,
      ),
  ],
  ["a run has an end instant if it has ended, and only then", queued, run({ finishedAt: T0 })],
  ["each dead letter is a failed run with an error", dead, run({ error: null })],
  ["only a run in flight can be abandoned, and it leaves no dead letter", backoff, run({ unwanted: true })],
  ["only a run in flight can be abandoned, and it leaves no dead letter", dead, run({ unwanted: true })],
  [
    "buffered events, receipts and unfinished runs stay within their limits",
    queued,
    (at) => state({ receipts: times(at.state.receipts, RECEIPTS_MAX + 1) })(at),
  ],
  [
    "buffered events, receipts and unfinished runs stay within their limits",
    queued,
    state({ olderReceipts: [{ until: T0 + hour, digests: "-".repeat(12 * (OLDER_RECEIPTS_MAX + 2)) }] }),
  ],
  ["the id, tenant, creation time and placement of an execution never change", queued, state({ tenant: "other" })],
  ["each change of the state increases seq by one and sets updatedAt", queued, state({ seq: 9 })],
  ["each change of the state increases seq by one and sets updatedAt", queued, state({ updatedAt: T0 - 1 })],
  ["an ended execution keeps its final status", ended, past({ status: "completed" })],
  [
    "an ended run keeps its status, unless a late success makes it ok",
    ended,
    (at) => past({ runs: (at.before?.runs ?? []).map((each) => ({ ...each, status: "ok" as const })) })(at),
  ],
  [
    "after its end an execution gets no new dead letters, except from retried runs",
    dead,
    (at) =>
      past({ status: "completed" })(
        state({ status: "completed", finishedAt: T0, retainUntil: T0, timers: [], buffer: [] })(at),
      ),
  ],
  ["an execution that stays paused keeps its error", stopped, state({ error: null })],
  [
    "after a step no timer is overdue",
    waiting,
    (at) => state({ timers: at.state.timers.map((each) => ({ ...each, at: T0 - 1 })) })(at),
  ],
  [
    "each dispatched attempt is the current attempt of a stored run",
    queued,
    (at) => ({
      ...at,
      effects: [...at.effects, { kind: "dispatch", run: "1.0", attempt: 2, priority: 0, lane: "queue" }],
    }),
  ],
  [
    "each change of the state is projected to the catalog immediately or later",
    waiting,
    (at) => ({ ...at, effects: [] }),
  ],
  ...[
    state({ tasks: [{ ...asked, withdrawn: { at: T0, reason: "state_left", looks: 0 } }] }),
    state({ children: children({ stopping }) }),
    state({ outbox: outbox("task_update", "remind/1.0/1") }),
    state({ outbox: [...outbox("child_ended", "exe_2"), ...outbox("child_ended", "exe_2")] }),
  ].map(spoils("the outbox contains each message to tasks and children exactly once", ended)),
  ["each message in the outbox was sent at least once", ended, state({ outbox: outbox("child_ended", "exe_2", 0) })],
  ["an ended execution has only children to cancel", ended, state({ status: "completed", children: children({}) })],
  [
    "an execution that is ending waits for at least one child",
    queued,
    state({ ending: { as: "canceled", at: T0, reason: null, actor: { kind: "engine", id: "engine" } } }),
  ],
  [
    "an execution that is ending waits for at least one child",
    queued,
    state({
      status: "active",
      children: children({}),
      outbox: outbox("child_request", "look/9.0"),
      ending: { as: "canceled", at: T0, reason: null, actor: { kind: "engine", id: "engine" } },
    }),
  ],
  ...[unregistered, state({ correlation: { key: null, since: 7, registered: ["o-1"] } })].map(
    (spoil): (typeof spoiled)[number] => [
      "the current correlation key is registered, or its message is in the outbox",
      correlated,
      spoil,
    ],
  ),
  [
    "ended executions have no correlation key",
    ended,
    state({ correlation: { key: "o-1", since: 1, registered: ["o-1"] } }),
  ],
  ["an ended execution has no open tasks", ended, state({ tasks: [asked] })],
  [
    "the history of an execution is deleted only after its end, its retention and its last message",
    ended,
    (at) => ({ ...at, effects: [...at.effects, { kind: "purge" }] }),
  ],
];

describe("each invariant sees the corruption it is there for", () => {
  test.each(spoiled)("%s", (name, sound, spoil) => {
    expect(brokenInvariants(sound)).toEqual([]);
    expect(brokenInvariants(spoil(sound))).toEqual([name]);
  });

  test("a step that changed nothing was sound at its own time", () => {
    const later = { ...queued, before: queued.state, input: { ...queued.input, now: T0 + hour }, effects: [] };
    expect(brokenInvariants(later)).toEqual([]);
  });

  test("all of them have one", () => {
    expect(new Set(spoiled.map(([name]) => name))).toEqual(new Set(Object.keys(invariants)));
  });
});

test("an answer given again has nothing to work off", () => {
  const due = state({ timers: queued.state.timers.map((each) => ({ ...each, at: T0 - 1 })) })(queued);
  const again = (input: ObservedStep["input"]): boolean =>
    brokenInvariants({ ...due, before: due.state, input }).includes("after a step no timer is overdue");
  expect([again(queued.input), again({ kind: "tick", now: T0, room: 0 })]).toEqual([false, true]);
});
