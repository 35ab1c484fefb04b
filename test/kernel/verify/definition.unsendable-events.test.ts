// A state that listens for an event that neither clients nor the engine can send would wait forever.
import { expect, test } from "vitest";
import { verify } from "#test/kernel/verify/at-once.ts";
import { action, machine } from "#test/support/drive.ts";
import { naming } from "#test/support/matchers/naming.ts";

const listening = (...types: string[]) =>
  machine({
    states: { a: { on: Object.fromEntries(types.map((type) => [type, "a"])) } },
    actions: [action("ask", { triggerState: "a", onExhausted: { event: "task_given_up" } })],
  });

test("ends of children and tasks that there are none of are found, with those there are", () => {
  const hint = naming(
    "child_completed, child_failed, child_canceled, task_completed, task_canceled, task_reminder, task_escalated",
  );
  expect(verify(listening("child_done", "task_failed"))).toEqual([
    { pointer: "/states/a/on/child_done", code: "unknown_event", message: naming("child_done"), hint },
    { pointer: "/states/a/on/task_failed", code: "unknown_event", message: naming("task_failed"), hint },
  ]);
});

test("those there are, and what an action says of itself, are sound", () => {
  const told = ["child_completed", "child_failed", "child_canceled", "task_completed", "task_canceled"];
  const open = ["task_reminder", "task_escalated"];
  expect(verify(listening(...told, ...open, "task_created", "task_given_up", "childish", "tasks.done"))).toEqual([]);
});
