// Makes a run's task: what the runner `task` is given as `context.tasks`. Tried again, the run finds the task it made.
import { catalogTrouble } from "../catalog-trouble.ts";
import { insertTask } from "#catalog/tasks.ts";
import { instant, resolveDelay } from "#kernel/language/timing.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { taskId } from "#schema/ids.ts";
import type { NewTask } from "#schema/task.ts";
import type { Deps } from "../deps.ts";

export type CreatedTask =
  | { readonly ok: true; readonly task: { readonly id: string; readonly dueAt: number | null } }
  | { readonly ok: false; readonly failure: { readonly error: ActionError } };

export async function createTask(
  deps: Pick<Deps, "db" | "now" | "log">,
  { tenant, execution, run, action, life }: Ticket,
  { title, assignee, dueDate, timezone, ...body }: NewTask,
): Promise<CreatedTask> {
  const now = deps.now();
  const dueAt = dueDate === null ? null : dueInstant(dueDate, timezone ?? "UTC", now);
  if (dueAt === undefined) return invalid(`dueDate gives no moment: ${dueDate}`, "due_date");
  const id = taskId(execution, run);
  const made = {
    tenant,
    id,
    execution,
    run,
    action,
    life: life ?? null,
    status: "open",
    title,
    assignee,
    dueAt,
  } as const;
  const open = { closedAt: null, closedBy: null, reason: null, delivery: null, result: null };
  try {
    const task = await insertTask(deps.db, { ...made, ...open, createdAt: now, updatedAt: now, body });
    return { ok: true, task: { id: task.id, dueAt: task.dueAt } };
  } catch (cause) {
    deps.log({ level: "error", event: "task_not_created", execution, run, message: String(cause) });
    return { ok: false, failure: { error: catalogTrouble(cause, "tasks cannot be written just now") } };
  }
}

/** undefined for what leads to no moment. */
export function dueInstant(dueDate: string, timezone: string, now: number): number | undefined {
  const at = instant(dueDate, timezone);
  if (at !== null) return at;
  const resolved = resolveDelay({ offset: dueDate }, { now, timezone, delays: {}, scope: {} });
  return resolved.ok && resolved.at !== null ? resolved.at : undefined;
}

function invalid(message: string, code: string): CreatedTask {
  return { ok: false, failure: { error: { type: "invalid_configuration", message, retryable: false, code } } };
}
