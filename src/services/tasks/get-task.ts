// Reads one task.
import { findTask } from "#catalog/tasks/tasks.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { noTask, viewOf, type TaskView } from "./task-view.ts";

export async function getTask(
  deps: Deps,
  caller: TenantCaller,
  { task }: { readonly task: string },
): Promise<Result<TaskView>> {
  const row = await findTask(deps.db, caller.tenant, task);
  return row === null ? refuse(noTask(task)) : accept(viewOf(row));
}
