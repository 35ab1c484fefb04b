// Own-task changes: a process changes the open tasks of one of its actions, and no others.
import { describe, expect, test } from "vitest";
import { findTask, type StoredTask } from "#catalog/tasks/tasks.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { taskId } from "#schema/ids.ts";
import type { TaskChange } from "#schema/task.ts";
import { changeOwnTasks } from "#services/tasks/change-own-tasks.ts";
import { brokenBinding, catalog, newTenant, NOW, world } from "#test/support/catalog.ts";
import { openDb } from "#catalog/db.ts";
import { EXECUTION, storeTask } from "./task-rows.ts";

const hour = 60 * 60_000;

async function openTasks() {
  const tenant = newTenant();
  const add = (run: string, part: Partial<StoredTask> = {}) => storeTask(tenant, run, part);
  const ticket = { tenant, execution: EXECUTION, run: "9.0", action: "change", incarnation: NOW } as Ticket; // the fields that are read
  const deps = world();
  deps.clock.now += 1_000;
  const change = (requested: TaskChange) => changeOwnTasks(deps, ticket, requested);
  const read = async (run: string, execution = EXECUTION) => findTask(catalog(), tenant, taskId(execution, run));
  return { tenant, add, change, read, deps, ticket };
}

describe("an update", () => {
  test("changes the named fields of all open tasks of the action, and no others", async () => {
    const { add, change, read } = await openTasks();
    await add("1.0");
    await add("2.0");
    await add("3.0", { action: "other" });
    await add("4.0", { status: "completed", closedAt: NOW });
    await add("1.0", { execution: "exe_10" });
    await add("5.0", { incarnation: NOW - 9, createdAt: NOW - 9 });
    const touched = await change({
      operation: "update",
      task: "ask",
      assignee: "grace",
      priority: 70,
      title: "Approve it",
    });
    expect(touched).toMatchObject({
      ok: true,
      tasks: [
        { run: "1.0", isOpen: true },
        { run: "2.0", isOpen: true },
      ],
    });
    const changed = { assignee: "grace", priority: 70, title: "Approve it", updatedAt: NOW + 1_000 };
    expect(await read("1.0")).toMatchObject({ ...changed, body: { description: "by Friday", payload: 1 } });
    expect(await read("2.0")).toMatchObject(changed);
    for (const run of ["3.0", "4.0", "5.0"]) expect(await read(run)).toMatchObject({ assignee: "ada" });
    expect(await read("1.0", "exe_10")).toMatchObject({ assignee: "ada" });
  });

  test("empties the fields that are null", async () => {
    const { add, change, read } = await openTasks();
    await add("1.0", { dueAt: NOW + hour, priority: 5 });
    const nothing = { assignee: null, priority: null, dueDate: null, description: null };
    await change({ operation: "update", task: "ask", ...nothing });
    const empty = { assignee: null, priority: null, dueAt: null, title: "Approve", body: { description: null } };
    expect(await read("1.0")).toMatchObject(empty);
  });

  test("of the due date moves reminder and escalation", async () => {
    const { add, change, read } = await openTasks();
    const body = { description: null, payload: null, form: null, escalateTo: { assignee: "grace" } };
    await add("1.0", { dueAt: NOW + hour, body });
    const moved = await change({ operation: "update", task: "ask", dueDate: "PT3H" });
    const escalateAt = NOW + 1_000 + 3 * hour;
    expect(moved).toMatchObject({ ok: true, tasks: [{ watch: { remind: null, escalateAt } }] });
    expect(await read("1.0")).toMatchObject({ dueAt: escalateAt });
  });

  test("to a date without an offset uses the named zone", async () => {
    const { add, change, read } = await openTasks();
    await add("1.0");
    await change({ operation: "update", task: "ask", dueDate: "2026-12-01T09:00:00", timezone: "Europe/Zurich" });
    expect(await read("1.0")).toMatchObject({ dueAt: Date.UTC(2026, 11, 1, 8), body: { timezone: "Europe/Zurich" } });
  });

  test("to an invalid moment is refused, and changes nothing", async () => {
    const { add, change, read } = await openTasks();
    await add("1.0");
    const refused = await change({ operation: "update", task: "ask", dueDate: "2026-02-30", assignee: "grace" });
    expect(refused).toMatchObject({ ok: false, failure: { error: { code: "due_date", retryable: false } } });
    expect(await read("1.0")).toMatchObject({ assignee: "ada" });
  });
});

describe("a withdrawal", () => {
  test("closes the open tasks with the reason, and none that a person has closed", async () => {
    const { add, change, read } = await openTasks();
    await add("1.0");
    await add("2.0", { status: "completed", closedAt: NOW });
    const touched = await change({ operation: "withdraw", task: "ask", reason: "sold out" });
    expect(touched).toEqual({ ok: true, tasks: [{ run: "1.0", id: "tsk_1.1.0", isOpen: false }] });
    expect(await read("1.0")).toMatchObject({ status: "withdrawn", reason: "sold out", closedBy: "engine:exe_1" });
    expect(await read("2.0")).toMatchObject({ status: "completed", delivery: null });
    expect(await change({ operation: "withdraw", task: "ask" })).toEqual({ ok: true, tasks: [] });
  });

  test("is retried while the catalog is down", async () => {
    const { deps, ticket } = await openTasks();
    const down = { ...deps, db: openDb(brokenBinding) };
    const failed = await changeOwnTasks(down, ticket, { operation: "withdraw", task: "ask" });
    expect(failed).toMatchObject({ ok: false, failure: { error: { type: "service_unavailable", retryable: true } } });
    expect(deps.lines).toMatchObject([{ event: "task_not_changed", execution: "exe_1" }]);
  });
});
