// Gives an open task to somebody else, or to nobody in particular.
import { findTask, reassignTask as reassign } from "#catalog/tasks.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { auditRow } from "../upkeep/audit.ts";
import type { Caller, Deps } from "../deps.ts";
import { noTask, taskClosed, viewOf, type TaskView } from "./task-view.ts";
import { tenantOf } from "../caller/tenant-of.ts";

export type ReassignTask = {
  readonly task: string;
  readonly assignee: string | null;
  readonly reason: string | null;
  readonly dryRun: boolean;
};

export async function reassignTask(
  deps: Deps,
  caller: Caller,
  { task, assignee, reason, dryRun }: ReassignTask,
): Promise<Result<TaskView>> {
  const tenant = tenantOf(caller);
  if (!tenant.ok) return tenant;
  const row = await findTask(deps.db, tenant.value, task);
  if (row === null) return refuse(noTask(task));
  if (row.status !== "open") return refuse(taskClosed(row));
  const changed = { ...row, assignee, updatedAt: deps.now() };
  if (dryRun) return accept(viewOf(changed));
  const audit = auditRow(deps, { ...caller, tenant: tenant.value }, "task.reassign", row.id, reason);
  if (await reassign(deps.db, changed, audit)) return accept(viewOf(changed));
  return refuse(taskClosed((await findTask(deps.db, tenant.value, task)) ?? row));
}
