// Wakes an execution's object: due work is done now, alarms are compared with what is due and repaired.
import type { Result } from "#schema/refusal.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { singleAnswer } from "./single-answer.ts";
import { cellName } from "./placement.ts";
import { reach } from "./reach.ts";
import { readState } from "./read-state.ts";

export type PokeExecution = { readonly execution: string; readonly dryRun: boolean };

export async function pokeExecution(
  deps: Deps,
  caller: TenantCaller,
  input: PokeExecution,
): Promise<Result<ExecutionState>> {
  if (input.dryRun) return readState(deps, caller, input);
  return singleAnswer(await reach(() => deps.cell(cellName(caller.tenant, input.execution)).poke([input.execution])));
}
