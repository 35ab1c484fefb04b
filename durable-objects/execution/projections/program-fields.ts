// Program fields: the fields of a catalog row that need the execution's program: its search values and its waits.
import { searchValues } from "#kernel/declared/search-values.ts";
import { shownZone } from "#kernel/language/zone-settings.ts";
import { waitNames } from "#kernel/waiting/wait-names.ts";
import type { ExecutionRow } from "#schema/engine/projection.ts";
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
