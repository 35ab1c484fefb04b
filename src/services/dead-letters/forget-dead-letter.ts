// Takes a dead letter out of the lists where its execution does not know it: it is no more, or its id has been used again,
// and nobody will ever speak of the dead letter again. What lists know is read first, so that what is told meanwhile stays.
import { deadLetterVersion, forgetDeadLetter } from "#catalog/dead-letters.ts";
import type { DeadLetterName } from "#schema/dead-letter.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Result } from "#schema/refusal.ts";
import { readState } from "../cells/read-state.ts";
import type { Deps } from "../deps.ts";

/** Says what its execution answered. */
export async function forgetIfGone(
  deps: Pick<Deps, "db" | "cell">,
  tenant: string,
  name: DeadLetterName,
): Promise<Result<ExecutionState>> {
  const version = await deadLetterVersion(deps.db, tenant, name);
  const state = await readState(deps, { tenant }, name);
  if (version !== null && isGone(state, name)) await forgetDeadLetter(deps.db, tenant, name, version);
  return state;
}

function isGone(state: Result<ExecutionState>, { run }: DeadLetterName): boolean {
  if (!state.ok) return state.refusal.code === "not_found";
  return !state.value.runs.some(({ id, deadLetter }) => id === run && deadLetter);
}
