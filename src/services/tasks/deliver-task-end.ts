// Tells an execution how a task of its ended. The event's id follows from the run's, so that twice is once; what the
// execution made of it is kept with the task. A task whose telling did not get through is told again by the sweeper.
import { noteDelivery, undeliveredTasks, type StoredTask } from "#catalog/tasks.ts";
import type { JsonObject } from "#schema/json.ts";
import { mayPass } from "#schema/refusal.ts";
import { ID_TIME_SLACK_MS } from "#schema/limits/placement.ts";
import { TASK_UNDELIVERED_MS, TASKS_UNDELIVERED_MAX } from "#schema/limits/upkeep.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { sendEvent, type SendEvent } from "../executions/send-event.ts";

export const DELIVERED = "delivered";

/** Never throws: the task has ended, whatever becomes of the news. */
export async function deliverTaskEnd(deps: Deps, caller: TenantCaller, task: StoredTask): Promise<StoredTask> {
  try {
    const delivery = await deliveryOf(deps, caller, task, false);
    if (delivery === null) return task;
    await noteDelivery(deps.db, task.tenant, task.id, delivery);
    return { ...task, delivery };
  } catch (cause) {
    deps.log({ level: "error", event: "task_not_told", task: task.id, message: String(cause) });
    return task;
  }
}

/** What its execution makes, or would make, of the task's end; null where that is not known yet. */
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

export function payloadOf({ id, run, action, status, result, reason, closedBy }: StoredTask): JsonObject {
  const about = { taskId: id, actionId: action, run, by: closedBy };
  return status === "completed" ? { ...about, result } : { ...about, reason };
}

function eventOf(task: StoredTask): Omit<SendEvent, "dryRun"> {
  const type = `task_${task.status}`;
  const id = `task/${task.run}`;
  return {
    execution: task.execution,
    id,
    key: null,
    type,
    payload: payloadOf(task),
    source: "task",
    correlationId: null,
    // Whoever else has that id by now has asked for nothing.
    life: task.life ?? task.createdAt + ID_TIME_SLACK_MS,
  };
}

/** Says how many were delivered this time. */
export async function deliverTaskEnds(deps: Deps): Promise<{ readonly tasksDelivered: number }> {
  const waiting = await undeliveredTasks(deps.db, deps.now() - TASK_UNDELIVERED_MS, TASKS_UNDELIVERED_MAX);
  let tasksDelivered = 0;
  for (const task of waiting) {
    const caller: TenantCaller = { actor: { kind: "engine", id: "tasks" }, tenant: task.tenant, scopes: [] };
    if ((await deliverTaskEnd(deps, caller, task)).delivery !== null) tasksDelivered += 1;
  }
  return { tasksDelivered };
}
