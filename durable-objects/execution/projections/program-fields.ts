// Program fields: the fields of catalog rows that need the execution's program: search values, waits, and tags of runs.
import { searchValues } from "#kernel/declared/search-values.ts";
import { shownZone } from "#kernel/language/zone-settings.ts";
import { waitNames } from "#kernel/waiting/wait-names.ts";
import type { ExecutionRow, RunRow } from "#schema/engine/projection.ts";
import type { Run } from "#schema/engine/run.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import { acceptsOf, programOf } from "../programs.ts";
import type { CellStorage } from "../storage.ts";

/** If the program is unreadable, the fields are absent, because the other fields must still be projected. */
export function programFields(
  state: ExecutionState,
  storage: CellStorage,
  now: number,
): Pick<ExecutionRow, "search" | "waits"> {
  try {
    return { ...searchField(state, storage), ...waitsField(state, storage, now) };
  } catch {
    return {};
  }
}

/** A standalone action has no definition that could declare search variables. */
function searchField(state: ExecutionState, storage: CellStorage): Pick<ExecutionRow, "search"> {
  if (state.standalone || state.standsIn) return {};
  const { searchVariables, timezone } = programOf(state, storage).definition;
  if (searchVariables === undefined) return {};
  return { search: searchValues(searchVariables, state.variables, shownZone([timezone], state.variables)) };
}

function waitsField(state: ExecutionState, storage: CellStorage, now: number): Pick<ExecutionRow, "waits"> {
  if (isFinalStatus(state.status)) return {};
  const names = waitNames(state, now, acceptsOf(state, storage).accepts ?? null);
  return names.length === 0 ? {} : { waits: [...names] };
}

/** Returns the labels of the run's action. Empty if it has none, or if the program is unreadable. */
export function tagsOf(state: ExecutionState, run: Run, storage: CellStorage): Pick<RunRow, "tags"> {
  try {
    const { tags = [] } = programOf(state, storage).actions.get(run.action) ?? {};
    return tags.length === 0 ? {} : { tags: [...tags] };
  } catch {
    return {};
  }
}
