// Reconcilers as API objects: the state with its reason, the latest action's status, and the desired and the observed
// state.
import type { ActionStatus, ExecutionState } from "#schema/engine/state.ts";
import { toInstant } from "#schema/values.ts";
import type { ApiActionStatus, ApiRevised } from "./shape.ts";

type Revised = { readonly value: ApiRevised["value"]; readonly revision: number; readonly at: number };

/** Presents the fields that only reconcilers have. Returns an empty object if the execution is no reconciler. */
export function presentReconciler({ position, lastAction, reconciling }: ExecutionState) {
  if (position.kind !== "reconciler" || reconciling === undefined) return {};
  return {
    state: position.state,
    ...(lastAction === null ? {} : { actionStatus: presentStatus(lastAction) }),
    desired: presentRevised(reconciling.desired),
    observed: presentRevised(reconciling.observed),
  };
}

/**
 * Presents a desired or observed state with its revision. If nothing was observed yet, the state is null and is
 * presented as revision 0.
 */
export function presentRevised(revised: Revised | null): ApiRevised {
  if (revised === null) return { value: null, revision: 0, at: null };
  const { value, revision, at } = revised;
  return { value, revision, at: toInstant(at) };
}

function presentStatus(status: ActionStatus): ApiActionStatus {
  return { ...status, startedAt: toInstant(status.startedAt) };
}
