// Group commit: decides whether an input waits briefly for other inputs, so that one commit stores them together. In an
// idle cell an input does not wait.
import { GROUP_COMMIT_FROM } from "#schema/limits/executions.ts";

/**
 * The activity of a cell: calls in progress, and executions that received an input in the last interval. Executions are
 * counted instead of calls, because calls for one execution come one after another.
 */
export type CellActivity = { readonly inFlight: number; readonly recentExecutions: number };

/** Returns whether an input waits for others, judged by the cell's activity. */
export function shouldWaitForGroup({ inFlight, recentExecutions }: CellActivity): boolean {
  return inFlight >= GROUP_COMMIT_FROM || recentExecutions > GROUP_COMMIT_FROM;
}
