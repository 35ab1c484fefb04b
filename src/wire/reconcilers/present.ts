// Reconcilers as API objects: state and reason, the progress of the current action, desired and observed state.
import type { ActionStatus, ExecutionState } from "#schema/engine/state.ts";
import { toInstant } from "#schema/values.ts";
import type { ApiActionStatus, ApiRevised } from "./shape.ts";

type Revised = { readonly value: ApiRevised["value"]; readonly revision: number; readonly at: number };

/** Presents the further fields of a reconciler; empty for another execution. */
export function presentReconciler({ position, lastAction, reconciling }: ExecutionState) {
  if (position.kind !== "reconciler" || reconciling === undefined) return {};
  return {
    state: position.state,
    ...(lastAction === null ? {} : { actionStatus: presentStatus(lastAction) }),
    desired: presentRevised(reconciling.desired),
    observed: presentRevised(reconciling.observed),
  };
}

/** Presents a revision. null: nothing has been observed yet. */
export function presentRevised(revised: Revised | null): ApiRevised {
  if (revised === null) return { value: null, revision: 0, at: null };
  const { value, revision, at } = revised;
  return { value, revision, at: toInstant(at) };
}

function presentStatus(status: ActionStatus): ApiActionStatus {
  return { ...status, startedAt: toInstant(status.startedAt) };
}
