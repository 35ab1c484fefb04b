// Task updates: applies the updates that an execution requests: cancel, remind, escalate. The outbox consumer calls
// this. A late or repeated message has no effect if the execution no longer needs the update.
import { escalateTask } from "#catalog/tasks/escalated-tasks.ts";
import type { StoredTask } from "#catalog/tasks/tasks.ts";
import { taskOfRun, withdrawTask } from "#catalog/tasks/withdrawn-tasks.ts";
import { taskUpdates } from "#kernel/execution/tasks/task-updates.ts";
import type { UpdatedTask, TaskUpdate } from "#schema/engine/own-task.ts";
import type { Confirmation, OutboxMessage } from "#schema/engine/outbox.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { auditRow } from "../audit/audit.ts";
import type { Deps, TenantCaller } from "../deps.ts";

type UpdateDeps = Pick<Deps, "db" | "now" | "randomBytes" | "log">;

/** Returns the confirmations of the applied updates. If one update fails, the others are still applied. */
export async function updateTasks(
  deps: UpdateDeps,
  state: ExecutionState,
  messages: readonly OutboxMessage[],
): Promise<readonly Confirmation[]> {
  const keys = new Set(messages.map(({ key }) => key));
  const updates = taskUpdates(state).filter(({ key }) => keys.has(key));
  const results = await Promise.allSettled(updates.map((update) => updateTask(deps, state, update)));
  for (const result of results) {
    if (result.status === "fulfilled") continue;
    deps.log({ level: "warn", event: "task_not_updated", execution: state.id, message: String(result.reason) });
  }
  return results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
}

async function updateTask(deps: UpdateDeps, state: ExecutionState, update: TaskUpdate): Promise<Confirmation> {
  const { tenant, id: execution, createdAt: incarnation } = state;
  const { key, run } = update;
  const task = await taskOfRun(deps.db, { tenant, execution, run, incarnation });
  if (task === null) return { kind: "task_update", key, found: "none" };
  const after = await applyUpdate(deps, state, update, task);
  return { kind: "task_update", key, found: after ? "open" : "closed", task: shownTask(after ?? task) };
}

/** Applies the update. Returns null if the task had already ended. */
async function applyUpdate(
  deps: UpdateDeps,
  { tenant, id: execution }: ExecutionState,
  update: TaskUpdate,
  task: StoredTask,
): Promise<StoredTask | null> {
  const caller: TenantCaller = { actor: { kind: "engine", id: execution }, tenant, scopes: [] };
  const audit = (verb: string, reason: string | null) => auditRow(deps, caller, verb, task.id, reason);
  switch (update.kind) {
    case "withdraw": {
      const { at, reason } = update;
      const entry = audit("task.withdraw", reason);
      return (await withdrawTask(deps.db, task, { at, by: entry.actor, reason }, entry)) ? task : null;
    }
    case "remind":
      return task.status === "open" ? task : null;
    case "escalate":
      return escalateTask(deps.db, task, deps.now(), audit("task.escalate", null));
  }
}

function shownTask({ id, title, assignee, priority, dueAt, escalatedFrom }: StoredTask): UpdatedTask {
  return { id, title, assignee, priority, dueAt, escalatedFrom };
}
