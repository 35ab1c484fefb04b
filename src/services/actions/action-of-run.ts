// What a run's action says: in the definition it came from, or in the state of an action that is alone.
import { placedActions } from "#kernel/programs/placed-actions.ts";
import type { ActionDefinition } from "#schema/definition/action.ts";
import type { Definition } from "#schema/definition/definition.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Deps } from "../deps.ts";
import { findDefinition } from "../definitions/find-definition.ts";

export async function actionOfRun(
  deps: Deps,
  { tenant, definition, standalone }: ExecutionState,
  id: string,
): Promise<Result<ActionDefinition>> {
  if (standalone) return accept(standalone.action);
  const found = await findDefinition(deps, tenant, definition.id);
  if (!found.ok) return found;
  const stored = JSON.parse(found.value.body) as Definition; // was checked before it was stored
  const action = placedActions(stored).find((each) => each.action.actionId === id)?.action;
  return action === undefined
    ? refuse({ code: "not_found", message: `The definition ${definition.name} has no action ${id}.` })
    : accept(action);
}
