// Stops an operation automatically: if too many executions refuse it, or if too many of the processed executions fail
// later.
import type { OperationCounts } from "#schema/operation.ts";
import type { Health, StopCondition, AutomaticStop } from "#schema/engine/execution-command.ts";
import { HEALTH_CHECK_EVERY_MS, PROVIDER_CHECK_EVERY_MS } from "#schema/limits/upkeep/bulk-operations.ts";
import type { OperationState } from "./pace.ts";

/**
 * Called after each slice: stops the operation if too many items were refused. Items that no longer exist or no longer
 * match do not count as refused.
 */
export function stopIfRefused(state: OperationState, now: number): OperationState {
  const { stopAt } = state.terms;
  const failed = Object.values(state.counts.refused).reduce((sum, count) => sum + count, 0);
  return stopIf(state, stopAt, { why: "refused", failed, of: state.counts.released + failed }, now);
}

/** Returns whether it is time to check the processed executions. */
export function isCheckDue({ terms, counts, lookAt = 0 }: OperationState, now: number): boolean {
  const { stopAt, heal } = terms;
  if (heal !== undefined) return lookAt <= now;
  return stopAt?.states !== undefined && counts.released >= stopAt.after && lookAt <= now;
}

/** Applies the result of a check, and stops the operation if too many of the processed executions have failed. */
export function applyHealth(state: OperationState, { looked, failed, away }: Health, now: number): OperationState {
  // The failure of a provider is known immediately, so operations that retry after an outage check often. Other
  // operations read the lists of the catalog, which are updated later.
  const everyMs = state.terms.heal === undefined ? HEALTH_CHECK_EVERY_MS : PROVIDER_CHECK_EVERY_MS;
  const seen = { ...state, lookAt: now + everyMs, trouble: state.left.length > 0 ? state.trouble : null };
  const { released } = state.counts;
  if (away && state.status === "running") return stop(seen, { why: "away", failed: 0, of: released }, now);
  return stopIf(seen, state.terms.stopAt, { why: "unhealthy", failed, of: looked }, now);
}

/** Returns how many items are processed. They are the first items of the list, whatever their outcomes are. */
export function processedCount({ counts, left }: Pick<OperationState, "counts" | "left">): number {
  return counts.released + counts.gone + sum(counts.skipped) + sum(counts.refused) + left.length;
}

/**
 * Stops a running operation if the share of failures exceeds the limit. The share counts only after a minimum number of
 * items.
 */
function stopIf(
  state: OperationState,
  stopAt: StopCondition | undefined,
  seen: AutomaticStop,
  now: number,
): OperationState {
  if (stopAt === undefined || state.status !== "running" || seen.of < stopAt.after) return state;
  if (seen.failed <= seen.of * stopAt.failedShare) return state;
  return stop(state, seen, now);
}

function stop(state: OperationState, stopped: AutomaticStop, now: number): OperationState {
  return { ...state, status: "stopped", stopped, finishedAt: now, nextAt: now };
}

function sum(tally: OperationCounts["skipped"]): number {
  return Object.values(tally).reduce((all, count) => all + count, 0);
}
