// Which pages of a journal are kept: all of them, as long as the execution is; of a reconciler, which may live for years, the latest.
import { RECONCILER_PAGES_KEPT } from "#schema/limits/reconciler-sizes.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { CellStorage, Head } from "../storage.ts";

function pagesKept({ reconciling }: ExecutionState): number {
  return reconciling === undefined ? Infinity : RECONCILER_PAGES_KEPT;
}

/** The first one that is still there. */
export function firstPage({ state, pages }: Pick<Head, "state" | "pages">): number {
  return Math.max(1, pages + 1 - pagesKept(state));
}

/** Writes a page that is full, and lets go of the one that is one too many. */
export function sealInto(storage: Pick<CellStorage, "writePage" | "dropPage">, state: ExecutionState) {
  return (page: number, entries: readonly JournalEntry[]): void => {
    storage.writePage(state.id, page, entries);
    const gone = page - pagesKept(state);
    if (gone > 0) storage.dropPage(state.id, gone);
  };
}
