// About when an execution was created, as far as its id tells: ids that the engine chose hold the time, so the catalog
// need not be searched from end to end.
import { timeOf } from "#schema/ids.ts";

/** Worker and object have clocks of their own, and a start may wait. */
const SLACK_MS = 60 * 60_000;

export function createdAround(execution: string): { readonly from: number; readonly to: number } | null {
  const at = timeOf(execution);
  if (at === null) return null;
  return { from: at - SLACK_MS, to: at + SLACK_MS };
}
