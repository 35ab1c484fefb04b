// The additional scope of a reconciler's rules and templates.
import type { ExecutionState } from "#schema/engine/state.ts";
import type { JsonObject } from "#schema/json.ts";

/** null for other kinds. */
export function reconcilingScope({ reconciling, position, variables }: ExecutionState): JsonObject | null {
  if (reconciling === undefined) return null;
  const { observed, desired } = reconciling;
  const { state, since, reason } =
    position.kind === "reconciler" ? position : { state: "", since: desired.at, reason: "" };
  return {
    observed: observed?.value ?? null,
    desired: desired.value,
    variables,
    state: { name: state, since: new Date(since).toISOString(), reason },
  };
}
