// Decides what a partition of a tenant's directory does next, and when it wakes.
import type { PublishedEventRow } from "#schema/directory/calls.ts";
import { REMOVED_KEYS_KEPT_MS } from "#schema/limits/executions.ts";

export type DirectoryPlan =
  | { readonly kind: "deliver"; readonly row: PublishedEventRow }
  /** The event's time is over. The directory gives up an event without an execution, and deletes a finished event. */
  | { readonly kind: "pass_over"; readonly row: PublishedEventRow }
  | { readonly kind: "rest"; readonly at: number | null };

/**
 * Returns the next action. `due`: the event that has been due longest. `oldestLeftAt`: the earliest instant (epoch ms)
 * at which a remembered execution left the directory.
 */
export function planDirectory(
  due: PublishedEventRow | null,
  nextDueAt: number | null,
  oldestLeftAt: number | null,
): DirectoryPlan {
  if (due !== null) return due.status === "going" ? { kind: "deliver", row: due } : { kind: "pass_over", row: due };
  const instants = [nextDueAt, oldestLeftAt === null ? null : oldestLeftAt + REMOVED_KEYS_KEPT_MS + 1];
  const future = instants.filter((at) => at !== null);
  return { kind: "rest", at: future.length === 0 ? null : Math.min(...future) };
}
