// The definition that a virtual run is about: one that is stored, or one that comes along and is checked as if it were to
// be stored. Compiled once a request.
import { compile } from "#kernel/programs/compile.ts";
import type { Program } from "#kernel/programs/program.ts";
import { forced } from "#kernel/virtual/forced.ts";
import { placesOf } from "#kernel/virtual/places.ts";
import type { Definition, DefinitionRef } from "#schema/definition/definition.ts";
import type { Json } from "#schema/json.ts";
import { jsonPointer } from "#schema/findings.ts";
import { accept, refuse, type Finding, type Result } from "#schema/refusal.ts";
import { didYouMean } from "#schema/suggest.ts";
import type { Assumptions, Given } from "#schema/virtual/assumptions.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { findDefinition } from "../definitions/find-definition.ts";
import { checkDefinition } from "../definitions/validate-definition.ts";
import { withDefaults } from "../definitions/with-defaults.ts";
import { invalidVersion } from "../versioned/versioned-noun.ts";

/** Its name, or a definition itself. `at`: where in the request it stands. */
export type Asked = { readonly reference: string } | { readonly body: Json; readonly at: string };
export type Previewed = {
  readonly definition: Definition;
  readonly ref: DefinitionRef;
  readonly isStored: boolean;
};

export async function previewedDefinition(deps: Deps, caller: TenantCaller, asked: Asked): Promise<Result<Previewed>> {
  if ("reference" in asked) {
    const found = await findDefinition(deps, caller.tenant, asked.reference);
    if (!found.ok) return found;
    const stored = JSON.parse(found.value.body) as Definition; // was checked before it was stored
    return accept({ definition: stored, ref: found.value.ref, isStored: true });
  }
  const checked = await checkDefinition(deps, caller.tenant, asked.body);
  if (!checked.ok) {
    const findings = checked.findings.map((each) => ({ ...each, pointer: `${asked.at}${each.pointer}` }));
    return refuse(invalidVersion("definition", findings));
  }
  const definition = withDefaults(deps, checked.definition);
  const ref = { id: "def_preview", name: definition.name, version: 1 };
  return accept({ definition, ref, isStored: false });
}

export type Path = readonly (string | number)[];

/** Compiled, once for all that is played of it. A name that nothing in the definition has must never come to nothing. */
export function assumingProgram(
  { definition }: Previewed,
  assume: Assumptions,
  at: Path,
): Program | readonly Finding[] {
  const made = forced(definition, assume.branches ?? {});
  if (!made.ok) {
    return made.unforced.map(({ node, message }) => {
      return { pointer: jsonPointer([...at, "branches", node]), code: "not_possible", message };
    });
  }
  const program = compile(made.definition);
  const actions = [...program.actions.keys()];
  const unknown = Object.keys(assume.actions ?? {}).filter((name) => name !== "*" && !program.actions.has(name));
  if (unknown.length === 0) return program;
  return unknown.map((name) => unknownName([...at, "actions", name], name, "action or node", actions));
}

export function givenFindings({ definition }: Previewed, given: readonly Given[], at: Path): readonly Finding[] {
  const places = placesOf(definition);
  return given.flatMap((each, n) => {
    if (typeof each.at !== "object" || places.includes(each.at.reached)) return [];
    return [unknownName([...at, n, "at", "reached"], each.at.reached, "state or node", places)];
  });
}

function unknownName(path: Path, name: string, what: string, known: readonly string[]): Finding {
  const near = didYouMean(name, known);
  const hint = near === null ? `there are ${known.slice(0, 20).join(", ") || "none"}` : `did you mean "${near}"?`;
  return { pointer: jsonPointer(path), code: "unknown_name", message: `the definition has no ${what} "${name}"`, hint };
}
