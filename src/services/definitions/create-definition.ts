// Checks a definition, and stores it as the next version of its name.
import type { StoredDefinition } from "#catalog/definitions.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { Tested } from "#schema/virtual/tested.ts";
import { timeOrderedId } from "#schema/ids.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { storeVersion } from "../versioned/store-version.ts";
import { invalidVersion } from "../versioned/versioned-noun.ts";
import { defaults } from "#schema/defaults.ts";
import { definitionNoun } from "./definition-noun.ts";
import { placementsOf } from "./placed.ts";
import { checkDefinition } from "./validate-definition.ts";
import { withDefaults } from "./with-defaults.ts";

export type CreateDefinition = { readonly body: unknown; readonly dryRun: boolean };
export type CreatedDefinition = {
  readonly definition: StoredDefinition;
  readonly created: boolean;
  readonly tested: readonly Tested[];
};

export async function createDefinition(
  deps: Deps,
  caller: TenantCaller,
  input: CreateDefinition,
): Promise<Result<CreatedDefinition>> {
  const checked = await checkDefinition(deps, caller.tenant, input.body);
  if (!checked.ok) return refuse(invalidVersion("definition", checked.findings));
  const { tested } = checked;
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
    answerOf: (definition) => ({ definition, created: true, tested }) satisfies CreatedDefinition,
    dryRun: input.dryRun,
  });
  if (!stored.ok) return stored;
  const { row: definition, created } = stored.value;
  return accept({ definition, created, tested });
}
