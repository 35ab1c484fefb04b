// Decides how many executions with due work share a turn and a commit. A turn must be short, because the cell serves
// nothing else meanwhile. The cell's clock stops during a turn, so the previous slice is measured.
import { DUE_SLICE_EXECUTIONS, DUE_SLICE_EXECUTIONS_MAX, DUE_SLICE_MS } from "#schema/limits/due-work.ts";

/** The time per execution of the previous slice, in milliseconds; null if unknown. */
export type SlicePace = number | null;

/** Returns the number of executions in the next slice. `eachMs`: the time per execution of the previous slice. */
export function sliceSize(eachMs: SlicePace): number {
  if (eachMs === null) return DUE_SLICE_EXECUTIONS;
  const fitting = Math.floor(DUE_SLICE_MS / eachMs);
  return Math.min(Math.max(fitting, DUE_SLICE_EXECUTIONS), DUE_SLICE_EXECUTIONS_MAX);
}

/** Returns the pace after a slice. A small slice is ignored, because its time is mostly spent on other work. */
export function paceAfter(
  before: SlicePace,
  { size, tookMs }: { readonly size: number; readonly tookMs: number },
): SlicePace {
  return size < DUE_SLICE_EXECUTIONS ? before : Math.max(tookMs, 0) / size;
}
