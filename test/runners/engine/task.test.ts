// Tests of the task runner: the contract without HTTP, and the calls of the tasks port.
import { expect, it } from "vitest";
import { runners } from "#runners/registry.ts";
import type { TasksPort } from "#runners/core/runner.ts";
import type { JsonObject } from "#schema/json.ts";
import type { NewTask, TaskChange } from "#schema/task.ts";
import { runnerContract } from "#test/runners/contract.ts";
import { performed } from "#test/runners/perform.ts";
import { deaf, NOW } from "#test/runners/world.ts";

const touched = { run: "4.0", id: "tsk_1.4.0", isOpen: true };

function port(answer?: Awaited<ReturnType<TasksPort["create"]>>) {
  const asked: NewTask[] = [];
  const changes: TaskChange[] = [];
  const create: TasksPort["create"] = async (task) => {
    asked.push(task);
    return answer ?? { ok: true, task: { id: "tsk_1.4.0", dueAt: NOW, touched } };
  };
  const change: TasksPort["change"] = async (asking) => {
    changes.push(asking);
    return answer?.ok === false ? answer : { ok: true, tasks: [touched] };
  };
  return { asked, changes, tasks: { create, change } };
}

runnerContract(runners.task, { goodConfig: { title: "Approve it" }, answer: null, ports: port() });

it("creates the task with all fields of the config, and reports it", async () => {
  const { asked, tasks } = port();
  const config = {
    title: "Approve",
    description: "by Friday",
    assignee: "ada",
    dueDate: "P2D",
    timezone: "Europe/Zurich",
    priority: 70,
    reminder: { every: "P1D", times: 2 },
    escalateTo: { assignee: "the board" },
    payload: [1],
    form: { fields: [] },
  };
  const { outcome } = await performed("task", config, deaf, { tasks });
  expect(asked).toEqual([config]);
  const made = { taskId: "tsk_1.4.0", title: "Approve", assignee: "ada", dueAt: "2026-01-15T12:00:00.000Z" };
  expect(outcome).toEqual({
    ok: true,
    result: made,
    events: [{ type: "task_created", payload: { ...made, actionId: "notify" } }],
    tasks: [touched],
    startedAt: NOW,
    endedAt: NOW,
  });
});

it("accepts assignedTo as assignee, and leaves out missing fields", async () => {
  const { asked, tasks } = port();
  await performed("task", { title: "x", assignedTo: "grace" }, deaf, { tasks });
  const nothing = { description: null, dueDate: null, timezone: null, payload: null, form: null };
  const unwatched = { priority: null, reminder: null, escalateTo: null };
  expect(asked).toEqual([{ title: "x", assignee: "grace", ...nothing, ...unwatched }]);
});

it.each<[JsonObject, string]>([
  [{ title: "" }, "title"],
  [{}, "title"],
  [{ title: "x", dueDate: "next week" }, "dueDate"],
  [{ title: "x", assignee: "ada", assignedTo: "grace" }, "assignedTo"],
  [{ title: "x", timezone: "Mars" }, "timezone"],
  [{ title: "x", priority: 101 }, "priority"],
  [{ title: "x", reminder: {} }, "reminder.after"],
  [{ title: "x", reminder: { after: "P1D", before: "P1D" }, dueDate: "P3D" }, "reminder.before"],
  [{ title: "x", reminder: { before: "P1D" } }, "reminder.before"],
  [{ title: "x", reminder: { after: "P1D", times: 2 } }, "reminder.times"],
  [{ title: "x", reminder: { every: "PT30S" } }, "reminder.every"],
  [{ title: "x", reminder: { after: "-P1D" } }, "reminder.after"],
  [{ title: "x", escalateTo: { assignee: "grace" } }, "escalateTo.after"],
  [{ title: "x", escalateTo: { after: "P1D" } }, "escalateTo.assignee"],
  [{ operation: "update", task: "ask" }, "assignee"],
  [{ operation: "update", assignee: "grace" }, "task"],
  [{ operation: "withdraw" }, "task"],
  [{ operation: "withdraw", task: "ask", assignee: "grace" }, "assignee"],
  [{ operation: "forget", task: "ask" }, "operation"],
])("refuses %j for its %s", async (config, field) => {
  const { outcome } = await performed("task", config, deaf, port());
  expect(outcome).toMatchObject({ ok: false, error: { type: "invalid_configuration", code: "invalid_config" } });
  expect(outcome.ok ? "" : outcome.error.message).toContain(field);
});

it("returns the reason if no task was created", async () => {
  const error = { type: "service_unavailable", message: "not now", retryable: true, code: "task_unwritten" };
  const { outcome } = await performed("task", { title: "x" }, deaf, port({ ok: false, failure: { error } }));
  expect(outcome).toMatchObject({ ok: false, error });
});

it("reports a missing tasks port", async () => {
  const { outcome } = await performed("task", { title: "x" }, deaf);
  expect(outcome).toMatchObject({ ok: false, error: { code: "tasks_missing", retryable: false } });
});

it.each<[JsonObject, JsonObject]>([
  [
    { operation: "update", task: "ask", assignee: "grace", reason: "on holiday" },
    { operation: "update", task: "ask" },
  ],
  [
    { operation: "withdraw", task: "ask" },
    { operation: "withdraw", task: "ask" },
  ],
])("%j changes the open tasks of the named action, and lists them", async (config, result) => {
  const { asked, changes, tasks } = port();
  const { outcome } = await performed("task", config, deaf, { tasks });
  expect([asked, changes]).toEqual([[], [config]]);
  expect(outcome).toMatchObject({
    ok: true,
    result: { ...result, taskIds: ["tsk_1.4.0"] },
    events: [],
    tasks: [touched],
  });
});

it("returns the reason if no task was changed", async () => {
  const error = { type: "service_unavailable", message: "not now", retryable: true, code: "task_unwritten" };
  const config = { operation: "withdraw", task: "ask" };
  const { outcome } = await performed("task", config, deaf, port({ ok: false, failure: { error } }));
  expect(outcome).toMatchObject({ ok: false, error });
});
