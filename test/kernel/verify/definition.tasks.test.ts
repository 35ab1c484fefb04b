// Actions that change another action's task, and standalone actions with task fields.
import { expect, test } from "vitest";
import { oneActionFindings } from "#kernel/verify/actions.ts";
import { verify } from "#test/kernel/verify/at-once.ts";
import { action, machine } from "#test/support/drive.ts";
import { naming, notNaming } from "#test/support/matchers/naming.ts";

const changing = (config: Record<string, string>) => {
  const ask = action("ask", { type: "task", triggerState: "a", config: { title: "Look" } });
  const change = action("change", { type: "task", config });
  const states = { a: { on: { task_completed: "b", go: { actions: ["change"] } } }, b: { type: "final" as const } };
  return machine({ states, actions: [ask, change] });
};

test.each([
  [{ operation: "withdraw", task: "ask" }],
  [{ operation: "update", task: "{{ message.payload.task }}", title: "x" }],
  [{ operation: "withdraw" }],
  [{ operation: "create", title: "x", task: "nobody" }],
])("%j is none of the machine's mistakes", (config) => {
  expect(verify(changing(config))).toEqual([]);
});

test.each([["asks"], ["everybody"], ["change"]])("tasks of %s, which asks for none, cannot be meant", (task) => {
  const message = naming(task);
  const hint = naming("ask");
  expect(verify(changing({ operation: "withdraw", task }))).toEqual([
    { pointer: "/actions/1/config/task", code: "unknown_action", message, hint },
  ]);
});

test("if no action creates a task, the hint says so", () => {
  const definition = machine({
    states: { a: { on: { go: { actions: ["change"] } } } },
    actions: [action("change", { type: "task", config: { operation: "withdraw", task: "x" } })],
  });
  expect(verify(definition)).toMatchObject([{ code: "unknown_action", hint: notNaming("change") }]);
});

test("a standalone action has no tasks to change, and no machine for their events", () => {
  const pointers = (config: Record<string, string>) =>
    oneActionFindings(action("ask", { type: "task", config }), null, "").map(({ pointer, code }) => [pointer, code]);
  expect(pointers({ title: "Call Ada", operation: "create" })).toEqual([]);
  expect(pointers({ title: "Call Ada", reminder: "x", escalateTo: "y" })).toEqual([
    ["/config/reminder", "not_in_standalone"],
    ["/config/escalateTo", "not_in_standalone"],
  ]);
  expect(pointers({ operation: "withdraw", task: "ask" })).toEqual([["/config/operation", "not_in_standalone"]]);
});
