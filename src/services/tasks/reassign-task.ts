// Gives an open task to somebody else, or to nobody in particular.
import { findTask, reassignTask as reassign } from "#catalog/tasks/tasks.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { auditRow } from "../audit/record-audit.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { noTask, taskClosed, viewOf, type TaskView } from "./task-view.ts";

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
