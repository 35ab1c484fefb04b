// Previewed definitions: finds the definition of a virtual run. The request either names a stored definition or
// contains a definition. The latter is checked as if it were to be stored.
import { compile } from "#kernel/programs/compile.ts";
import type { Program } from "#kernel/execution/program.ts";
import { forceBranches } from "#kernel/virtual/force-branches.ts";
import type { Definition, DefinitionRef } from "#schema/definition/definition.ts";
import type { Json } from "#schema/json.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { Assumptions } from "#schema/virtual/assumptions.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { findDefinition } from "../definitions/find-definition.ts";
import { checkDefinition } from "../definitions/validate-definition.ts";
import { withDefaults } from "../definitions/with-defaults.ts";
import { invalidVersion } from "../versioned/versioned-noun.ts";

/**
 * Either the reference of a stored definition, or a definition itself. `at` is the JSON pointer of the definition in
 * the request.
 */
export type DefinitionSource = { readonly reference: string } | { readonly body: Json; readonly at: string };
export type Previewed = { readonly definition: Definition; readonly ref: DefinitionRef; readonly isStored: boolean };

export async function previewedDefinition(
  deps: Deps,
  caller: TenantCaller,
  source: DefinitionSource,
): Promise<Result<Previewed>> {
  if ("reference" in source) {
    const found = await findDefinition(deps, caller.tenant, source.reference);
    if (!found.ok) return found;
    const stored = JSON.parse(found.value.body) as Definition; // The stored body passed the checks of a definition.
    return accept({ definition: stored, ref: found.value.ref, isStored: true });
  }
  const reviewed = await checkDefinition(deps, caller.tenant, source.body);
  if (!reviewed.ok) return reviewed;
  const checked = reviewed.value;
  if (!checked.ok) {
    const findings = checked.findings.map((each) => ({ ...each, pointer: `${source.at}${each.pointer}` }));
    return refuse(invalidVersion("definition", findings));
  }
  const definition = withDefaults(deps, checked.definition);
  const ref = { id: "def_preview", name: definition.name, version: 1 };
  return accept({ definition, ref, isStored: false });
}

/**
 * Compiles the definition with its assumed branches, once for the whole simulation. The assumptions have been checked
 * before.
 */
export function assumingProgram({ definition }: Previewed, { branches = {} }: Assumptions): Program {
  const forced = forceBranches(definition, branches);
  return compile(forced.ok ? forced.definition : definition);
}
