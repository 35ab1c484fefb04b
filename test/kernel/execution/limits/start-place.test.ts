// Limits on starts: an execution is accepted at once, makes its first move after the admission, and gives its place back
// at its end.
import { expect, test } from "vitest";
import { compile } from "#kernel/programs/compile.ts";
import type { Definition } from "#schema/definition/definition.ts";
import { journeyDefinition } from "#schema/definition/journey.ts";
import type { KeyLimit } from "#schema/definition/key-limit.ts";
import { reconcilerDefinition } from "#schema/definition/reconciler.ts";
import type { Command, StartCommand } from "#schema/engine/input.ts";
import { programAt } from "#kernel/execution/limits/before-first-move.ts";
import type { StartHold, StartPlaceResult } from "#schema/key-limits/start-place.ts";
import { action, ask, driveProgram, machine, minute, second, T0, type Drive } from "#test/support/drive.ts";

const customer = { var: "execution.variables.customer" };
const limit: KeyLimit[] = [{ key: customer, concurrency: 1 }];
const states = { a: { on: { go: "b", "action.send.ok": "b" }, after: { PT1H: "b" } }, b: { type: "final" as const } };
const order = machine({ states, limit, actions: [action("send", { triggerState: "a" })] });
const key = { limit: "sample/0", key: "ada" } as const;

function driven(definition: Definition = order, begin = {}): Drive {
  return driveProgram([compile(definition), compile(definition)], 0, begin);
}
const started = (definition: Definition = order) => driven(definition).start({ customer: "ada" });
const answered = (t: Drive, answer: StartPlaceResult["answer"], at?: string): Command => {
  const message = t.state.outbox?.find(({ kind }) => kind === "start_place");
  const item = { kind: "start_place", key: at ?? message?.key ?? "woken", answer, places: [] } as const;
  return { kind: "confirmed", incarnation: t.state.createdAt, items: [item] };
};
const held = (part: Partial<StartHold> = {}): StartPlaceResult["answer"] => ({
  ...{ kind: "held", ...key, reason: "limit_concurrency", until: T0 + minute, ahead: 3 },
  ...part,
});
const admit = (t: Drive) => t.take(answered(t, { kind: "admitted" }));
const messages = (t: Drive) => (t.state.outbox ?? []).filter(({ kind }) => kind === "start_place").length;
const sends = (t: Drive) => t.effects.filter(({ kind }) => kind === "send").length;

test("the start is accepted, and the caller asks the limits before anything happens", () => {
  const t = started();
  expect(t.newLines()).toEqual([expect.stringContaining("started")]);
  expect([t.status, t.at, t.runs(), messages(t), sends(t)]).toEqual(["waiting", "", [], 1, 0]);
  expect(t.state.startPlace?.limits).toEqual([
    { name: "sample/0", key: "ada", terms: { concurrency: 1, of: "starts" } },
  ]);
  expect(t.wake).toBe(minute);
});

test("if its caller is lost, the execution asks through the outbox", () => {
  const t = started().tickAt(minute);
  expect(sends(t)).toBe(1);
  expect([admit(t).status, t.at, messages(t)]).toEqual(["active", "a", 0]);
});

test("an admitted execution makes its first move, and later answers change nothing", () => {
  const t = admit(started().clock(5 * second));
  expect(t.newLines().slice(1, 3)).toEqual(["start_admitted after 5000", expect.stringContaining("moved")]);
  expect([t.at, t.runs(), Object.values(t.timers())]).toEqual(["a", ["send queued"], [3_600_000 + 5 * second]]);
  const before = t.state;
  for (const answer of [{ kind: "admitted" }, held()] as const) t.take(answered(t, answer));
  expect(t.state).toEqual(before);
});

test("a held execution asks again at the given time, and only a new reason is recorded", () => {
  const t = started();
  t.take(answered(t, held()));
  expect([t.status, t.wake, messages(t)]).toEqual(["waiting", minute, 0]);
  expect(t.newLines().at(-1)).toBe("start_held sample/0 ada: limit_concurrency ahead 3");
  t.tickAt(minute);
  expect([sends(t), messages(t)]).toEqual([1, 1]);
  t.tickAt(minute + 1);
  expect(sends(t)).toBe(0);
  t.take(answered(t, held({ until: T0 + 3 * minute, ahead: 2 })));
  expect([t.newLines(), t.wake, t.state.startPlace?.hold?.ahead]).toEqual([[], 3 * minute, 2]);
  t.take(answered(t, held({ reason: "limit_throttle", until: T0 + 4 * minute })));
  expect(t.newLines()).toEqual([expect.stringContaining("limit_throttle")]);
  expect(admit(t).at).toBe("a");
});

