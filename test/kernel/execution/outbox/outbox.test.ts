// The outbox protocol: which messages are sent when, sent again, and what a confirmation changes.
import { describe, expect, test } from "vitest";
import { OUTBOX_MESSAGES_PER_DELIVERY_MAX } from "#schema/limits/run-attempts.ts";
import type { Confirmation, OutboxKind } from "#schema/engine/outbox.ts";
import { compile } from "#kernel/programs/compile.ts";
import { action, ask, day, driveProgram, hour, machine, minute, success, T0, type Drive } from "#test/support/drive.ts";
import { confirmed, messageOf, sendsOf } from "#test/support/outbox/messages.ts";

const parent = { execution: "exe_parent", run: "2.0", action: "begin", incarnation: 0 };
const subject = { key: "couple-1", until: T0 + minute };
const many = Array.from({ length: OUTBOX_MESSAGES_PER_DELIVERY_MAX + 5 }, (_, n) =>
  action(`begin${n}`, { type: "start_execution", triggerState: "a", config: { definition: "child", wait: true } }),
);
const states = { a: { on: { go: "done" } }, done: { type: "final" as const } };

/** An execution that ends with a message of every kind in its outbox. */
function ended(children = many.slice(0, 1)): Drive {
  const task = action("ask", { type: "task", triggerState: "a", config: { title: "Approve" } });
  const correlation = { key: { var: "execution.variables.order" } };
  const limit = [{ ...correlation, concurrency: 1 }];
  const definition = machine({ concurrency: 100, correlation, limit, states, actions: [task, ...children] });
  const t = driveProgram([compile(definition), compile(definition)], 0, { parent, subject }).start({ order: "o-1" });
  const admitted = { kind: "start_place", key: "1", answer: { kind: "admitted" }, places: [] } as const;
  t.take(confirmed(admitted, { kind: "correlation_key", key: "1" })).claimAll();
  for (const { id, action: name, type } of t.state.runs) {
    if (type === "task") t.settle(id, success({ tasks: [{ run: id, id: `tsk_${id}`, isOpen: true }] }));
    else t.settle(id, success({ result: { execution: `exe_${name}` } }));
  }
  return t.cancel();
}

const answers: { readonly [kind in OutboxKind]: (key: string) => Confirmation } = {
  child_ended: (key) => ({ kind: "child_ended", key, refused: null }),
  task_update: (key) => ({ kind: "task_update", key, found: "open" }),
  child_request: (key) => {
    const run = key.replace("cancel/", "");
    return { kind: "child_request", key, run, found: "canceled", execution: null, at: T0 };
  },
  correlation_key: (key) => ({ kind: "correlation_key", key }),
  subject_ended: (key) => ({ kind: "subject_ended", key }),
  start_place: (key) => ({ kind: "start_place", key, answer: { kind: "released" }, places: [] }),
};
const kinds = Object.keys(answers) as OutboxKind[]; // the keys of the literal above
const answersOf = (t: Drive) => (t.state.outbox ?? []).map(({ kind, key }) => answers[kind](key));
const answerTo = (t: Drive, kind: OutboxKind): Confirmation => {
  const message = messageOf(t.state, kind);
  if (!message) throw new Error(`it holds no ${kind}`);
  return answers[kind](message.key);
};
const sends = (t: Drive) => t.effects.filter(({ kind }) => kind === "send").length;
const kindsIn = (t: Drive) => (t.state.outbox ?? []).map(({ kind }) => kind).toSorted();

test("several messages of one step go out together", () => {
  const t = ended();
  expect(kindsIn(t)).toEqual(kinds.toSorted());
  expect([sends(t), ...kinds.map((kind) => sendsOf(t, kind))]).toEqual([1, 1, 1, 1, 1, 1, 1]);
});

