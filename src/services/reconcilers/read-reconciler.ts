// Reconciler reads: reads the desired or observed state from the reconciler's object.
import type { DesiredState, ObservedState } from "#schema/engine/reconciling.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { readState } from "../cells/read-state.ts";
import type { Deps, TenantCaller } from "../deps.ts";

export type Half = "desired" | "observed";

/** Returns the requested state. Returns null if it is the observed state and nothing has been observed yet. */
export async function readReconciler(
  deps: Pick<Deps, "cell">,
  caller: TenantCaller,
  input: { readonly execution: string; readonly half: Half },
): Promise<Result<DesiredState | ObservedState | null>> {
  const read = await readState(deps, caller, input);
  if (!read.ok) return read;
  const { reconciling, position, definition } = read.value;
  if (reconciling) return accept(reconciling[input.half]);
  return refuse({
    code: "verb_not_applicable",
    message: `${input.execution} runs the ${position.kind} ${definition.name}: only a reconciler has ${input.half} state`,
    hint: "The data of this execution is in its variables: GET /v1/executions/{id}.",
  });
}
