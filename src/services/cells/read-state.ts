// An execution's state as its object knows it. Objects answer this without the catalog.
import type { Result } from "#schema/refusal.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Caller, Deps } from "../deps.ts";
import { cellName } from "./placement.ts";
import { reach } from "./reach.ts";
import { tenantOf } from "../caller/tenant-of.ts";

export async function readState(
  deps: Deps,
  caller: Caller,
  input: { readonly execution: string },
): Promise<Result<ExecutionState>> {
  const tenant = tenantOf(caller);
  if (!tenant.ok) return tenant;
  const answer = await reach(() => deps.cell(cellName(tenant.value, input.execution)).read(input.execution));
  return answer.ok ? answer.value : answer;
}
