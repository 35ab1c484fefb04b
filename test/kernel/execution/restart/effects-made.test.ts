// Tasks and children of an execution, taken over by its restart.
import { describe, expect, test } from "vitest";
import { TASK_SOURCE } from "#schema/task.ts";
import { action, ask, drive, machine, type Drive } from "#test/support/drive.ts";
import { again, because } from "./again.ts";

describe("waiting for people and children", () => {
  const states = {
    a: { on: { task_completed: "b", child_completed: "b", "action.x.ok": "b" } },
    b: { on: { end: "done" } },
    done: { type: "final" as const },
  };
  const asking = (type: string, config: object) =>
    machine({ states, actions: [action("x", { type, triggerState: "a", config: { ...config } as never })] });
  const waiting = { ...states, a: { on: { task_completed: "b", child_completed: "b" } } };
  const task = machine({
    states: waiting,
    actions: [action("x", { type: "task", triggerState: "a", config: { title: "?" } })],
  });
  const child = machine({
    states: waiting,
    actions: [action("x", { type: "start_execution", triggerState: "a", config: { definition: "y", wait: true } })],
  });
  const answered = (t: Drive, type: string, source: string): Drive => {
    const event = ask.event(type, { run: "1.0", actionId: "x", n: 4 });
    return event.kind === "event" ? t.take({ ...event, event: { ...event.event, source } }) : t;
  };

  test.each([
    ["a person", task, "task_completed", TASK_SOURCE],
    ["a child", child, "child_completed", "execution"],
  ])("%s who has answered has answered for the new one as well", (_who, definition, type, source) => {
    const t = answered(drive(definition).start().ok("x"), type, source);
    const next = again(definition, t.cancel(), { state: "a" });
    expect([next.at, next.runs()]).toEqual(["b", ["x ok"]]);
    const told = next.entries.find(({ kind }) => kind === "run_reused");
    expect(told).toMatchObject({ heard: { type, payload: { n: 4 } } });
    // The same for a restart of the restart.
    expect(again(definition, next.cancel(), { state: "a" }).at).toBe("b");
  });

  test.each([
    ["a person", task],
    ["a child", child],
  ])("%s who has not is asked anew", (_who, definition) => {
    const t = drive(definition).start().ok("x");
    expect(because(t.program, t, { state: "a" })).toEqual(["1.0 x not_answered"]);
    expect(again(definition, t.cancel(), { state: "a" }).runs()).toEqual(["x queued"]);
  });

  test("a run that only starts an execution, or changes a task, waits for no answer", () => {
    for (const definition of [
      asking("start_execution", { definition: "y" }),
      asking("task", { operation: "withdraw", task: "x" }),
    ]) {
      const t = drive(definition).start().ok("x");
      expect(because(t.program, t, { state: "a" })).toEqual(["1.0 x -"]);
    }
  });

  test("what others say of a run is no answer", () => {
    const reminded = machine({ states: { ...waiting, a: { on: { task_reminder: "b" } } }, actions: task.actions });
    const t = answered(drive(reminded).start().ok("x"), "task_reminder", TASK_SOURCE);
    expect(because(t.program, t, { state: "a" })).toEqual(["1.0 x not_answered"]);
    const posted = machine({
      states: { ...waiting, a: { on: { task_completed: "b", news: "b" } } },
      actions: task.actions,
    });
    const other = drive(posted).start().ok("x").event("news", { run: "1.0" });
    expect(because(other.program, other, { state: "a" })).toEqual(["1.0 x not_answered"]);
  });
});
