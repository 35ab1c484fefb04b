// The waits of an execution, and when the engine acts on each: one row per wait.
import { describe, expect, test } from "vitest";
import { isEnding, isStopped } from "#kernel/waiting/ending-execution.ts";
import { nextAutomaticChange, nextWake } from "#kernel/waiting/next-instants.ts";
import { waitsOf, type ExecutionWait } from "#kernel/waiting/waits.ts";
import type { ExecutionState, JourneyPosition } from "#schema/engine/state.ts";
import { DEAD_LETTER_KEPT_MS } from "#schema/limits/run-attempts.ts";
import { PROJECT_BUSY_AFTER_MS } from "#schema/limits/executions.ts";
import { action, day, drive, failure, hour, minute, second, success, T0, type Drive } from "#test/support/drive.ts";
import { one } from "#test/support/one-mail.ts";
import { inHand, looks, seen } from "../execution/reconciling/collector.ts";

/** `for` or the run's stage, and its subject; then its instant from T0. */
const lineOf = (wait: ExecutionWait): string => {
  const until = wait.until === null ? "-" : String(wait.until - T0);
  switch (wait.for) {
    case "run":
      return `${wait.stage} ${wait.run.action} ${until}`;
    case "person":
    case "archive":
      return `${wait.for} ${wait.run.action} ${until}`;
    case "timer":
      return `timer ${wait.timer.id} ${until}`;
    case "task":
      return `task ${wait.task.id} ${until}`;
    case "child":
      return `${wait.how} ${wait.child.execution} ${until}`;
    case "message":
      return `message ${wait.message.kind} ${until}`;
    case "event":
      return `event ${wait.types?.join(",") ?? "?"} ${until}`;
    default:
      return `${wait.for} ${until}`;
  }
};
const linesOf = (state: ExecutionState, now = T0, accepts: readonly string[] | null = null): readonly string[] =>
  waitsOf(state, now, accepts).map(lineOf);

const states = { a: { on: { go: "b" } }, b: { on: { back: "a" } } };
const idle = () => drive({ states }).start();
const anchored = { anchor: { var: "execution.variables.date" } };
const two = () =>
  drive({ states, actions: [action("mail", { triggerState: "a" }), action("sms", { triggerState: "a" })] })
    .start()
    .claim("mail");
const once = { retryPolicy: { maxAttempts: 1 } };
const made = { run: "1.0", id: "tsk_1", isOpen: true };
const remind = { at: T0 + minute, everyMs: null, given: 0, left: 1 };
const asking = (watch: object) =>
  one({ type: "task", config: { title: "Approve" } }, { a: { on: { task_completed: "b" } }, b: { type: "final" } })
    .claim("mail")
    .settle("mail", success({ tasks: [{ ...made, watch: { remind: null, escalateAt: null, ...watch } }] }));

