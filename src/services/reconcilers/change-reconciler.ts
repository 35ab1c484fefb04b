// Reconciler changes: sets a reconciler's desired or observed state. The execution's object handles both like any other
// input.
import type { Reply } from "#schema/engine/cell.ts";
import type { JsonObject } from "#schema/json.ts";
import type { Result } from "#schema/refusal.ts";
import type { TenantCaller } from "../deps.ts";
import { controlExecution, type ControlDeps } from "../executions/control-execution.ts";
import { checkDesired, checkObserved } from "../size-limits.ts";

type Change = {
  readonly execution: string;
  readonly value: JsonObject;
  /** The revision that the stored state must have, or the change is refused; null: any revision. */
  readonly ifRevision: number | null;
  readonly key: string | null;
  readonly dryRun: boolean;
};
export type SetDesired = Change & { readonly mode: "replace" | "merge"; readonly reason: string | null };
export type SetObserved = Change & { readonly observedAt: number | null };

export async function setDesired(deps: ControlDeps, caller: TenantCaller, input: SetDesired): Promise<Result<Reply>> {
  const sized = checkDesired(input.value);
  if (!sized.ok) return sized;
  const { value: desired, mode, ifRevision, reason, ...request } = input;
  return controlExecution(deps, caller, { ...request, verb: { kind: "desire", desired, mode, ifRevision, reason } });
}

export async function setObserved(deps: ControlDeps, caller: TenantCaller, input: SetObserved): Promise<Result<Reply>> {
  const sized = checkObserved(input.value);
  if (!sized.ok) return sized;
  const { value: observed, observedAt, ifRevision, ...request } = input;
  return controlExecution(deps, caller, { ...request, verb: { kind: "observe", observed, observedAt, ifRevision } });
}
