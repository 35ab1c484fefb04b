// Task creation: creates the task of a run. The runner `task` calls this. A retried run finds the task that it created
// before.
import { catalogOutage } from "../catalog-outage.ts";
import { insertTask, type StoredTask } from "#catalog/tasks/tasks.ts";
import { instant, resolveDelay } from "#kernel/language/timing.ts";
import type { ActionError, TouchedTask } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { taskId } from "#schema/ids.ts";
import type { NewTask } from "#schema/task.ts";
import type { Deps } from "../deps.ts";
import { taskWatch } from "./task-watch.ts";

export type CreatedTask =
  | {
      readonly ok: true;
      readonly task: { readonly id: string; readonly dueAt: number | null; readonly touched: TouchedTask };
    }
  | { readonly ok: false; readonly failure: { readonly error: ActionError } };

export async function createTask(
  deps: Pick<Deps, "db" | "now" | "log">,
  { tenant, execution, run, action, incarnation }: Ticket,
  { title, assignee, priority, dueDate, timezone, reminder, escalateTo, ...body }: NewTask,
): Promise<CreatedTask> {
  const now = deps.now();
  const dueAt = dueDate === null ? null : dueInstant(dueDate, timezone ?? "UTC", now);
  if (dueAt === undefined) return { ok: false, failure: { error: dueDateInvalid(dueDate ?? "") } };
  const id = taskId(execution, run);
  const requested = { title, assignee, priority, dueAt };
  const identity = { tenant, id, execution, run, action, incarnation, status: "open", ...requested } as const;
  const openState = {
    closedAt: null,
    closedBy: null,
    closedByVerified: null,
    reason: null,
    delivery: null,
    result: null,
  };
  const storedBody = {
    ...body,
    ...(timezone && { timezone }),
    ...(reminder && { reminder }),
    ...(escalateTo && { escalateTo }),
  };
  const row = {
    ...identity,
    ...openState,
    escalatedAt: null,
    escalatedFrom: null,
    createdAt: now,
    updatedAt: now,
    body: storedBody,
  };
  try {
    const task = await insertTask(deps.db, row);
    return { ok: true, task: { id: task.id, dueAt: task.dueAt, touched: touchedTask(task, now) } };
  } catch (cause) {
    deps.log({ level: "error", event: "task_not_created", execution, run, message: String(cause) });
    return {
      ok: false,
      failure: { error: catalogOutage(cause, "the catalog does not answer, so tasks cannot be written") },
    };
  }
}

/** Returns the task as its execution stores it. A task whose end was not delivered yet still counts as open. */
export function touchedTask(task: StoredTask, now: number): TouchedTask {
  const { id, run, status, delivery, body, createdAt, dueAt, escalatedAt } = task;
  const isOpen = status === "open" || (status !== "withdrawn" && delivery === null);
  if (status !== "open") return { run, id, isOpen };
  const { reminder, escalateTo, timezone } = body;
  const watched = { reminder, escalateTo, timezone, createdAt, dueAt, isEscalated: escalatedAt !== null };
  return { run, id, isOpen, watch: taskWatch(watched, now) };
}

/** Converts a due date to epoch ms. Returns undefined if it is not a valid instant. */
export function dueInstant(dueDate: string, timezone: string, now: number): number | undefined {
  const at = instant(dueDate, timezone);
  if (at !== null) return at;
  const resolved = resolveDelay({ offset: dueDate }, { now, timezone, delays: {}, scope: {} });
  return resolved.ok && resolved.at !== null ? resolved.at : undefined;
}

export function dueDateInvalid(dueDate: string): ActionError {
  const message = `dueDate is not a valid instant: ${dueDate}`;
  return { type: "invalid_configuration", message, retryable: false, code: "due_date" };
}
