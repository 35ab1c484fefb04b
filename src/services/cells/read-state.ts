// An execution's state as its object knows it. Objects answer this without the catalog.
import type { Result } from "#schema/refusal.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { cellName } from "./placement.ts";
import { reach } from "./reach.ts";

export async function readState(
  deps: Pick<Deps, "cell">,
  caller: Pick<TenantCaller, "tenant">,
  input: { readonly execution: string },
): Promise<Result<ExecutionState>> {
  const answer = await reach(() => deps.cell(cellName(caller.tenant, input.execution)).read(input.execution));
  return answer.ok ? answer.value : answer;
}
