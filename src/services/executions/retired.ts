// An execution whose object is gone because its retention is over: it existed, and the answer should say so.
import { findExecution } from "#catalog/executions.ts";
import type { ExecutionRow } from "#schema/engine/projection.ts";
import { refuse, type Refusal, type Result } from "#schema/refusal.ts";
import { isFinalStatus } from "#schema/engine/state.ts";
import { createdAround } from "../cells/created-around.ts";
import type { Deps } from "../deps.ts";

export async function retiredRow(deps: Deps, tenant: string, execution: string): Promise<ExecutionRow | null> {
  const row = await findExecution(deps.db, tenant, execution, createdAround(execution));
  // A row that is not final is late news of something else: the object would be there.
  return row !== null && isFinalStatus(row.status) ? row : null;
}

/** Says of a history that is not found whether it has been there. */
export async function sayRetired<T>(
  deps: Deps,
  tenant: string,
  execution: string,
  answer: Result<T>,
): Promise<Result<T>> {
  if (answer.ok || answer.refusal.code !== "not_found") return answer;
  const row = await retiredRow(deps, tenant, execution);
  return row === null ? answer : refuse(historyGone(row));
}

export function historyGone({ id, finishedAt, erasedAt }: ExecutionRow): Refusal {
  if (erasedAt) {
    const message = `${id} was erased at ${new Date(erasedAt).toISOString()}.`;
    return { code: "not_found", message, hint: `GET /v1/audit?target=${id} tells by whom, and why.` };
  }
  const ended = finishedAt === null ? "" : ` It ended at ${new Date(finishedAt).toISOString()}.`;
  return {
    code: "not_found",
    message: `The history of ${id} is gone: its retention is over.${ended}`,
    hint: `GET /v1/executions/${id} still tells what the catalog keeps; "retention" in the definition decides how long.`,
  };
}
