// Task closing: completes a task with a result, or cancels it with a reason, and notifies its execution. If the
// execution no longer needs the task, because it has ended or left the task's state, the task becomes `withdrawn` and
// the client gets a refusal.
import { closeTask as close, findTask, type StoredTask } from "#catalog/tasks/tasks.ts";
import type { Json, JsonObject } from "#schema/json.ts";
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
  /**
   * The person who closed the task, as the client names that person. Null: the person of the client's API key is recorded,
   * or the key itself.
   */
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
  const audit = auditRow(deps, caller, verb, row.id, input.reason, auditDetails(closed));
  // This response is stored before the execution is notified, so it does not contain the execution's answer.
  deps.answerWith?.({ task: viewOf(closed), repeated: false } satisfies ClosedTask);
  // Another request closed the task first. The second try finds the closed task, which keeps the result of that
  // request.
  if (!(await close(deps.db, closed, audit))) return closeTask(deps, caller, input);
  return accept({ task: viewOf(await deliverTaskEnd(deps, caller, closed)), repeated: false });
}

/**
 * Turns the result into a refusal if the execution withdrew the task while the client closed it. This also applies to a
 * stored response that is replayed.
 */
export function unlessWithdrawn(result: Result<ClosedTask>): Result<ClosedTask> {
  return result.ok && result.value.task.status === "withdrawn" ? refuse(taskClosed(result.value.task)) : result;
}

/**
 * Predicts the execution's answer to the task's end, before anything is changed. Returns null if the execution does not
 * answer.
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
 * Withdraws a task that its execution no longer needs, and returns it. The execution also sends a message that
 * withdraws the task, but that message may be late or lost.
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

/** Answers a repeat like the first request. If the execution was not notified yet, it is notified now. */
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
  const { kind, id, person } = caller.actor;
  const closedBy = input.by ?? person ?? `${kind}:${id}`;
  const closedByVerified = input.by === null || input.by === person;
  return { ...row, status, result, reason, closedBy, closedByVerified, closedAt: now, updatedAt: now };
}

function auditDetails({ status, execution, closedBy, closedByVerified, result }: StoredTask): JsonObject {
  const about = { execution, by: closedBy, byVerified: closedByVerified };
  return status === "completed" ? { ...about, result } : about;
}
