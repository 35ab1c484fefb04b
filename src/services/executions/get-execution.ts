// Reads an execution: from its object, which alone knows it, with the events that it takes now; or, when its retention is
// over and the object is gone, what the catalog kept of it.
import { compile } from "#kernel/programs/compile.ts";
import { oneActionProgram } from "#kernel/programs/one-action.ts";
import type { Definition } from "#schema/definition/definition.ts";
import type { ExecutionRow } from "#schema/engine/projection.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { findDefinition } from "../definitions/find-definition.ts";
import { readState } from "../cells/read-state.ts";
import { historyGone, retiredRow } from "./retired.ts";

export type FoundExecution =
  | { readonly kind: "live"; readonly state: ExecutionState; readonly accepts: readonly string[] | null }
  | { readonly kind: "retired"; readonly row: ExecutionRow };

export async function getExecution(
  deps: Deps,
  caller: TenantCaller,
  input: { readonly execution: string },
): Promise<Result<FoundExecution>> {
  const read = await readState(deps, caller, input);
  if (read.ok) return accept({ kind: "live", state: read.value, accepts: await acceptsOf(deps, read.value) });
  if (read.refusal.code !== "not_found") return read;
  const row = await retiredRow(deps, caller.tenant, input.execution);
  if (row === null) return read;
  return row.erasedAt ? refuse(historyGone(row)) : accept({ kind: "retired", row });
}

/** null: not known just now, which is no reason to refuse the rest. */
async function acceptsOf(deps: Deps, state: ExecutionState): Promise<readonly string[] | null> {
  if (isFinalStatus(state.status)) return null;
  if (state.standalone) return oneActionProgram(state.standalone).waitsFor(state.position);
  const found = await findDefinition(deps, state.tenant, state.definition.id);
  if (!found.ok) return null;
  const definition = JSON.parse(found.value.body) as Definition; // was checked before it was stored
  return compile(definition).waitsFor(state.position);
}
