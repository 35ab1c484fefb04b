// Tasks: gets, lists, reassigns, erases and purges them.
import type { Page } from "#catalog/page.ts";
import {
  type StoredTask,
  findTask,
  listTasks as list,
  type TaskFilters,
  reassignTask as reassign,
  eraseTasks as erase,
  purgeTasks as purge,
} from "#catalog/tasks/tasks.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { auditRow } from "../audit/audit.ts";
import type { TenantCaller, Deps } from "../deps.ts";

export type TaskView = Omit<StoredTask, "tenant">;

export function viewOf({ tenant: _tenant, ...view }: StoredTask): TaskView {
  return view;
}

export function noTask(id: string) {
  return { code: "not_found", message: `There is no task ${id}.` } as const;
}

export function taskClosed({
  id,
  status,
  closedAt,
  reason,
}: Pick<StoredTask, "id" | "status" | "closedAt" | "reason">) {
  const since = closedAt === null ? "" : ` since ${new Date(closedAt).toISOString()}`;
  if (status !== "withdrawn") return { code: "task_closed", message: `The task ${id} is ${status}${since}.` } as const;
  return {
    code: "task_closed",
    message: `The task ${id} was withdrawn${since.replace("since", "at")}: ${whyWithdrawn(reason)}. Nothing was stored.`,
    hint: "To see why, read the execution that created the task.",
    details: { status, reason },
  } as const;
}

/** Returns the reason as a sentence. A reason that is not in the list is already a text. */
function whyWithdrawn(reason: string | null): string {
  switch (reason) {
    case "state_left":
      return "the execution has left the state that needs the task";
    case "execution_completed":
      return "the execution has completed without the task";
    case "execution_failed":
      return "the execution has failed";
    case "execution_canceled":
      return "the execution was canceled";
    case "execution_ended":
      return "the execution has ended";
  }
  return reason ?? "the process no longer needs the task";
}

export async function getTask(
  deps: Deps,
  caller: TenantCaller,
  { task }: { readonly task: string },
): Promise<Result<TaskView>> {
  const row = await findTask(deps.db, caller.tenant, task);
  return row === null ? refuse(noTask(task)) : accept(viewOf(row));
}

export type ListTasks = { readonly filters: TaskFilters; readonly cursor: string | null; readonly limit: number };

export async function listTasks(deps: Deps, caller: TenantCaller, input: ListTasks): Promise<Result<Page<TaskView>>> {
  const page = await list(deps.db, caller.tenant, input.filters, input.cursor, input.limit);
  return page.ok ? accept({ ...page.value, data: page.value.data.map(viewOf) }) : page;
}

export type ReassignTask = {
  readonly task: string;
  readonly assignee: string | null;
  readonly reason: string | null;
  readonly dryRun: boolean;
};

export async function reassignTask(
  deps: Deps,
  caller: TenantCaller,
  { task, assignee, reason, dryRun }: ReassignTask,
): Promise<Result<TaskView>> {
  const row = await findTask(deps.db, caller.tenant, task);
  if (row === null) return refuse(noTask(task));
  if (row.status !== "open") return refuse(taskClosed(row));
  const changed = { ...row, assignee, updatedAt: deps.now() };
  if (dryRun) return accept(viewOf(changed));
  const audit = auditRow(deps, caller, "task.reassign", row.id, reason);
  deps.answerWith?.(viewOf(changed));
  if (await reassign(deps.db, changed, audit)) return accept(viewOf(changed));
  return refuse(taskClosed((await findTask(deps.db, caller.tenant, task)) ?? row));
}

export async function eraseTasks(
  { db }: Pick<Deps, "db">,
  tenant: string,
  { execution, incarnation }: { readonly execution: string; readonly incarnation: number },
): Promise<void> {
  await erase(db, tenant, execution, incarnation);
}

export async function purgeTasks({ db, now }: Pick<Deps, "db" | "now">, rowsMax: number): Promise<number> {
  return purge(db, now(), rowsMax);
}
