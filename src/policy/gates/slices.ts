// Decides how many executions with due work are processed in one turn with one commit. The cell serves no other request
// during a turn, so a turn must be short. The clock of the cell stops during a turn, so the time is measured from slice
// to slice.
import { DUE_SLICE_EXECUTIONS, DUE_SLICE_EXECUTIONS_MAX, DUE_SLICE_MS } from "#schema/limits/due-work.ts";

/** The time per execution in the previous slice, in milliseconds; null if it was not measured. */
export type SlicePace = number | null;

/** Returns the number of executions in the next slice. `eachMs`: the time per execution of the previous slice. */
export function sliceSize(eachMs: SlicePace): number {
  if (eachMs === null) return DUE_SLICE_EXECUTIONS;
  const fitting = Math.floor(DUE_SLICE_MS / eachMs);
  return Math.min(Math.max(fitting, DUE_SLICE_EXECUTIONS), DUE_SLICE_EXECUTIONS_MAX);
}

/**
 * Returns the pace after a slice. A small slice does not change it, because most of its time is spent on other work.
 */
export function paceAfter(
  before: SlicePace,
  { size, tookMs }: { readonly size: number; readonly tookMs: number },
): SlicePace {
  return size < DUE_SLICE_EXECUTIONS ? before : Math.max(tookMs, 0) / size;
}
