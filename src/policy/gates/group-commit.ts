// Group commit: decides whether an input waits briefly for other inputs, so that one commit serves all. An idle cell
// does not wait.
import { GROUP_COMMIT_FROM } from "#schema/limits/executions.ts";

/**
 * The activity of a cell: calls in progress, and executions with an input in the last interval. Executions are counted,
 * because calls for one execution are sequential.
 */
export type CellActivity = { readonly inFlight: number; readonly recentExecutions: number };

/** Returns whether an input should wait for others, from the cell's activity. */
export function shouldWaitForGroup({ inFlight, recentExecutions }: CellActivity): boolean {
  return inFlight >= GROUP_COMMIT_FROM || recentExecutions > GROUP_COMMIT_FROM;
}