test("a skipped execution ends as canceled with the reason, and drops its events", () => {
  const t = started().event("go");
  const nextAt = T0 + 9 * minute;
  t.take(answered(t, { kind: "skipped", ...key, reason: "rate_limited_by_key", nextAt }));
  expect([t.status, t.state.reason, t.state.finishedAt]).toEqual(["canceled", "rate_limited_by_key", T0]);
  expect(t.state.startPlace?.skipped).toEqual({ ...key, reason: "rate_limited_by_key", nextAt });
  expect(t.newLines().slice(-3)).toEqual([
    "start_skipped sample/0 ada: rate_limited_by_key",
    expect.stringContaining("canceled"),
    expect.stringContaining("event_dropped"),
  ]);
});

test("an ended execution that holds its place is not erased", () => {
  const t = admit(started()).cancel();
  expect(messages(t)).toBe(1);
  expect(t.refused(ask.erase()).code).toBe("execution_live");
});

test("an ended execution sends its release until it is confirmed", () => {
  const t = admit(started()).event("go");
  expect([t.status, messages(t), sends(t)]).toEqual(["completed", 1, 1]);
  t.take(answered(t, { kind: "released" }, "an older message"));
  expect(messages(t)).toBe(1);
  t.take(answered(t, { kind: "released" }));
  expect(messages(t)).toBe(0);
});

test.each([{ kind: "admitted" }, held()] as const)(
  "an answer ($kind) that comes after the end makes the execution release again",
  (answer) => {
    const t = started().cancel();
    expect([t.status, messages(t)]).toEqual(["canceled", 1]);
    t.take(answered(t, { kind: "released" }));
    t.take(answered(t, answer));
    expect([messages(t), sends(t)]).toEqual([1, 1]);
  },
);

test("events and patches before the first move count in it, and other commands are refused", () => {
  const t = started().event("go").patch({ n: 1 });
  expect(t.state.buffer).toHaveLength(1);
  expect(t.refused(ask.event("nonsense")).code).toBe("event_unknown");
  expect(t.refused(ask.runNow({ action: "send" })).code).toBe("verb_not_applicable");
  const desire = { kind: "desire", desired: {}, mode: "merge", ifRevision: null } as const;
  expect(t.refused(ask.verb(desire)).code).toBe("verb_not_applicable");
  expect(admit(t).status).toBe("completed");
  expect(t.state.variables).toEqual({ customer: "ada", n: 1 });
});

test("a machine that listens for any event keeps each event until its first move", () => {
  const any = machine({ limit, states: { a: { on: { "*": "b" } }, b: { type: "final" } } });
  const t = started(any).event("whatever");
  expect(admit(t).status).toBe("completed");
});

test("a paused execution keeps its place, and begins after its resume", () => {
  const t = started();
  t.take(answered(t, held())).pause();
  expect(t.wake).toBe(minute);
  t.tickAt(minute);
  expect(messages(t)).toBe(1);
  admit(t);
  expect([t.status, t.at, t.wake]).toEqual(["paused", "", null]);
  expect(t.resume().at).toBe("a");
});

test("an admitted execution that is canceled in its pause never begins", () => {
  const t = admit(started().pause()).cancel();
  expect([t.status, t.at, messages(t)]).toEqual(["canceled", "", 1]);
});

test("a release that is confirmed for a waiting execution changes nothing", () => {
  const t = started();
  t.take(answered(t, { kind: "released" }));
  expect([t.status, messages(t)]).toEqual(["waiting", 1]);
});

test("before its first move, an execution accepts no event types and listens for nothing", () => {
  const t = started();
  const { waitsFor, listeners } = programAt(t.program, t.state);
  expect([waitsFor(t.state.position), listeners(t.state.position)]).toEqual([[], []]);
});

