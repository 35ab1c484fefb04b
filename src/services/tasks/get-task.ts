// Reads one task.
import { findTask } from "#catalog/tasks.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { Caller, Deps } from "../deps.ts";
import { noTask, viewOf, type TaskView } from "./task-view.ts";
import { tenantOf } from "../caller/tenant-of.ts";

export async function getTask(
  deps: Deps,
  caller: Caller,
  { task }: { readonly task: string },
): Promise<Result<TaskView>> {
  const tenant = tenantOf(caller);
  if (!tenant.ok) return tenant;
  const row = await findTask(deps.db, tenant.value, task);
  return row === null ? refuse(noTask(task)) : accept(viewOf(row));
}
