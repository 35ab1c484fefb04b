// One step has one budget, whatever uses it. A step over its budget ends as rule_too_costly and names the place, and no
// execution is left stuck. Counted in units of work, never in time.
import { describe, expect, test } from "vitest";
import { compile } from "#kernel/programs/compile.ts";
import { step } from "#kernel/execution/step.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { JsonObject, Rule } from "#schema/json.ts";
import { RULE_STEPS_MAX, STEP_WORK_MAX } from "#schema/limits/executions.ts";
import { action, ask, drive, machine, second, T0 } from "#test/support/drive.ts";
import { naming } from "#test/support/matchers/naming.ts";

type Part = Parameters<typeof machine>[0];

const variable = (name: string) => ({ var: `execution.variables.${name}` });
const counting = { n: { "+": [variable("n"), 1] } };
/** Walks the list once for each of its items. With 250 items it is far below the limit of one evaluation. */
const square: Rule = {
  some: [variable("list"), { some: [{ var: "../../execution.variables.list" }, { "===": [1, 2] }] }],
};
const zeros = (size: number): JsonObject => ({ list: Array.from({ length: size }, () => 0) });
const dates = (size: number): string[] =>
  Array.from({ length: size }, (_, n) => new Date(T0 - n * 3_600_000).toISOString().slice(0, 16));
const inZone: Rule = { some: [variable("list"), { "==": [{ date: [{ var: "" }, "Europe/Zurich"] }, 0] }] };

/** A machine that loops through `always` transitions, evaluating `rule` each time. */
const round = (rule: Rule, times: number, assign: JsonObject = counting): Part["states"] => ({
  a: { on: { go: "b" } },
  b: {
    always: { target: "b", reenter: true, guard: { and: [{ "<": [variable("n"), times] }, { "!": [rule] }] }, assign },
    on: { back: "a" },
  },
});

/** 100 guards on one event, all false. */
const hundred = (guard: Rule): Part["states"] => {
  const list = Array.from({ length: 50 }, () => ({ target: "b", guard }));
  return { a: { on: { go: list, "*": list } }, b: { on: { back: "a" } } };
};

/** The result of the event `go` in words, and its cost if it was accepted. */
function go(part: Part, variables: JsonObject): { answer: string; message: string; work: number } {
  const program = compile(machine(part));
  const stamp = { now: T0, entropy: 0.5, room: 0 };
  const started = step(program, null, { ...ask.start(variables), ...stamp });
  if (!started.ok) throw new Error(started.refusal.message);
  const { state } = JSON.parse(JSON.stringify(started)) as { state: ExecutionState };
  const gone = step(program, state, { ...ask.event("go"), ...stamp });
  if (!gone.ok) return { answer: gone.refusal.code, message: gone.refusal.message, work: 0 };
  return { answer: gone.state.error?.type ?? "taken", message: gone.state.error?.message ?? "", work: gone.work };
}

describe("small definitions that used to cost seconds", () => {
  test.each<[string, number, Part, JsonObject, string]>([
    [
      "an eventless loop over an expensive rule",
      559,
      { variables: { n: 0 }, states: round(square, 900) },
      zeros(200),
      "/states/b/always/guard",
    ],
    [
      "a hundred guards that read dates in a zone",
      12_900,
      { states: hundred(inZone) },
      { list: dates(400) },
      "/states/a/on/",
    ],
    [
      "an eventless loop over ten thousand variables, each read by name",
      500,
      { variables: { n: 0 }, states: round({ "!": [{ var: "execution.variables" }] }, 900) },
      Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`v${n}`, 0])),
      "/states/b/always/guard",
    ],
    [
      "assignments that walk lists",
      1_500,
      {
        states: {
          a: {
            on: { go: { target: "b", assign: { x: square, y: square, z: square, u: square, v: square, w: square } } },
          },
          b: { on: { back: "a" } },
        },
      },
      zeros(195),
      "/states/a/on/go/assign/w",
    ],
    [
      "32 regions that go round together",
      8_500,
      {
        type: "parallel",
        variables: { n: 0 },
        states: Object.fromEntries(
          Array.from({ length: 32 }, (_, n) => [`r${n}`, { initial: "a", states: round(false, 31_000) }]),
        ),
      },
      {},
      "r0.b",
    ],
  ])("%s", (_what, bytes, part, variables, place) => {
    expect(JSON.stringify(machine(part)).length).toBeLessThanOrEqual(bytes);
    const { answer, message } = go(part, variables);
    expect([answer, message]).toEqual(["rule_too_costly", expect.stringContaining(place)]);
    expect(message).toEqual(naming(STEP_WORK_MAX, "STEP_WORK_MAX"));
  });
});

test("what one evaluation may cost, one step may", () => {
  const sized = (size: number) =>
    go(
      { states: { a: { on: { go: { target: "b", guard: { "!": [square] } } } }, b: { on: { back: "a" } } } },
      zeros(size),
    );
  const { answer, work } = sized(195);
  expect(answer).toBe("taken");
  expect(work).toBeGreaterThan(RULE_STEPS_MAX / 2);
  expect(work).toBeLessThan(STEP_WORK_MAX);
  expect(sized(1_000).answer).toBe("event_not_accepted");
});

