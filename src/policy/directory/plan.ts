// Decides what a partition of a tenant's directory does next, and when its alarm wakes it.
import type { PublishedEventRow } from "#schema/directory/calls.ts";
import { REMOVED_KEYS_KEPT_MS } from "#schema/limits/executions.ts";

export type DirectoryPlan =
  | { readonly kind: "deliver"; readonly row: PublishedEventRow }
  /** The event has ended. The directory reports the result to the trigger that published the event. */
  | { readonly kind: "report"; readonly row: PublishedEventRow }
  /**
   * The time for which the event is kept has passed. An event without an execution becomes undeliverable. The row of a
   * finished event is deleted.
   */
  | { readonly kind: "pass_over"; readonly row: PublishedEventRow }
  | { readonly kind: "rest"; readonly at: number | null };

/**
 * Returns the next action. `due`: the event that is due first. `oldestLeftAt`: the earliest instant (epoch ms) at which
 * an execution left the directory, among those that are still stored.
 */
export function planDirectory(
  due: PublishedEventRow | null,
  nextDueAt: number | null,
  oldestLeftAt: number | null,
): DirectoryPlan {
  if (due?.isReportDue) return { kind: "report", row: due };
  if (due !== null) return due.status === "going" ? { kind: "deliver", row: due } : { kind: "pass_over", row: due };
  const instants = [nextDueAt, oldestLeftAt === null ? null : oldestLeftAt + REMOVED_KEYS_KEPT_MS + 1];
  const future = instants.filter((at) => at !== null);
  return { kind: "rest", at: future.length === 0 ? null : Math.min(...future) };
}