describe.each(kinds)("a message %s", (kind) => {
  const alone = () => {
    const t = ended();
    return t.take(confirmed(...answersOf(t).filter((answer) => answer.kind !== kind)));
  };

  test("is sent again with growing gaps until it is confirmed", () => {
    const t = alone();
    expect(kindsIn(t)).toEqual([kind]);
    let at = 0;
    for (const [n, gap] of [minute, 5 * minute, 15 * minute, hour, hour].entries()) {
      at += gap;
      expect([t.wake, sends(t.tickAt(at - 1))]).toEqual([at, 0]);
      expect([sends(t.tickAt(at)), messageOf(t.state, kind)]).toMatchObject([1, { sentAt: T0 + at, tries: n + 2 }]);
    }
    t.take(confirmed(answerTo(t, kind)));
    expect([t.state.outbox, sends(t)]).toEqual([[], 0]);
  });

  test("keeps the history until it is confirmed", () => {
    const t = alone().tickAt(40 * day);
    expect(t.effects).not.toContainEqual({ kind: "purge" });
    t.take(confirmed(answerTo(t, kind))).tickAt(41 * day);
    expect(t.effects).toContainEqual({ kind: "purge" });
  });

  test("does not leave with the confirmations of the others", () => {
    const t = ended();
    const own = messageOf(t.state, kind);
    t.take(confirmed(...answersOf(t).filter((answer) => answer.kind !== kind)));
    expect(t.state.outbox).toEqual([own]);
  });

  test.each<[string, (answer: Confirmation) => Confirmation, number]>([
    ["of another key", (answer) => ({ ...answer, key: "other", run: "9.9" }) as Confirmation, T0],
    ["of an earlier execution with this id", (answer) => answer, T0 - 1],
  ])("is not confirmed by a confirmation %s", (_what, changed, incarnation) => {
    const t = alone();
    const { state } = t;
    t.take({ kind: "confirmed", incarnation, items: [changed(answerTo(t, kind))] });
    expect(t.state).toEqual(state);
  });

  test("that is confirmed twice changes once", () => {
    const t = alone();
    const answer = answerTo(t, kind);
    const { state } = t.take(confirmed(answer));
    expect(t.take(confirmed(answer)).state).toEqual(state);
  });
});

test("a message that is new goes out with those that wait, and does not delay them", () => {
  const t = ended().take(ask.tick());
  const lost = () => messageOf(t.state, "child_ended");
  t.tickAt(minute).tickAt(6 * minute);
  expect(lost()).toMatchObject({ sentAt: T0 + 6 * minute, tries: 3 });
  expect(t.wake).toBe(21 * minute);
});

test("without a correlation key, a task or a child a confirmation changes nothing", () => {
  const definition = machine({ states });
  const t = driveProgram([compile(definition), compile(definition)], 0).start();
  const { state } = t;
  t.take(confirmed(...kinds.map((kind) => answers[kind]("1"))));
  expect([t.state, t.state.outbox]).toEqual([state, undefined]);
});

describe("more than one delivery handles", () => {
  const first = (t: Drive) => answersOf(t).slice(0, OUTBOX_MESSAGES_PER_DELIVERY_MAX);

  test("go out one delivery after the other", () => {
    const t = ended(many);
    const left = (t.state.outbox ?? []).length - OUTBOX_MESSAGES_PER_DELIVERY_MAX;
    expect(left).toBeGreaterThan(0);
    t.take(confirmed(...first(t)));
    expect([sends(t), t.state.outbox?.length]).toEqual([1, left]);
    t.take(confirmed(...first(t)));
    expect([sends(t), t.state.outbox]).toEqual([0, []]);
  });

  test("take turns where those that come first cannot be handled", () => {
    const t = ended(many);
    const stuck = new Set(t.state.outbox?.slice(0, OUTBOX_MESSAGES_PER_DELIVERY_MAX).map(({ key }) => key));
    t.tickAt(minute);
    expect(t.state.outbox?.slice(0, 5).filter(({ key }) => stuck.has(key))).toEqual([]);
    // No message was confirmed, so the rest waits for its time.
    const live = first(t).map((answer) => (answer.kind === "child_request" ? { ...answer, found: "live" } : answer));
    const requests = live.filter(({ kind }) => kind === "child_request") as Confirmation[];
    expect(sends(t.take(confirmed(...requests)))).toBe(0);
  });
});
