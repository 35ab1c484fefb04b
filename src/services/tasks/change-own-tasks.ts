// Own-task changes: changes or cancels the open tasks that an action of the same execution created. The runner `task`
// calls this. A task that a person has ended meanwhile stays unchanged.
import { editTask, openTasksOf } from "#catalog/tasks/own-tasks.ts";
import type { StoredTask } from "#catalog/tasks/tasks.ts";
import { withdrawOpenTask } from "#catalog/tasks/withdrawn-tasks.ts";
import type { ActionError, TouchedTask } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { TASKS_OPEN_MAX } from "#schema/limits/executions.ts";
import type { TaskChange } from "#schema/task.ts";
import { auditRow } from "../audit/audit.ts";
import { catalogOutage } from "../catalog-outage.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { dueInstant, dueDateInvalid, touchedTask } from "./create-task.ts";

export type ChangedTasks =
  | { readonly ok: true; readonly tasks: readonly TouchedTask[] }
  | { readonly ok: false; readonly failure: { readonly error: ActionError } };

export async function changeOwnTasks(
  deps: Pick<Deps, "db" | "now" | "randomBytes" | "log">,
  ticket: Ticket,
  change: TaskChange,
): Promise<ChangedTasks> {
  const { execution, run } = ticket;
  const dueAt = newDueDate(change, deps.now());
  if (dueAt === false) return { ok: false, failure: { error: dueDateInvalid(dueDateOf(change) ?? "") } };
  try {
    const tasks = await openTasksOf(deps.db, { ...ticket, action: change.task }, TASKS_OPEN_MAX);
    const touched: TouchedTask[] = [];
    for (const task of tasks) touched.push(...(await changeOne(deps, task, change, dueAt)));
    return { ok: true, tasks: touched };
  } catch (cause) {
    deps.log({ level: "error", event: "task_not_changed", execution, run, message: String(cause) });
    return {
      ok: false,
      failure: { error: catalogOutage(cause, "the catalog does not answer, so tasks cannot be written") },
    };
  }
}

/** Changes one task. Returns an empty list if the task has ended meanwhile. */
async function changeOne(
  deps: Pick<Deps, "db" | "now" | "randomBytes">,
  task: StoredTask,
  change: TaskChange,
  dueAt: number | null | undefined,
): Promise<readonly TouchedTask[]> {
  const { tenant, execution, id, run } = task;
  const now = deps.now();
  const caller: TenantCaller = { actor: { kind: "engine", id: execution }, tenant, scopes: [] };
  const { reason = null } = change;
  if (change.operation === "withdraw") {
    const audit = auditRow(deps, caller, "task.withdraw", id, reason);
    const withdrawal = { at: now, by: audit.actor, reason };
    return (await withdrawOpenTask(deps.db, task, withdrawal, audit)) ? [{ run, id, isOpen: false }] : [];
  }
  const { title = task.title, assignee = task.assignee, priority = task.priority } = change;
  const { description = task.body.description, payload = task.body.payload } = change;
  const body = { ...task.body, description, payload, ...(change.timezone && { timezone: change.timezone }) };
  const edited = { ...task, title, assignee, priority, body, updatedAt: now };
  const after = dueAt === undefined ? edited : { ...edited, dueAt };
  const verb = assignee === task.assignee ? "task.update" : "task.reassign";
  const isDone = await editTask(deps.db, after, auditRow(deps, caller, verb, id, reason));
  return isDone ? [touchedTask(after, now)] : [];
}

/**
 * Returns the new due date: undefined if it is unchanged, null if it is removed, or false if the text is not a valid
 * date or time.
 */
function newDueDate(change: TaskChange, now: number): number | null | undefined | false {
  const dueDate = dueDateOf(change);
  if (dueDate === undefined || dueDate === null) return dueDate;
  const timezone = change.operation === "update" ? change.timezone : undefined;
  return dueInstant(dueDate, timezone ?? "UTC", now) ?? false;
}

function dueDateOf(change: TaskChange): string | null | undefined {
  return change.operation === "update" ? change.dueDate : undefined;
}
