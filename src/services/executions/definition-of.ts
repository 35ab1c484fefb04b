// The definition that an execution runs: as it was stored, or the engine's own around an action that is alone.
import { oneActionProgram } from "#kernel/programs/one-action.ts";
import type { Program } from "#kernel/programs/program.ts";
import type { Definition } from "#schema/definition/definition.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { findDefinition } from "../definitions/find-definition.ts";
import { programOf } from "../definitions/program-of.ts";
import type { Deps } from "../deps.ts";

type DefinitionDeps = Pick<Deps, "db" | "now" | "log">;

/** null: not known just now, which is no reason to refuse the rest. */
export async function definitionOf(
  deps: DefinitionDeps,
  { standalone, tenant, definition }: ExecutionState,
): Promise<Definition | null> {
  if (standalone) return oneActionProgram(standalone).definition;
  const found = await findDefinition(deps, tenant, definition.id);
  return found.ok ? (JSON.parse(found.value.body) as Definition) : null; // was checked before it was stored
}

/** The same, compiled. */
export async function programRunBy(
  deps: DefinitionDeps,
  { standalone, tenant, definition }: ExecutionState,
): Promise<Program | null> {
  if (standalone) return oneActionProgram(standalone);
  const found = await findDefinition(deps, tenant, definition.id);
  return found.ok ? programOf(found.value.body) : null;
}