describe("a wait of an execution", () => {
  test.each<[string, () => Drive, readonly string[]]>([
    ["an event", idle, ["event ? -"]],
    ["a pause", () => idle().pause(), ["resume -"]],
    ["a run that is due later", () => one({ delay: "PT1H" }, states), [`time mail ${hour}`, "event ? -"]],
    [
      "a run that an operator holds",
      () => one({ delay: "PT1H" }, states).verb({ kind: "hold", run: "1.0" }),
      ["held mail -", "event ? -"],
    ],
    ["a run without its variable", () => one({ delay: anchored }, states), ["variable mail -", "event ? -"]],
    ["a message to a consumer", () => one({}, states), [`queued mail ${minute}`, `lists ${PROJECT_BUSY_AFTER_MS}`]],
    [
      "a deadline, and a run that the slot is taken from",
      two,
      [`running mail ${35 * second}`, "slot sms -", `lists ${PROJECT_BUSY_AFTER_MS}`],
    ],
    [
      "a retry",
      () =>
        one({}, states)
          .claim("mail")
          .settle("mail", failure({}, { retryAfterMs: hour })),
      [`retry mail ${hour}`, "event ? -"],
    ],
    ["an operator", () => one(once, states).miss("mail"), [`person mail ${DEAD_LETTER_KEPT_MS}`, "event ? -"]],
    [
      "a handled dead letter",
      () => one(once, { a: { on: { "action.mail.failed": "b" } }, b: { on: { x: "a" } } }).miss("mail"),
      [`archive mail ${DEAD_LETTER_KEPT_MS}`, "event ? -"],
    ],
    [
      "a timer",
      () => drive({ states: { a: { after: { P1D: "b" } }, b: { type: "final" } } }).start(),
      [`timer a/after/P1D ${day}`, "event ? -"],
    ],
    [
      "a timer without its variable",
      () => drive({ states: { a: { after: { due: "b" } }, b: { type: "final" } }, delays: { due: anchored } }).start(),
      ["timer a/after/due -", "event ? -"],
    ],
    ["a task", () => asking({}), ["task tsk_1 -", "event ? -"]],
    ["a reminder", () => asking({ remind }), [`task tsk_1 ${minute}`, "event ? -"]],
    [
      "an escalation before a reminder",
      () => asking({ remind, escalateAt: T0 + second }),
      [`task tsk_1 ${second}`, "event ? -"],
    ],
    ["nothing, once it has ended", () => idle().cancel(), []],
  ])("%s", (_what, begun, expected) => {
    expect(linesOf(begun().state)).toEqual(expected);
  });

  test("a due run wakes the execution only where all slots are free", () => {
    const { state } = one({ delay: "PT1H" }, states);
    expect(linesOf(state, T0 + hour)).toEqual([`slot mail ${hour}`, "event ? -"]);
  });

  test("a task that is not made yet, or is withdrawn, is none", () => {
    const { state } = asking({});
    const withdrawn = { at: T0, reason: "state_left", looks: 0 };
    const tasks = (state.tasks ?? []).flatMap((task) => [
      { ...task, id: null },
      { ...task, withdrawn },
    ]);
    expect(linesOf({ ...state, tasks })).toEqual(["event ? -"]);
  });

  test("a message is sent again", () => {
    const outbox = [{ kind: "subject_ended", key: "ann", sentAt: T0, tries: 1 }] as const;
    expect(linesOf({ ...idle().state, outbox })).toEqual([`message subject_ended ${minute}`, "event ? -"]);
  });

  test("the types of events are listed if the program is known", () => {
    const { state } = idle();
    expect([linesOf(state, T0, ["go"]), linesOf(state, T0, [])]).toEqual([["event go -"], []]);
  });

  test("of what is leaving only children are left", () => {
    const child = { action: "begin", onCancel: "wait", startBy: T0 } as const;
    const children = [
      { ...child, run: "1.0", execution: "exe_waited" },
      { ...child, run: "1.1", execution: "exe_stopped", stopping: { at: T0, reason: "enough" } },
    ];
    const { state } = idle();
    const ending = { as: "canceled", at: T0, reason: null, actor: { kind: "engine", id: "engine" } } as const;
    expect(linesOf({ ...state, children })).toEqual(["canceling exe_stopped -", "event ? -"]);
    expect(linesOf({ ...state, children, ending })).toEqual(["awaited exe_waited -", "canceling exe_stopped -"]);
  });
});

describe("a reconciler", () => {
  test("waits for its collector, and for its next tick once something has changed", () => {
    const t = looks();
    expect(linesOf(t.state)).toEqual([`tick ${second}`, `collector ${minute}`]);
    t.clock(200);
    seen(t, { go: 0 });
    expect(linesOf(t.state, T0 + 200)).toEqual([`tick ${second}`, `collector ${5_200}`]);
    expect(linesOf(t.state, T0 + second)).toEqual(["tick -", `collector ${5_200}`]);
  });

  test("waits for the answer of its collector, and for the next look of a rule that reads the time", () => {
    const t = looks();
    const [state, reconciling] = [t.state, t.reconciling()];
    const { collecting } = reconciling;
    if (!collecting) throw new Error("it has a collector");
    const run = inHand(t);
    const running = { ...run, status: "running", deadlineAt: T0 + minute } as const;
    const observed = { value: {}, revision: 1, at: T0 };
    const looking = { ...reconciling, watches: true, observed, collecting: { ...collecting, run: running } };
    const waits = linesOf({ ...state, reconciling: looking });
    expect(waits).toEqual([`tick ${second}`, `watch ${second}`, `collector ${minute + 5 * second}`]);
  });

  test("waits for nothing of that once it has ended, or without a collector", () => {
    const t = looks();
    const [state, reconciling] = [t.state, t.reconciling()];
    expect(linesOf({ ...state, status: "canceled" })).toEqual([]);
    expect(linesOf({ ...state, position: { ...state.position, done: true } })).toEqual([]);
    expect(linesOf({ ...state, reconciling: { ...reconciling, collecting: null } })).toEqual([`tick ${second}`]);
  });
});

