// An execution's definition: the stored one, or the one-action definition that the engine makes for a standalone
// action.
import { oneActionProgram } from "#kernel/programs/one-action.ts";
import type { Program } from "#kernel/execution/program.ts";
import type { Definition } from "#schema/definition/definition.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { findDefinition } from "../definitions/find-definition.ts";
import { programOf } from "../definitions/program-of.ts";
import type { Deps } from "../deps.ts";

type DefinitionDeps = Pick<Deps, "db" | "now" | "log">;

/**
 * Returns the definition as data. Returns null if it cannot be looked up now; callers then leave out what depends on
 * it.
 */
export async function definitionOf(deps: DefinitionDeps, state: ExecutionState): Promise<Definition | null> {
  if (state.standalone) return oneActionProgram(state.standalone).definition;
  const body = await storedBody(deps, state);
  return body === null ? null : (JSON.parse(body) as Definition); // The stored body passed the checks of a definition.
}

/** Returns the compiled definition; null if it cannot be looked up now. */
export async function programOfExecution(deps: DefinitionDeps, state: ExecutionState): Promise<Program | null> {
  if (state.standalone) return oneActionProgram(state.standalone);
  const body = await storedBody(deps, state);
  return body === null ? null : programOf(body);
}

async function storedBody(deps: DefinitionDeps, { tenant, definition }: ExecutionState): Promise<string | null> {
  const found = await findDefinition(deps, tenant, definition.id);
  return found.ok ? found.value.body : null;
}
