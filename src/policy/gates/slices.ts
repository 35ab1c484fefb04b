// How many of those that are due share a turn, and so a commit: as many as are done within a bounded time, for as long as a
// turn lasts nobody else of the cell is served. The cell's clock stands still meanwhile, so it goes by what the last took.
import { DUE_SLICE_EXECUTIONS, DUE_SLICE_EXECUTIONS_MAX, DUE_SLICE_MS } from "#schema/limits/objects.ts";

/** What one of the last slice took; null: there was none yet that says anything. */
export type Pace = number | null;

export function sliceAt(eachMs: Pace): number {
  if (eachMs === null) return DUE_SLICE_EXECUTIONS;
  const inTime = Math.floor(DUE_SLICE_MS / eachMs);
  return Math.min(Math.max(inTime, DUE_SLICE_EXECUTIONS), DUE_SLICE_EXECUTIONS_MAX);
}

/** A small one says more about what else was going on. */
export function paceAfter(before: Pace, { size, tookMs }: { readonly size: number; readonly tookMs: number }): Pace {
  return size < DUE_SLICE_EXECUTIONS ? before : Math.max(tookMs, 0) / size;
}
