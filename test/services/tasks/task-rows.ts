// Task rows of one execution, for the tests of task changes.
import { insertTask, type StoredTask } from "#catalog/tasks/tasks.ts";
import { taskId } from "#schema/ids.ts";
import { catalog, NOW } from "#test/support/catalog.ts";

export const EXECUTION = "exe_1";

/** Stores an open task that a run of the action `ask` created; `part` replaces single fields. Returns the stored row. */
export async function storeTask(tenant: string, run: string, part: Partial<StoredTask> = {}): Promise<StoredTask> {
  const { execution = EXECUTION } = part;
  return insertTask(catalog(), {
    tenant,
    id: taskId(execution, run),
    execution,
    run,
    action: "ask",
    status: "open",
    title: "Approve",
    assignee: "ada",
    dueAt: null,
    createdAt: NOW,
    updatedAt: NOW,
    closedAt: null,
    closedBy: null,
    closedByVerified: null,
    reason: null,
    delivery: null,
    result: null,
    incarnation: NOW,
    priority: null,
    escalatedAt: null,
    escalatedFrom: null,
    body: { description: "by Friday", payload: 1, form: null },
    ...part,
  });
}
