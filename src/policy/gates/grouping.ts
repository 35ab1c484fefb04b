// Group commit: decides whether an input waits a moment for others, so that one commit serves all. An idle cell does
// not wait.
import { GROUP_FROM } from "#schema/limits/objects.ts";

/**
 * The activity of a cell: calls in flight, and the number of executions with an input in the last interval. Counted by
 * execution, because calls for one execution are sequential. A consumer's call counts for all its items.
 */
export type CellActivity = { readonly inFlight: number; readonly lately: number };

export function waitsForOthers({ inFlight, lately }: CellActivity): boolean {
  return inFlight >= GROUP_FROM || lately > GROUP_FROM;
}
