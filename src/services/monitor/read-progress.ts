// Execution progress: computed from the execution's state. If the object was deleted, it is computed from the catalog's
// row.
import { shownZone } from "#kernel/language/zone-settings.ts";
import { nodesOf, statesLeft } from "#policy/advice/nodes.ts";
import { progressSnapshot, type ProgressSnapshot } from "#policy/advice/progress-snapshot.ts";
import { retiredProgress } from "#policy/advice/retired-progress.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { JsonObject } from "#schema/json.ts";
import { JOURNAL_PAGE_ENTRIES_MAX, LEFT_STATES_PAGES_MAX } from "#schema/limits/executions.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { definitionOf } from "../executions/definition-of.ts";
import { getExecution, getJournal } from "../executions/executions.ts";

export type ExecutionProgress = ProgressSnapshot & { readonly variables: JsonObject };

export async function readProgress(
  deps: Deps,
  caller: TenantCaller,
  input: { readonly execution: string },
): Promise<Result<ExecutionProgress>> {
  const found = await getExecution(deps, caller, input);
  if (!found.ok) return found;
  if (found.value.kind === "retired") return accept({ ...retiredProgress(found.value.row), variables: {} });
  const { state, standing } = found.value;
  return accept({ ...(standing ?? (await machineProgress(deps, caller, state))), variables: state.variables });
}

/** Computes the progress of a machine. Its history lists the states that it has left. */
async function machineProgress(deps: Deps, caller: TenantCaller, state: ExecutionState): Promise<ProgressSnapshot> {
  const definition = await definitionOf(deps, state);
  const left = state.position.kind === "machine" ? await readStatesLeft(deps, caller, state.id) : [];
  const moment = { now: deps.now(), timezone: shownZone([definition?.timezone], state.variables) };
  return progressSnapshot(state, nodesOf(state, definition, left), moment);
}

async function readStatesLeft(deps: Deps, caller: TenantCaller, execution: string): Promise<readonly string[]> {
  const entries: JournalEntry[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < LEFT_STATES_PAGES_MAX; pages += 1) {
    const page = await getJournal(deps, caller, { execution, cursor, limit: JOURNAL_PAGE_ENTRIES_MAX });
    if (!page.ok) break;
    entries.push(...page.value.entries);
    cursor = page.value.nextCursor;
    if (cursor === null) break;
  }
  return statesLeft(entries);
}
