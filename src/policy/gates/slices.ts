// Slices of due work: how many executions share a turn and a commit. A slice must end within a limited time, because
// the cell serves nothing else during a turn. The cell's clock stops meanwhile, so the time of the last slice is used.
import { DUE_SLICE_EXECUTIONS, DUE_SLICE_EXECUTIONS_MAX, DUE_SLICE_MS } from "#schema/limits/objects.ts";

/** The time per execution of the last slice; null if unknown. */
export type Pace = number | null;

export function sliceAt(eachMs: Pace): number {
  if (eachMs === null) return DUE_SLICE_EXECUTIONS;
  const inTime = Math.floor(DUE_SLICE_MS / eachMs);
  return Math.min(Math.max(inTime, DUE_SLICE_EXECUTIONS), DUE_SLICE_EXECUTIONS_MAX);
}

/** A small slice mostly measures other work. */
export function paceAfter(before: Pace, { size, tookMs }: { readonly size: number; readonly tookMs: number }): Pace {
  return size < DUE_SLICE_EXECUTIONS ? before : Math.max(tookMs, 0) / size;
}
