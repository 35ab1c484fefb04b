// Restarts: where the new execution begins, which runs it passes over, and which it repeats.
import { describe, expect, test } from "vitest";
import { compile } from "#kernel/programs/compile.ts";
import type { Repeat } from "#schema/family/restart.ts";
import { action, ask, drive, driveProgram, failure, hour, machine, T0 } from "#test/support/drive.ts";
import { again, because, order, ran, taken } from "./again.ts";
import { naming } from "#test/support/matchers/naming.ts";
import { MICROSTEPS_MAX } from "#schema/limits/executions.ts";

describe("a machine", () => {
  test("begins at the state, with the variables that the earlier one had, and nothing before it is done", () => {
    const t = again(order, ran().cancel(), { state: "ship" });
    expect([t.at, t.runs(), t.state.variables]).toEqual([
      "ship",
      ["send scheduled"],
      { n: 1, usual: 1, label: { id: 7 } },
    ]);
    expect(t.state.restartOf).toMatchObject({ execution: "exe_1", incarnation: T0, from: { state: "ship" } });
    expect(t.entries[0]).toMatchObject({
      kind: "started",
      restartOf: "exe_1",
      place: { state: "ship" },
      reason: "again",
    });
  });

  test("passes over what was made, with the old results, and goes on to what was not", () => {
    const t = again(order, ran().cancel(), { state: "label" });
    expect([t.at, t.runs()]).toEqual(["ship", ["print ok", "box ok", "send scheduled"]]);
    expect(t.run("print")).toMatchObject({ result: { id: 7 }, reason: "result_reused", attempt: 0, config: null });
    expect(t.state.variables).toMatchObject({ label: { id: 7 } });
    expect(t.newLines().filter((line) => line.startsWith("run_reused"))).toEqual([
      "run_reused 1.0 print: exe_1/1.0",
      `run_reused 1.1 box: exe_1/${ran().run("box").id}`,
    ]);
    expect(t.state.lastAction).toMatchObject({ actionName: "box", succeeded: true, inProgress: false });
    expect(t.state.restartOf?.made).toEqual([]);
  });

  test("hears the events that the earlier run had", () => {
    const listening = machine({
      ...order,
      states: { ...order.states, label: { on: { webhook_called: "pack", "action.print.ok": "ship" } } },
    });
    expect(again(listening, ran().cancel(), { state: "label" }).entries).toContainEqual(
      expect.objectContaining({ kind: "moved", from: "label", by: "webhook_called" }),
    );
  });

  test.each<[string, Repeat, string[]]>([
    ["nothing", "none", ["print ok", "box ok", "send scheduled"]],
    ["everything", "all", ["print queued"]],
    ["what is named", ["box"], ["print ok", "box queued"]],
  ])("does again %s", (_what, repeat, runs) => {
    expect(again(order, ran().cancel(), { state: "label" }, repeat).runs()).toEqual(runs);
  });

  test("does what lies on an earlier round anew, once the earlier one has entered the place again", () => {
    const t = ran()
      .event("back")
      .ok("print", { result: { id: 8 } });
    expect(because(t.program, t, { state: "label" })).toEqual(["1.0 print before", "3.0 box before", "6.0 print -"]);
    const next = again(order, t.cancel(), { state: "label" });
    expect([next.at, next.runs()]).toEqual(["pack", ["print ok", "box queued"]]);
    expect(next.run("print").result).toEqual({ id: 8 });
  });

  test("passes over each once: the next round is a round of its own", () => {
    const t = again(order, ran().cancel(), { state: "label" }).event("back");
    expect(t.runs()).toEqual(["print ok", "box ok", "send canceled", "print queued"]);
  });

  test("repeats effects with unknown outcome, and does not count certain failures", () => {
    const t = drive(order).start({ n: 1 }).claim("print").tickAt(35_000);
    expect(because(t.program, t, { state: "label" })).toEqual(["1.0 print not_known"]);
    expect(again(order, t.cancel(), { state: "label" }).runs()).toEqual(["print queued"]);
    const refused = drive(order).start({ n: 1 }).miss("print", { type: "not_found", retryable: false });
    expect(because(refused.program, refused, { state: "label" })).toEqual([]);
    const gone = drive(order)
      .start({ n: 1 })
      .claim("print")
      .settle("print", failure({ effect: "unknown" }));
    expect(because(gone.program, gone, { state: "label" })).toEqual(["1.0 print not_known"]);
    // A late success.
    gone.tickAt(Number(gone.wake)).ok("print");
    expect(because(gone.program, gone, { state: "label" })[0]).toBe("1.0 print -");
  });

  test("does not pass over occurrences of a schedule: those to come are others", () => {
    const daily = machine({
      states: { a: { on: { end: "b" } }, b: { type: "final" } },
      actions: [action("daily", { triggerState: "a", schedule: "0 * * * *" })],
    });
    const t = drive(daily).start().tickAt(hour).ok("daily");
    expect(because(t.program, t, { state: "a" })).toEqual([expect.stringMatching(/daily scheduled$/)]);
    const next = again(daily, t.cancel(), { state: "a" });
    expect([next.runs(), Object.keys(next.timers()).length]).toEqual([[], 1]);
  });

  test("begins at a state of a region, and the others as they always do", () => {
    const regions = machine({
      type: "parallel",
      states: {
        left: {
          initial: "one",
          states: { one: { on: { go: "two" } }, two: { initial: "deep", states: { deep: {}, deeper: {} } } },
        },
        right: { initial: "one", states: { one: {}, two: {} } },
      },
    });
    const t = drive(regions).start();
    expect(again(regions, t.cancel(), { state: "left.two.deeper" }).at).toBe("left.two.deeper, right.one");
    expect(again(regions, t, { state: "left.two" }).at).toBe("left.two.deep, right.one");
  });

  test("is refused if a rule cannot be evaluated there, or if it loops endlessly", () => {
    const faulty = (always: object) =>
      machine({ states: { a: { on: { go: "b" } }, b: { always: always as never }, c: { always: { target: "b" } } } });
    for (const [always, ...named] of [
      [{ target: "a", guard: { "+": ["x"] } }],
      [{ target: "c" }, MICROSTEPS_MAX, "MICROSTEPS_MAX"],
    ] as const) {
      const definition = faulty(always);
      const t = drive(definition).start();
      const start = ask.start();
      const restart = taken(compile(definition), t, { state: "b" });
      const command = start.kind === "start" ? { ...start, execution: "exe_2", restart } : start;
      const refusal = driveProgram([compile(definition), compile(definition)]).refused(command);
      expect(refusal).toMatchObject({ code: "invalid_input", message: naming(...named) });
    }
  });
});
