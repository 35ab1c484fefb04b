// Dead-letter lookup: finds a dead letter. If its run no longer exists or is no dead letter any more, deletes its
// catalog row.
import { deadLetterVersion, removeDeadLetter } from "#catalog/dead-letters.ts";
import type { DeadLetterName } from "#schema/dead-letter-filter.ts";
import type { Run } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { deadLetterId } from "#schema/ids.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { readState } from "../cells/read-state.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { refuseRetired } from "../executions/executions.ts";

export type FoundDeadLetter = { readonly state: ExecutionState; readonly run: Run };

export async function findDeadLetter(
  deps: Deps,
  caller: TenantCaller,
  name: DeadLetterName,
): Promise<Result<FoundDeadLetter>> {
  const read = await refuseIfGone(deps, caller, name, await readState(deps, caller, name));
  if (!read.ok) return read;
  const run = read.value.runs.find(({ id }) => id === name.run);
  if (run !== undefined && isOrWasDeadLetter(run)) return accept({ state: read.value, run });
  const answer = refuse(run === undefined ? runNotStored(name) : noDeadLetter(name, run));
  return refuseIfGone(deps, caller, name, answer);
}

/**
 * Handles a refused call about a dead letter that no longer exists: deletes its catalog row. The answer becomes "gone"
 * if the execution existed once.
 */
export async function refuseIfGone<T>(
  deps: Deps,
  caller: TenantCaller,
  { execution, run }: DeadLetterName,
  answer: Result<T>,
): Promise<Result<T>> {
  if (answer.ok || answer.refusal.code !== "not_found") return answer;
  // The refusal may be about another missing object, such as a definition. So the dead letter itself is read.
  const state = await readOrRemove(deps, caller.tenant, { execution, run });
  const isRetired = !state.ok && state.refusal.code === "not_found";
  return isRetired ? refuseRetired(deps, caller.tenant, execution, answer) : answer;
}

/** True if the run is a dead letter or was one. */
function isOrWasDeadLetter({ deadLetter, status, redriven }: Run): boolean {
  return deadLetter || status === "failed" || redriven !== undefined;
}

function runNotStored({ execution, run }: DeadLetterName) {
  return {
    code: "not_found",
    message: `There is no dead letter ${deadLetterId(execution, run)}: its execution no longer stores a run ${run}.`,
    hint: `GET /v1/executions/${execution}/journal has the result of the run.`,
  } as const;
}

function noDeadLetter({ execution, run: id }: DeadLetterName, { status }: Run) {
  return {
    code: "not_found",
    message: `There is no dead letter ${deadLetterId(execution, id)}: run ${id} has the status ${status} and has not failed permanently.`,
    hint: `GET /v1/executions/${execution}/runs lists the runs.`,
  } as const;
}

/**
 * Reads the execution. If the run is no longer a dead letter, deletes the dead letter's catalog row. Returns the state
 * or the refusal of the read.
 */
export async function readOrRemove(
  deps: Pick<Deps, "db" | "cell">,
  tenant: string,
  name: DeadLetterName,
): Promise<Result<ExecutionState>> {
  const version = await deadLetterVersion(deps.db, tenant, name);
  const state = await readState(deps, { tenant }, name);
  if (version !== null && isGone(state, name)) await removeDeadLetter(deps.db, tenant, name, version);
  return state;
}

function isGone(state: Result<ExecutionState>, { run }: DeadLetterName): boolean {
  if (!state.ok) return state.refusal.code === "not_found";
  return !state.value.runs.some(({ id, deadLetter }) => id === run && deadLetter);
}
