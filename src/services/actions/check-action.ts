// Action checks: finds an action's definition, and checks its type and config before the action is stored or retried.
// Also adds the defaults of the type's runner to the action.
import { placedActions } from "#kernel/programs/placed-actions.ts";
import { bindingHint, unboundName } from "#policy/forecast/unbound-name.ts";
import type { AnyAction, ProgramAction } from "#schema/definition/action.ts";
import type { Definition } from "#schema/definition/definition.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { accept, refuse, type Result, type Finding } from "#schema/refusal.ts";
import { didYouMean } from "#schema/suggest.ts";
import { findDefinition } from "../definitions/find-definition.ts";
import type { Deps } from "../deps.ts";

export async function actionOfRun(
  deps: Deps,
  { tenant, definition, standalone }: ExecutionState,
  id: string,
): Promise<Result<ProgramAction>> {
  if (standalone) return accept(standalone.action);
  const found = await findDefinition(deps, tenant, definition.id);
  if (!found.ok) return found;
  const stored = JSON.parse(found.value.body) as Definition; // The stored body passed the checks of a definition.
  const action = placedActions(stored).find((each) => each.action.actionId === id)?.action;
  return action === undefined
    ? refuse({ code: "not_found", message: `The definition ${definition.name} has no action ${id}.` })
    : accept(action);
}

export type CheckDeps = Pick<Deps, "actionTypes" | "configFindings">;

/**
 * Returns the findings about an action's type, lane and config. `pointer` is the JSON pointer of the action in the
 * request. `otherTypes`: types that are possible in this place, too, such as those of a journey's nodes.
 */
export function runnerFindings(
  deps: CheckDeps,
  action: AnyAction,
  at: string,
  otherTypes: readonly string[] = [],
): readonly Finding[] {
  const { type, lane, config } = action;
  const runner = Object.hasOwn(deps.actionTypes, type) ? deps.actionTypes[type] : undefined;
  if (runner === undefined) return [unknownType(deps, `${at}/type`, type, otherTypes)];
  if (runner.lane !== undefined && lane === "direct") return [wrongLane(`${at}/lane`, type)];
  return deps
    .configFindings(type, config)
    .map((finding) => ({ ...finding, pointer: `${at}/config${finding.pointer}` }));
}

/**
 * Copies the runner's default timeout, retry policy and lane into the action. Executions store this copy, so a later
 * change of the runner's defaults does not affect them.
 */
export function withRunnerDefaults<Action extends AnyAction>(deps: CheckDeps, action: Action): Action {
  const type = deps.actionTypes[action.type];
  if (type === undefined)
    throw new Error(`internal error: the action type ${action.type} passed the check, but it is unknown`);
  return {
    ...action,
    timeout: action.timeout ?? type.timeoutMs,
    retryPolicy: action.retryPolicy ?? type.retryPolicy,
    ...(type.lane === undefined ? {} : { lane: type.lane }),
  };
}

/**
 * Returns the finding about a service or database that the installation does not have. Definitions get a warning
 * instead, because they may be written before the deployment.
 */
export function bindingFindings(
  { bindings }: Pick<Deps, "bindings">,
  { type, config }: AnyAction,
  at: string,
): readonly Finding[] {
  const unbound = unboundName(bindings, type, config);
  if (unbound === null) return [];
  const { field, name, variable, code, bound } = unbound;
  const similar = didYouMean(name, bound);
  const message = `${variable} has no ${field} "${name}"`;
  const hint = [similar === null ? "" : `did you mean "${similar}"?`, bindingHint(unbound)].filter(Boolean).join(" ");
  return [{ pointer: `${at}/config/${field}`, code, message, hint }];
}

function wrongLane(pointer: string, type: string): Finding {
  const message = `an action of the type ${type} must use the queue, because an execution's object must not wait for another object`;
  return { pointer, code: "lane_not_possible", message, hint: 'Remove the field "lane".' };
}

function unknownType(deps: CheckDeps, pointer: string, type: string, otherTypes: readonly string[]): Finding {
  const types = [...Object.keys(deps.actionTypes), ...otherTypes];
  const similar = didYouMean(type, types);
  const hint = similar === null ? `known types: ${types.join(", ")}` : `did you mean "${similar}"?`;
  return { pointer, code: "unknown_action_type", message: `the action type "${type}" does not exist`, hint };
}
