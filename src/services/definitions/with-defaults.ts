// Stored defaults: fills in fields that a definition's actions leave out, with the defaults of their types' runners.
import { placedActions, withValueAt } from "#kernel/programs/placed-actions.ts";
import type { AnyAction } from "#schema/definition/action.ts";
import type { Definition } from "#schema/definition/definition.ts";
import { reconcilerDefaults } from "#schema/definition/reconciler-defaults.ts";
import type { ReconcilerDefinition } from "#schema/definition/reconciler.ts";
import type { JourneyDefinition } from "#schema/definition/journey.ts";
import { withRunnerDefaults, type CheckDeps } from "../actions/check-action.ts";

export function withDefaults(deps: CheckDeps, definition: Definition): Definition {
  if (definition.kind === "journey") return withJourneyDefaults(deps, definition);
  if (definition.kind === "reconciler") return withReconcilerDefaults(deps, definition);
  if (definition.actions === undefined) return definition;
  return { ...definition, actions: definition.actions.map((action) => withRunnerDefaults(deps, action)) };
}

/**
 * Fills in a reconciler's actions. The reconciler defaults take precedence over those of the action types, except that
 * a type with a fixed lane keeps it.
 */
function withReconcilerDefaults(deps: CheckDeps, definition: ReconcilerDefinition): ReconcilerDefinition {
  const { timeoutMs: timeout, retryPolicy } = reconcilerDefaults;
  const { actions } = definition;
  if (actions === undefined) return definition;
  return {
    ...definition,
    actions: actions.map((action) => withRunnerDefaults(deps, { timeout, retryPolicy, ...action })),
  };
}

/**
 * Adds the runners' defaults to the journey's `defaults` by type. A field of a node, or of the journey's own
 * `defaults`, takes precedence.
 */
function withJourneyDefaults(deps: CheckDeps, definition: JourneyDefinition): JourneyDefinition {
  const { defaults: written = {} } = definition;
  const actions = placedActions(definition);
  const types = [...new Set(actions.map(({ action }) => action.type))];
  const typeDefaults = types.map((type) => {
    const { timeout, lane } = withRunnerDefaults<AnyAction>(deps, { actionId: type, type, config: {} });
    const ownDefaults = Object.hasOwn(written, type) ? written[type] : undefined;
    return [type, { timeout, ...ownDefaults, ...(lane === undefined ? {} : { lane }) }] as const;
  });
  // An action of a type with a fixed lane uses that lane, even if its node or the journey sets another.
  const fixedLaneActions = actions.filter(
    ({ action, isChild }) => !isChild && deps.actionTypes[action.type]?.lane !== undefined,
  );
  const withLanes = fixedLaneActions.reduce(
    (before, { action, at }) => withValueAt(before, [...at, "lane"], deps.actionTypes[action.type]?.lane ?? null),
    definition,
  );
  return types.length === 0
    ? withLanes
    : { ...withLanes, defaults: { ...written, ...Object.fromEntries(typeDefaults) } };
}
