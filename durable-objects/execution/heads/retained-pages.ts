// Retained pages: which pages of a journal are kept. All of them while the execution exists; of a reconciler, which may
// run for years, the latest.
import { RECONCILER_PAGES_KEPT } from "#schema/limits/journal-pages.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { CellStorage, Head } from "../storage.ts";

function pagesKept({ reconciling }: ExecutionState): number {
  return reconciling === undefined ? Infinity : RECONCILER_PAGES_KEPT;
}

/** The first page that still exists. */
export function firstPage({ state, pages }: Pick<Head, "state" | "pages">): number {
  return Math.max(1, pages + 1 - pagesKept(state));
}

/** Writes a full page, and deletes the oldest one above the limit. */
export function sealInto(storage: Pick<CellStorage, "writePage" | "dropPage">, state: ExecutionState) {
  return (page: number, entries: readonly JournalEntry[]): void => {
    storage.writePage(state.id, page, entries);
    const gone = page - pagesKept(state);
    if (gone > 0) storage.dropPage(state.id, gone);
  };
}
