// Reads an execution: from its object, which alone knows it, with the events that it takes now; or, when its retention is
// over and the object is gone, what the catalog kept of it.
import { nodesOf } from "#policy/advice/nodes.ts";
import { standingOf, type Standing } from "#policy/advice/standing.ts";
import type { ExecutionRow } from "#schema/engine/projection.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { readState } from "../cells/read-state.ts";
import { definitionOf, programRunBy } from "./definition-of.ts";
import { historyGone, retiredRow } from "./retired.ts";

export type FoundExecution =
  | {
      readonly kind: "live";
      readonly state: ExecutionState;
      /** null: it takes nothing any more, or that is not known just now, which is no reason to refuse the rest. */
      readonly accepts: readonly string[] | null;
      /** Of a journey: how far it has come. */
      readonly standing: Standing | null;
    }
  | { readonly kind: "retired"; readonly row: ExecutionRow };

/** What nobody will see is not looked up. */
type Wanted = { readonly [what in "accepts" | "standing"]: boolean };
export type ReadExecution = { readonly execution: string; readonly wanted?: Wanted };
const ALL: Wanted = { accepts: true, standing: true };

export async function getExecution(
  deps: Deps,
  caller: TenantCaller,
  input: ReadExecution,
): Promise<Result<FoundExecution>> {
  const read = await readState(deps, caller, input);
  if (read.ok) return accept(await live(deps, read.value, input.wanted ?? ALL));
  if (read.refusal.code !== "not_found") return read;
  const row = await retiredRow(deps, caller.tenant, input.execution);
  if (row === null) return read;
  return row.erasedAt ? refuse(historyGone(row)) : accept({ kind: "retired", row });
}

/** What it takes now is read off its definition, and nothing is compiled; one that has ended takes nothing. */
async function live(deps: Deps, state: ExecutionState, wanted: Wanted): Promise<FoundExecution> {
  const program = wanted.accepts && !isFinalStatus(state.status) ? await programRunBy(deps, state) : null;
  const accepts = program?.waitsFor(state.position) ?? null;
  if (!wanted.standing || state.position.kind !== "journey") return { kind: "live", state, accepts, standing: null };
  const definition = program?.definition ?? (await definitionOf(deps, state));
  const moment = { now: deps.now(), timezone: definition?.timezone ?? "UTC" };
  return { kind: "live", state, accepts, standing: standingOf(state, nodesOf(state, definition, []), moment) };
}
