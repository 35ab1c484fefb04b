// Checks a definition, and stores it as the next version of its name.
import type { StoredDefinition } from "#catalog/definitions.ts";
import { placedActions, writtenAt } from "#kernel/programs/placed-actions.ts";
import type { Definition } from "#schema/definition/definition.ts";
import type { JourneyDefinition } from "#schema/definition/journey.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { withRunnerDefaults } from "../actions/check-action.ts";
import { timeOrderedId } from "#schema/ids.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { storeVersion } from "../versioned/store-version.ts";
import { invalidVersion } from "../versioned/versioned-noun.ts";
import { defaults } from "#schema/defaults.ts";
import { definitionNoun } from "./definition-noun.ts";
import { placementsOf } from "./placed.ts";
import { checkDefinition } from "./validate-definition.ts";

export type CreateDefinition = { readonly body: unknown; readonly dryRun: boolean };
export type CreatedDefinition = { readonly definition: StoredDefinition; readonly created: boolean };

export async function createDefinition(
  deps: Deps,
  caller: TenantCaller,
  input: CreateDefinition,
): Promise<Result<CreatedDefinition>> {
  const checked = await checkDefinition(deps, caller.tenant, input.body);
  if (!checked.ok) return refuse(invalidVersion("definition", checked.findings));
  const { kind, name } = checked.definition;
  const stored = await storeVersion(deps, caller, definitionNoun, {
    name,
    body: JSON.stringify(withDefaults(deps, checked.definition)),
    complete: (row, held) => ({
      ...row,
      kind,
      keyedPlacement: held === null ? (checked.definition.placement ?? defaults.placement) : placementsOf(held).keyed,
      id: timeOrderedId("def", row.createdAt, deps.randomBytes(10)),
    }),
    answerOf: (definition) => ({ definition, created: true }) satisfies CreatedDefinition,
    dryRun: input.dryRun,
  });
  if (!stored.ok) return stored;
  const { row: definition, created } = stored.value;
  return accept({ definition, created });
}

function withDefaults(deps: Deps, definition: Definition): Definition {
  if (definition.kind === "journey") return withTypeDefaults(deps, definition);
  if (definition.actions === undefined) return definition;
  return { ...definition, actions: definition.actions.map((action) => withRunnerDefaults(deps, action)) };
}

/** What runners say of their types lies under all nodes of a type, and under what was said there. */
function withTypeDefaults(deps: Deps, definition: JourneyDefinition): JourneyDefinition {
  const { defaults: said = {} } = definition;
  const actions = placedActions(definition);
  const types = [...new Set(actions.map(({ action }) => action.type))];
  const under = types.map((type) => {
    const { timeout, lane } = withRunnerDefaults(deps, { actionId: type, type, config: {} });
    const own = Object.hasOwn(said, type) ? said[type] : undefined;
    return [type, { timeout, ...own, ...(lane === undefined ? {} : { lane }) }] as const;
  });
  // A type that goes one way only goes that way, whatever a node says.
  const bound = actions.filter(({ action, isChild }) => !isChild && deps.actionTypes[action.type]?.lane !== undefined);
  const whole = bound.reduce(
    (before, { action, at }) => writtenAt(before, [...at, "lane"], deps.actionTypes[action.type]?.lane ?? null),
    definition,
  );
  return types.length === 0 ? whole : { ...whole, defaults: { ...said, ...Object.fromEntries(under) } };
}