test("an ordinary step costs next to nothing", () => {
  const { answer, work } = go({ states: { a: { on: { go: "b" } }, b: { on: { back: "a" } } } }, {});
  expect(answer).toBe("taken");
  expect(work).toBeLessThan(STEP_WORK_MAX / 5_000);
});

test("guards are asked once, and not before and after", () => {
  const { work: one } = go(
    { states: { a: { on: { go: { target: "b", guard: { "!": [square] } } } }, b: { on: { back: "a" } } } },
    zeros(100),
  );
  expect(one).toBeGreaterThan(100 * 100);
  expect(one).toBeLessThan(100 * 100 * 9);
});

describe("an exceeded budget without a sender to refuse fails the execution, with the place", () => {
  const states = { ...round(square, 900), a: { after: { 1000: "b" } } } satisfies Part["states"];

  test("by a timer", () => {
    const t = drive({ variables: { n: 0 }, states })
      .start(zeros(200))
      .tickAt(second);
    expect([t.status, t.state.error?.type]).toEqual(["failed", "rule_too_costly"]);
    expect(t.state.error?.message).toEqual(naming("/states/b/always/guard"));
  });

  test("by a run's outcome, which is recorded all the same", () => {
    const t = drive({
      variables: { n: 0 },
      states: { ...round(square, 900), a: { entry: ["mail"], on: { "action.mail.ok": "b" } } },
      actions: [action("mail")],
    }).start(zeros(200));
    t.ok("mail");
    expect([t.status, t.state.error?.type, t.run("mail").status]).toEqual(["failed", "rule_too_costly", "ok"]);
  });

  test.each(["cancel", "pause"] as const)("but a person who wants to %s it first is not held up", (verb) => {
    const t = drive({ variables: { n: 0 }, states })
      .start(zeros(200))
      .clock(second);
    t[verb]();
    expect([t.status, t.at]).toEqual([verb === "cancel" ? "canceled" : "paused", "a"]);
  });

  test("paused, it can be patched and goes on", () => {
    const t = drive({ variables: { n: 0 }, states })
      .start(zeros(200))
      .clock(second)
      .pause();
    t.patch({ list: [] }).resume();
    expect([t.status, t.at, t.state.variables["n"]]).toEqual(["waiting", "b", 900]);
  });

  test("other verbs find that it has ended", () => {
    const t = drive({ variables: { n: 0 }, states })
      .start(zeros(200))
      .clock(second);
    expect(t.refused(ask.patch({ list: [] })).code).toBe("execution_final");
  });
});

describe("of runs", () => {
  const listening = {
    a: { entry: ["dear"], on: { "action.dear.failed": "b" } },
    b: { on: { back: "a" } },
  } satisfies Part["states"];
  const endless = "{% for i in (1..20000) %}{{ '2026-01-05T09:00' | date: '%F', 'Europe/Zurich' }}{% endfor %}";
  const twice: Rule = { or: [...Array.from({ length: 5 }, () => inZone), true] };

  test.each<[string, Parameters<typeof action>[1]]>([
    ["a condition", { condition: twice }],
    ["validUntil", { validUntil: { if: [{ "!": [twice] }, 0, null] } }],
    ["a delay's anchor", { delay: { anchor: { if: [{ "!": [twice] }, 0, null] }, offset: "P1D" } }],
  ])("%s that costs too much fails the run, and the machine hears of it", (_what, part) => {
    const t = drive({ states: listening, actions: [action("dear", part)] }).start({ list: dates(2_400) });
    expect(t.run("dear")).toMatchObject({ status: "failed", deadLetter: true, error: { type: "rule_too_costly" } });
    expect(t.run("dear").error?.message).toMatch(/^dear: .*STEP_WORK_MAX/);
    expect([t.status, t.at]).toEqual(["waiting", "b"]);
  });

  test("a template does so at the claim", () => {
    const t = drive({ states: listening, actions: [action("dear", { config: { url: endless } })] }).start();
    t.claim("dear");
    expect(t.run("dear")).toMatchObject({ status: "failed", error: { type: "rule_too_costly" } });
    expect(t.run("dear").error?.message).toContain("config/url");
    expect([t.status, t.at]).toEqual(["waiting", "b"]);
  });

  test("one after another in one step fail the execution, and those behind them are canceled", () => {
    const names = ["x", "y", "z"];
    const t = drive({
      concurrency: 3,
      states: { a: { entry: names, on: { ping: {} } } },
      actions: names.map((name) => action(name, { condition: twice })),
    }).start({ list: dates(2_400) });
    expect([t.status, t.state.error?.type]).toEqual(["failed", "rule_too_costly"]);
    expect(t.state.error?.message).toEqual(naming("y"));
    expect(t.runs()).toEqual(["x failed", "y canceled", "z canceled"]);
  });

  test("of an execution that has ended only the run fails", () => {
    const t = drive({
      states: { a: { entry: ["x", "y"], on: { go: "end" } }, end: { type: "final" } },
      actions: [action("x", { config: { url: "{{ execution.variables.nothing }}" } }), action("y")],
    }).start({ list: dates(2_400) });
    t.claim("x").event("go").cancel();
    t.retry("x", { config: { url: endless } }).claim("x");
    expect([t.status, t.run("x").status, t.run("x").error?.type]).toEqual(["canceled", "failed", "rule_too_costly"]);
  });
});
