// A task as callers may see it, and what is said of one that is not there or not open any more.
import type { StoredTask } from "#catalog/tasks.ts";

export type TaskView = Omit<StoredTask, "tenant">;

export function viewOf({ tenant: _tenant, ...view }: StoredTask): TaskView {
  return view;
}

export function noTask(id: string) {
  return { code: "not_found", message: `There is no task ${id}.` } as const;
}

export function taskClosed({ id, status, closedAt }: StoredTask) {
  const since = closedAt === null ? "" : ` since ${new Date(closedAt).toISOString()}`;
  return { code: "task_closed", message: `The task ${id} is ${status}${since}.` } as const;
}
