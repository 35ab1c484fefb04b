// Task end delivery: notifies an execution how its task ended. The event's id is derived from the run's id, so that the
// execution applies it once. The execution's answer is stored with the task. The sweep repeats failed deliveries.
import { findTask, noteDelivery, undeliveredTasks, type StoredTask } from "#catalog/tasks/tasks.ts";
import { withdrawTask } from "#catalog/tasks/withdrawn-tasks.ts";
import type { JsonObject } from "#schema/json.ts";
import { TASK_SOURCE, taskEventId } from "#schema/task.ts";
import { mayPass } from "#schema/refusal.ts";
import { TASKS_UNDELIVERED_MAX, TASK_UNDELIVERED_MS } from "#schema/limits/executions.ts";
import { auditRow } from "../audit/audit.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { sendEvent, type SendEvent } from "../executions/control-execution.ts";

export const DELIVERED = "delivered";

/**
 * Notifies the execution, and stores its answer. If the execution no longer needs the task, the task becomes
 * `withdrawn`. Never throws, because the task has ended even if the execution cannot be notified.
 */
export async function deliverTaskEnd(deps: Deps, caller: TenantCaller, task: StoredTask): Promise<StoredTask> {
  try {
    const delivery = await deliveryOf(deps, caller, task, false);
    if (delivery === null) return task;
    const stored = isNoLongerNeeded(delivery)
      ? await withdrawUnneeded(deps, task, delivery)
      : await storeDelivery(deps, task, delivery);
    return stored ?? (await findTask(deps.db, task.tenant, task.id)) ?? task;
  } catch (cause) {
    deps.log({ level: "error", event: "task_end_not_delivered", task: task.id, message: String(cause) });
    return task;
  }
}

/**
 * Returns the execution's answer to the task's end; on a dry run, the predicted answer. Returns null if the execution
 * has not decided yet.
 */
export async function deliveryOf(
  deps: Deps,
  caller: TenantCaller,
  task: StoredTask,
  dryRun: boolean,
): Promise<string | null> {
  const sent = await sendEvent(deps, { ...caller, tenant: task.tenant }, { ...eventOf(task), dryRun });
  if (sent.ok) return DELIVERED;
  return mayPass(sent.refusal) ? null : sent.refusal.code;
}

/**
 * True if the execution's answer shows that it no longer needs the task: it has ended, or has left the task's state.
 */
export function isNoLongerNeeded(delivery: string | null): boolean {
  return delivery === "execution_final" || delivery === "task_closed";
}

export function withdrawReason(delivery: string): string {
  return delivery === "execution_final" ? "execution_ended" : "state_left";
}

/** Stores the execution's answer. Returns null if another request has stored one meanwhile. */
async function storeDelivery(deps: Deps, task: StoredTask, delivery: string): Promise<StoredTask | null> {
  return (await noteDelivery(deps.db, task, delivery)) ? { ...task, delivery } : null;
}

/**
 * Withdraws the task. The execution may send an update that does the same at the same time; both give the same result.
 */
export async function withdrawUnneeded(deps: Deps, task: StoredTask, delivery: string): Promise<null> {
  const reason = withdrawReason(delivery);
  const caller: TenantCaller = { actor: { kind: "engine", id: task.execution }, tenant: task.tenant, scopes: [] };
  const audit = auditRow(deps, caller, "task.withdraw", task.id, reason);
  await withdrawTask(deps.db, task, { at: deps.now(), by: audit.actor, reason }, audit);
  return null;
}

export function payloadOf(task: StoredTask): JsonObject {
  const { id, run, action, status, result, reason, closedBy, closedByVerified } = task;
  const about = { taskId: id, actionId: action, run, by: closedBy, byVerified: closedByVerified ?? false };
  return status === "completed" ? { ...about, result } : { ...about, reason };
}

function eventOf(task: StoredTask): Omit<SendEvent, "dryRun"> {
  const type = `task_${task.status}`;
  const id = taskEventId(task.run);
  return {
    execution: task.execution,
    id,
    key: null,
    type,
    payload: payloadOf(task),
    source: TASK_SOURCE,
    correlationId: null,
    // Names the incarnation that created this task, because a later execution with the same id did not create it.
    incarnation: task.incarnation,
  };
}

/** Repeats failed deliveries. Returns how many of them now succeeded. */
export async function deliverTaskEnds(deps: Deps): Promise<{ readonly tasksDelivered: number }> {
  const undelivered = await undeliveredTasks(deps.db, deps.now() - TASK_UNDELIVERED_MS, TASKS_UNDELIVERED_MAX);
  let tasksDelivered = 0;
  for (const task of undelivered) {
    const caller: TenantCaller = { actor: { kind: "engine", id: "tasks" }, tenant: task.tenant, scopes: [] };
    if ((await deliverTaskEnd(deps, caller, task)).delivery !== null) tasksDelivered += 1;
  }
  return { tasksDelivered };
}