describe("it wakes", () => {
  test("for attempts, messages and lists alone while it is paused", () => {
    const t = two();
    const outbox = [{ kind: "subject_ended", key: "ann", sentAt: T0, tries: 1 }] as const;
    const { state } = t.pause();
    const told = { ...state, unprojectedSince: null };
    expect(nextWake(state, T0)).toBe(T0 + 35 * second);
    expect(nextWake({ ...told, runs: [], outbox }, T0)).toBe(T0 + minute);
    expect(nextWake({ ...told, runs: [], unprojectedSince: T0 }, T0)).toBe(T0 + PROJECT_BUSY_AFTER_MS);
    expect(nextWake(one({ delay: "PT1H" }, states).pause().state, T0)).toBeNull();
  });

  test("for the end of its retention when nothing else is left", () => {
    const { state } = idle().cancel();
    expect(nextWake(state, T0)).toBe(state.retainUntil);
    expect(nextWake({ ...state, unprojectedSince: T0 }, T0)).toBe(T0 + PROJECT_BUSY_AFTER_MS);
  });
});

describe("clients see when it moves", () => {
  test.each<[string, () => Drive, number | null]>([
    ["a deadline of what is under way", () => one({}, states).claim("mail"), 30 * second],
    ["nothing of what waits for its claim", () => one({}, states), null],
    ["a delay", () => one({ delay: "PT1H" }, states), hour],
    ["a timer", () => drive({ states: { a: { after: { P1D: "b" } }, b: { type: "final" } } }).start(), day],
    ["a reminder", () => asking({ remind }), minute],
    ["nothing while an event has to come first", idle, null],
    ["nothing while it is paused", () => two().pause(), null],
    ["nothing once it has ended", () => two().cancel(), null],
  ])("%s", (_what, begun, expected) => {
    const at = nextAutomaticChange(begun().state);
    expect(at === null ? null : at - T0).toBe(expected);
  });

  test("the tick of a reconciler", () => {
    const t = looks();
    t.clock(200);
    seen(t, { go: 0 });
    expect(nextAutomaticChange(t.state)).toBe(T0 + second);
  });
});

describe("it is leaving", () => {
  const { state } = idle();
  const ending = { as: "canceled", at: T0, reason: null, actor: { kind: "engine", id: "engine" } } as const;
  const counts = { done: 0, skipped: 0, failed: 0, of: 1 };
  const journey: JourneyPosition = { kind: "journey", nodes: {}, states: [], done: true, endings: 0, counts, kept: [] };
  const exit = { by: "exitWhen/0", at: T0, outcome: "canceled" } as const;

  test.each<[string, Partial<ExecutionState>, boolean, boolean]>([
    ["at work", {}, false, false],
    ["paused", { status: "paused" }, false, false],
    ["completed", { status: "completed" }, false, false],
    ["canceled", { status: "canceled" }, false, true],
    ["failed", { status: "failed" }, false, true],
    ["waiting for its children to end", { ending }, true, true],
    ["a journey on its way", { position: journey }, false, false],
    ["a journey that took an exit", { position: { ...journey, exit } }, true, true],
  ])("%s", (_what, part, leaving, stopped) => {
    const found = { ...state, ...part };
    expect([isEnding(found), isStopped(found)]).toEqual([leaving, stopped]);
  });
});
