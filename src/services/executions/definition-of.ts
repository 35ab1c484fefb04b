// The definition that an execution runs: as it was stored, or the engine's own around an action that is alone.
import { oneActionProgram } from "#kernel/programs/one-action.ts";
import type { Definition } from "#schema/definition/definition.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { findDefinition } from "../definitions/find-definition.ts";
import type { Deps } from "../deps.ts";

/** null: not known just now, which is no reason to refuse the rest. */
export async function definitionOf(
  deps: Pick<Deps, "db" | "now" | "log">,
  { standalone, tenant, definition }: ExecutionState,
): Promise<Definition | null> {
  if (standalone) return oneActionProgram(standalone).definition;
  const found = await findDefinition(deps, tenant, definition.id);
  return found.ok ? (JSON.parse(found.value.body) as Definition) : null; // was checked before it was stored
}
