// Each invariant finds what it is there for: a step that is sound, and the same with one thing spoiled.
import { describe, expect, test } from "vitest";
import { brokenInvariants, invariants, type ObservedStep } from "#kernel/invariants/invariants.ts";
import { OLDER_RECEIPTS_MAX, RECEIPTS_MAX } from "#schema/limits/idempotency-keys.ts";
import type { OutboxKind } from "#schema/engine/outbox.ts";
import type { Run } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Reconciling } from "#schema/engine/reconciling.ts";
import { action, ask, drive, hour, T0, type Drive } from "#test/support/drive.ts";
import { told } from "../programs/reconciler/go.ts";
import { asWaiting, observed, spoiledRun, watching } from "./watching.ts";

const mail = action("mail", { triggerState: "a", retryPolicy: { maxAttempts: 2 } });
const states = { a: { on: { go: "b" }, after: { PT1H: "b" } }, b: { on: { back: "a", later: "a" } } };
const begun = (more: Partial<typeof mail> = {}) => drive({ states, actions: [{ ...mail, ...more }] }).start();

/** A step as it was made: nothing about it is broken. */
function judged(t: Drive, command = ask.event("go")): ObservedStep {
  const before = t.state;
  t.take(command);
  const input = t.inputs.at(-1);
  if (!input) throw new Error("it has taken one");
  return { program: t.program, before, input, state: t.state, effects: t.effects, entries: [] };
}

