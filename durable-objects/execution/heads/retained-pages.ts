// Retained pages: which pages of a journal are kept. An execution keeps all of its pages. A reconciler may run for
// years, so it keeps the latest pages only.
import { RECONCILER_PAGES_KEPT } from "#schema/limits/executions.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { CellStorage, Head } from "../storage.ts";

function pagesKeptMax({ reconciling }: ExecutionState): number {
  return reconciling === undefined ? Infinity : RECONCILER_PAGES_KEPT;
}

/** Returns the number of the first page that still exists. */
export function firstPage({ state, pages }: Pick<Head, "state" | "pages">): number {
  return Math.max(1, pages + 1 - pagesKeptMax(state));
}

/** Returns a function that writes a full page, and deletes the oldest page above the limit. */
export function sealInto(storage: Pick<CellStorage, "writePage" | "dropPage">, state: ExecutionState) {
  return (page: number, entries: readonly JournalEntry[]): void => {
    storage.writePage(state.id, page, entries);
    const surplusPage = page - pagesKeptMax(state);
    if (surplusPage > 0) storage.dropPage(state.id, surplusPage);
  };
}
