// Task closing: completes a task with a result, or cancels it with a reason, and notifies its execution. If the
// execution has ended, or has left the state that needs the task, the task becomes `withdrawn`, and the client gets a
// refusal.
import { closeTask as close, findTask, type StoredTask } from "#catalog/tasks/tasks.ts";
import type { Json } from "#schema/json.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { auditRow } from "../audit/audit.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { canonicalJson } from "../caller/fingerprint.ts";
import { checkPayload } from "../size-limits.ts";
import { noTask, taskClosed, viewOf, type TaskView } from "./tasks.ts";
import {
  payloadOf,
  deliverTaskEnd,
  deliveryOf,
  isNoLongerNeeded,
  withdrawUnneeded,
  withdrawReason,
} from "./deliver-task-end.ts";

export type CloseTask = {
  readonly task: string;
  readonly status: "completed" | "canceled";
  readonly result: Json;
  /** The person who closed the task, as the client names them; null: the client's key is recorded. */
  readonly by: string | null;
  readonly reason: string | null;
  readonly dryRun: boolean;
};
export type ClosedTask = { readonly task: TaskView; readonly repeated: boolean };

export async function closeTask(deps: Deps, caller: TenantCaller, input: CloseTask): Promise<Result<ClosedTask>> {
  const row = await findTask(deps.db, caller.tenant, input.task);
  if (row === null) return refuse(noTask(input.task));
  if (row.status !== "open") return answerRepeat(deps, caller, row, input);
  const closed = closedRow(deps, caller, row, input);
  const sized = checkPayload(payloadOf(closed));
  if (!sized.ok) return sized;
  const prediction = await predictDelivery(deps, caller, closed);
  if (isNoLongerNeeded(prediction)) return refuse(taskClosed(await withdrawnTask(deps, row, prediction, input.dryRun)));
  if (input.dryRun) return accept({ task: viewOf({ ...closed, delivery: prediction }), repeated: false });
  const verb = input.status === "completed" ? "task.complete" : "task.cancel";
  const audit = auditRow(deps, caller, verb, row.id, input.reason);
  // The execution's answer is missing in this stored response; it is added after the execution was notified.
  deps.answerWith?.({ task: viewOf(closed), repeated: false } satisfies ClosedTask);
  // Another request closed the task first, so the task keeps that request's result.
  if (!(await close(deps.db, closed, audit))) return closeTask(deps, caller, input);
  return accept({ task: viewOf(await deliverTaskEnd(deps, caller, closed)), repeated: false });
}

/**
 * Refuses a task that its execution withdrew while the client closed it. A replayed stored response with such a task is
 * refused, too.
 */
export function unlessWithdrawn(result: Result<ClosedTask>): Result<ClosedTask> {
  return result.ok && result.value.task.status === "withdrawn" ? refuse(taskClosed(result.value.task)) : result;
}

/**
 * Returns the execution's predicted answer to the task's end, before anything is changed; null if the execution does
 * not answer.
 */
async function predictDelivery(deps: Deps, caller: TenantCaller, closed: StoredTask): Promise<string | null> {
  try {
    return await deliveryOf(deps, caller, closed, true);
  } catch (cause) {
    deps.log({ level: "warn", event: "task_delivery_not_predicted", task: closed.id, message: String(cause) });
    return null;
  }
}

/**
 * Withdraws a task that its execution no longer needs, and returns it. The execution's own message to withdraw the task
 * may still be on its way, or be lost.
 */
async function withdrawnTask(
  deps: Deps,
  row: StoredTask,
  prediction: string | null,
  dryRun: boolean,
): Promise<StoredTask> {
  const reason = prediction ?? "";
  if (dryRun) return { ...row, status: "withdrawn", reason: withdrawReason(reason), closedAt: deps.now() };
  await withdrawUnneeded(deps, row, reason);
  return (await findTask(deps.db, row.tenant, row.id)) ?? row;
}

/** Answers a repeat like the first request, and notifies the execution again if it was not notified yet. */
async function answerRepeat(
  deps: Deps,
  caller: TenantCaller,
  row: StoredTask,
  { status, result, dryRun }: CloseTask,
): Promise<Result<ClosedTask>> {
  const isSame = row.status === status && canonicalJson(row.result) === canonicalJson(result);
  if (!isSame) return refuse(taskClosed(row));
  const notified = row.delivery === null && !dryRun ? await deliverTaskEnd(deps, caller, row) : row;
  return accept({ task: viewOf(notified), repeated: true });
}

function closedRow(deps: Deps, caller: TenantCaller, row: StoredTask, input: CloseTask): StoredTask {
  const now = deps.now();
  const { status, result, reason } = input;
  const closedBy = input.by ?? `${caller.actor.kind}:${caller.actor.id}`;
  return { ...row, status, result, reason, closedBy, closedAt: now, updatedAt: now };
}
