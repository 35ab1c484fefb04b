// When a reconciler must be looked at again, of what it keeps: its next tick, and who observes for it. Of one that nothing has changed
// for, never.
import { isStale, tickAfter, type Reconciling } from "#schema/engine/reconciling.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { overdueAt, resendAt } from "../waited-until.ts";
import { actionInFlight } from "./action-status.ts";

export function reconcilingWakes(state: ExecutionState, now: number): readonly number[] {
  const { reconciling, position, createdAt } = state;
  if (!reconciling || position.done) return [];
  const { tickAt, watches } = reconciling;
  const isWatching = watches && actionInFlight(state) === undefined && !isStale(reconciling, now);
  return [
    // A past one has been made, and nothing came of it.
    ...(tickAt !== null && tickAt > now ? [tickAt] : []),
    ...(isWatching ? [tickAfter(reconciling, createdAt, now)] : []),
    ...collectsAt(reconciling),
  ];
}

function collectsAt({ collecting }: Reconciling): readonly number[] {
  if (!collecting) return [];
  const { run, dueAt } = collecting;
  if (run === null) return [dueAt];
  return [run.status === "queued" ? resendAt(run) : overdueAt(run)];
}