test("a restart waits for its own place, and begins at its state", () => {
  const { position } = admit(started()).state;
  const from = { state: "a" };
  const restart = { execution: "exe_0", incarnation: 1, from, reason: null, position, made: [] };
  const t = driven();
  t.take({ ...(ask.start({ customer: "ada" }) as StartCommand), restart }); // `ask.start` makes a start command
  expect(t.state).toMatchObject({ status: "waiting", restartOf: { execution: "exe_0", from } });
  expect([admit(t).status, t.at]).toEqual(["active", "a"]);
});

test("a trigger's event is read by the first move", () => {
  const message = { id: "e1", type: "paid", payload: { sum: 5 }, source: "test", correlationId: null };
  const trigger = { message, previousState: null, currentState: "" };
  const t = driven();
  t.take({ ...(ask.start({ customer: "ada" }) as StartCommand), trigger }); // as above
  expect(admit(t).state.triggers).toMatchObject([{ message: { type: "paid" } }]);
});

test("a canceled execution never begins", () => {
  const t = started();
  t.take(answered(t, held())).cancel();
  t.take(answered(t, { kind: "released" }));
  expect([t.status, t.at, messages(t), t.runs()]).toEqual(["canceled", "", 0, []]);
});

test.each([
  ["without its key", {}, "/variables", "no_limit_key"],
  ["with a key that is too long", { customer: "x".repeat(201) }, "/variables", "no_limit_key"],
])("a start %s is refused", (_case, variables, pointer, code) => {
  const refusal = driven().refused(ask.start(variables));
  expect(refusal).toMatchObject({ code: "invalid_input", errors: [{ pointer, code }] });
});

test("a start whose first move is impossible is refused before it waits", () => {
  const input = { type: "object", properties: { customer: { type: "string" } } } as const;
  const typed = machine({ states, limit, input });
  expect(driven(typed).refused(ask.start({ customer: 1 })).code).toBe("variables_invalid");
  const faulty = machine({
    limit,
    states: {
      a: { always: [{ guard: { "+": [{ var: "execution.variables.n" }, 1] }, target: "b" }] },
      b: { type: "final" },
    },
  });
  expect(driven(faulty).refused(ask.start({ customer: "ada", n: "x" })).code).toBe("invalid_input");
});

test("a first move that fails after the admission fails the execution", () => {
  const guard = { ">": [{ "+": [{ var: "execution.variables.n" }, 1] }, 5] };
  const faulty = machine({
    limit,
    states: { a: { always: [{ guard, target: "b" }], on: { go: "b" } }, b: { type: "final" } },
  });
  const t = driven(faulty).start({ customer: "ada", n: 1 }).patch({ n: "x" });
  expect(admit(t).status).toBe("failed");
});

test("a journey and a reconciler begin after the admission", () => {
  const journey = journeyDefinition.parse({
    kind: "journey",
    name: "sample",
    limit,
    initial: "a",
    nodes: { a: { type: "delay", for: "PT1H", next: "b" }, b: { type: "exit" } },
  });
  const t = started(journey);
  expect(t.state.position.kind).toBe("machine");
  expect(admit(t).state.position.kind).toBe("journey");
  expect(started(journey).cancel().status).toBe("canceled");

  const reconciler = reconcilerDefinition.parse({
    kind: "reconciler",
    name: "sample",
    limit,
    initial: "a",
    desired: { size: 1 },
    tick: "PT1S",
    deriveDesired: { n: { "+": [{ var: "variables.n" }, 1] } },
    states: { a: {} },
  });
  const desired = driven(reconciler, { desired: { size: 2 } }).start({ customer: "ada" });
  expect(admit(desired).state.reconciling?.desired.value).toEqual({ size: 2, n: 1 });
  const faulty = started(reconciler).patch({ n: "many" });
  expect(admit(faulty)).toMatchObject({ status: "failed", state: { error: { type: "invalid_input" } } });
  const r = started(reconciler);
  expect(r.state.reconciling).toBeUndefined();
  expect(admit(r).state.reconciling?.desired.value).toEqual({ size: 1, n: 1 });
});

test("an answer to an execution without limits changes nothing", () => {
  const t = started(machine({ states }));
  const before = t.state;
  expect(t.take(answered(t, { kind: "released" })).state).toEqual(before);
  expect(before.startPlace).toBeUndefined();
});
