// Reads and wakes one execution in its cell.
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { cellName } from "./ids-and-cells.ts";
import { callWithRetry, singleAnswer } from "./call-cell.ts";

export async function readState(
  deps: Pick<Deps, "cell">,
  caller: Pick<TenantCaller, "tenant">,
  input: { readonly execution: string },
): Promise<Result<ExecutionState>> {
  const answer = await callWithRetry(() => deps.cell(cellName(caller.tenant, input.execution)).read(input.execution));
  return answer.ok ? answer.value : answer;
}

export type PokeExecution = { readonly execution: string; readonly dryRun: boolean };

export async function pokeExecution(
  deps: Deps,
  caller: TenantCaller,
  input: PokeExecution,
): Promise<Result<ExecutionState>> {
  if (input.dryRun) return readState(deps, caller, input);
  return singleAnswer(
    await callWithRetry(() => deps.cell(cellName(caller.tenant, input.execution)).poke([input.execution])),
  );
}
