// Wakes of a reconciler: its next tick and its next observation; null if nothing has changed.
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
    // A past tick was made and had no effect.
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