/** As the step's answer would have it, had it changed something. */
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
const times = <T>(list: readonly T[], count: number): T[] => Array.from({ length: count }, () => list[0] as T); // it has one
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
    "a reconciler has one action under way at most",
    acting,
    (at) => state({ runs: [...at.state.runs, ...at.state.runs.map(asWaiting)] })(at),
  ],
  ["a reconciler knows what its last action came to", acting, state({ lastAction: null })],
  ["the next look of a reconciler lies ahead", informed, keeps({ tickAt: T0 })],
  [
    "who observes has a deadline, and goes by what was frozen",
    looking,
    (at) => keeps({ collecting: spoiledRun(at, { config: null }) })(at),
  ],
  [
    "nobody observes for what has ended",
    judged(watching(), ask.cancel()),
    keeps({ collecting: { run: null, dueAt: T0, failures: 0, error: null } }),
  ],
  ["what a reconciler is told gets no older", informed, keeps({ desired: { value: {}, revision: 0, at: T0 } })],
  ["what a reconciler is told gets no older", judged(observed(), ask.patch({ n: 1 })), keeps({ observed: null })],
  ["what a reconciler is told gets no older", acting, state({ reconciling: undefined } as never)],
  ["what waits knows until when, or for which variable", backoff, run({ status: "scheduled", dueAt: null })],
  [
    "what waits knows until when, or for which variable",
    waiting,
    (at) => state({ timers: at.state.timers.map((each) => ({ ...each, at: null })) })(at),
  ],
  [
    "what a person holds waits for nothing else",
    backoff,
    run({ status: "scheduled", heldByHand: { since: T0, dueAt: null, actor: { kind: "key", id: "k" }, reason: null } }),
  ],
  [
    "slots are not oversold",
    queued,
    (at) => state({ runs: times(at.state.runs, 2).map((each, n) => ({ ...each, id: `1.${n}` })) })(at),
  ],
  ["a free slot and due work do not stand side by side", queued, run({ status: "scheduled", attempt: 0, dueAt: T0 })],
  ["a run in flight has a deadline, a frozen config and an attempt under way", claimed, run({ config: null })],
  ["a run in flight has a deadline, a frozen config and an attempt under way", claimed, run({ attempts: [] })],
  ["only a failure that its machine heard is handled", dead, run({ handledAt: T0 })],
  [
    "only a failure that its machine heard is handled",
    claimed,
    run({ heard: { event: "action.mail.failed", state: "b", at: T0 } }),
  ],
  ["a queued run knows when it was sent", queued, run({ attempt: 0 })],
  ["a run in backoff knows when it is tried again", backoff, run({ dueAt: null })],
  ["nobody tries more often than the policy says", queued, run({ attempt: 3 })],
  ["attempts are numbered upwards", backoff, (at) => run({ attempts: times(at.state.runs[0]?.attempts ?? [], 2) })(at)],
  [
    "attempts are numbered upwards",
    backoff,
    (at) => run({ attempts: times(at.state.runs[0]?.attempts ?? [], 1).map((each) => ({ ...each, attempt: 5 })) })(at),
  ],
  ["nothing new starts when paused", paused, run({ status: "queued", sentAt: T0, attempt: 1 })],
  ["a pause says since when", paused, state({ pausedAt: null })],
  ["a pause says since when", queued, state({ pausedAt: T0 })],
  ["a failure says why", ended, state({ status: "failed" })],
  ["what is final has stopped", ended, state({ finishedAt: null })],
  ["what is final has stopped", ended, state({ retainUntil: null })],
  [
    "what is final has stopped",
    ended,
    state({ timers: times([timer], 1).flatMap((each) => each ?? []), triggers: queued.state.triggers }),
  ],
  ["what is final has stopped", ended, state({ buffer: [{ message: message("go"), origin: "outside" }] })],
  ["what is final has stopped", ended, state({ runs: queued.state.runs, triggers: queued.state.triggers })],
  ["what is final has stopped", queued, state({ retainUntil: T0 + hour })],
  [
    "timers belong to states it is in",
    queued,
    (at) => state({ timers: at.state.timers.map((each) => ({ ...each, state: "b" })) })(at),
  ],
  [
    "events that wait came early, or during a pause",
    queued,
    state({ buffer: [{ message: message("go"), origin: "outside" }] }),
  ],
  [
    "parents and subjects are notified of nothing but an end",
    queued,
    state({ outbox: outbox("child_ended", "exe_2") }),
  ],
  [
    "parents and subjects are notified of nothing but an end",
    queued,
    state({ outbox: outbox("subject_ended", "c-1") }),
  ],
  ["run ids are unique", dead, (at) => state({ runs: times(at.state.runs, 2) })(at)],
  ["timer ids are unique", queued, (at) => state({ timers: times(at.state.timers, 2) })(at)],
  ["triggers are kept for what refers to them, and for nothing else", queued, state({ triggers: [] })],
  [
    "triggers are kept for what refers to them, and for nothing else",
    queued,
    (at) =>
      state({ triggers: [...at.state.triggers, { seq: 9, message: null, previousState: null, currentState: "a" }] })(
        at,
      ),
  ],
  ["a finished run says when", queued, run({ finishedAt: T0 })],
  ["a dead letter has failed, and says why", dead, run({ error: null })],
  ["only what is in flight is unwanted, and waits for nobody", backoff, run({ unwanted: true })],
  ["only what is in flight is unwanted, and waits for nobody", dead, run({ unwanted: true })],
  [
    "collections stay within their limits",
    queued,
    (at) => state({ receipts: times(at.state.receipts, RECEIPTS_MAX + 1) })(at),
  ],
  [
    "collections stay within their limits",
    queued,
    state({ olderReceipts: [{ until: T0 + hour, digests: "-".repeat(12 * (OLDER_RECEIPTS_MAX + 2)) }] }),
  ],
  ["who it is never changes", queued, state({ tenant: "other" })],
  ["a change counts one up, and says when", queued, state({ seq: 9 })],
  ["a change counts one up, and says when", queued, state({ updatedAt: T0 - 1 })],
  ["what is final stays final", ended, past({ status: "completed" })],
  [
    "a finished run stays as it ended, or turns out to have succeeded",
    ended,
    (at) => past({ runs: (at.before?.runs ?? []).map((each) => ({ ...each, status: "ok" as const })) })(at),
  ],
  [
    "what has ended leaves no new dead letter but of what was sent again",
    dead,
    (at) =>
      past({ status: "completed" })(
        state({ status: "completed", finishedAt: T0, retainUntil: T0, timers: [], buffer: [] })(at),
      ),
  ],
  ["what stays paused keeps its error", stopped, state({ error: null })],
  [
    "what was due has been worked off",
    waiting,
    (at) => state({ timers: at.state.timers.map((each) => ({ ...each, at: T0 - 1 })) })(at),
  ],
  [
    "what is sent is there, and at that attempt",
    queued,
    (at) => ({
      ...at,
      effects: [...at.effects, { kind: "dispatch", run: "1.0", attempt: 2, priority: 0, lane: "queue" }],
    }),
  ],
  ["lists hear of every change, now or soon", waiting, (at) => ({ ...at, effects: [] })],
  ...[
    state({ tasks: [{ ...asked, withdrawn: { at: T0, reason: "state_left", looks: 0 } }] }),
    state({ children: children({ stopping }) }),
    state({ outbox: outbox("task_update", "remind/1.0/1") }),
    state({ outbox: [...outbox("child_ended", "exe_2"), ...outbox("child_ended", "exe_2")] }),
  ].map(spoils("the outbox holds what tasks and children need, and each message once", ended)),
  ["what the outbox holds was sent", ended, state({ outbox: outbox("child_ended", "exe_2", 0) })],
  [
    "of what has ended only children are kept that are to be canceled",
    ended,
    state({ status: "completed", children: children({}) }),
  ],
  [
    "what is ending waits for children",
    queued,
    state({ ending: { as: "canceled", at: T0, reason: null, actor: { kind: "engine", id: "engine" } } }),
  ],
  [
    "what is ending waits for children",
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
      "the directory has the current key, or the outbox holds it",
      correlated,
      spoil,
    ],
  ),
  [
    "what has ended has no correlation key",
    ended,
    state({ correlation: { key: "o-1", since: 1, registered: ["o-1"] } }),
  ],
  ["what has ended asks nobody any more", ended, state({ tasks: [asked] })],
  ["history goes when all is over", ended, (at) => ({ ...at, effects: [...at.effects, { kind: "purge" }] })],
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
    brokenInvariants({ ...due, before: due.state, input }).includes("what was due has been worked off");
  expect([again(queued.input), again({ kind: "tick", now: T0, room: 0 })]).toEqual([false, true]);
});
