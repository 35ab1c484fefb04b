// Ends a task: completed with a result, or canceled with a reason. Its execution hears of it; one that has ended
// meanwhile keeps nobody from finishing their work, and the answer says so.
import { closeTask as close, findTask, type StoredTask } from "#catalog/tasks.ts";
import type { Json } from "#schema/json.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { auditRow } from "../audit/record-audit.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { canonicalJson } from "../caller/fingerprint.ts";
import { checkPayload } from "../size-limits.ts";
import { noTask, taskClosed, viewOf, type TaskView } from "./task-view.ts";
import { payloadOf, deliverTaskEnd, deliveryOf } from "./deliver-task-end.ts";

export type CloseTask = {
  readonly task: string;
  readonly status: "completed" | "canceled";
  readonly result: Json;
  /** Who did it, in the caller's own words; without them, the caller's key. */
  readonly by: string | null;
  readonly reason: string | null;
  readonly dryRun: boolean;
};
export type ClosedTask = { readonly task: TaskView; readonly repeated: boolean };

export async function closeTask(deps: Deps, caller: TenantCaller, input: CloseTask): Promise<Result<ClosedTask>> {
  const row = await findTask(deps.db, caller.tenant, input.task);
  if (row === null) return refuse(noTask(input.task));
  if (row.status !== "open") return closeAgain(deps, caller, row, input);
  const closed = closedRow(deps, caller, row, input);
  const sized = checkPayload(payloadOf(closed));
  if (!sized.ok) return sized;
  if (input.dryRun) {
    const delivery = await deliveryOf(deps, caller, closed, true);
    return accept({ task: viewOf({ ...closed, delivery }), repeated: false });
  }
  const verb = input.status === "completed" ? "task.complete" : "task.cancel";
  const audit = auditRow(deps, caller, verb, row.id, input.reason);
  // Whether its execution has heard is added to the kept answer afterwards.
  deps.answerWith?.({ task: viewOf(closed), repeated: false } satisfies ClosedTask);
  // Somebody else was quicker: what they did decides.
  if (!(await close(deps.db, closed, audit))) return closeTask(deps, caller, input);
  return accept({ task: viewOf(await deliverTaskEnd(deps, caller, closed)), repeated: false });
}

/** The same again is what it was; its execution is told again where it has not heard yet. */
async function closeAgain(
  deps: Deps,
  caller: TenantCaller,
  row: StoredTask,
  { status, result, dryRun }: CloseTask,
): Promise<Result<ClosedTask>> {
  const isSame = row.status === status && canonicalJson(row.result) === canonicalJson(result);
  if (!isSame) return refuse(taskClosed(row));
  const delivery = row.delivery === null && !dryRun ? await deliverTaskEnd(deps, caller, row) : row;
  return accept({ task: viewOf(delivery), repeated: true });
}

function closedRow(deps: Deps, caller: TenantCaller, row: StoredTask, input: CloseTask): StoredTask {
  const now = deps.now();
  const { status, result, reason } = input;
  const closedBy = input.by ?? `${caller.actor.kind}:${caller.actor.id}`;
  return { ...row, status, result, reason, closedBy, closedAt: now, updatedAt: now };
}
