// Tickets: everything that a runner needs to execute a claimed run.
import { runsInProgress } from "#schema/engine/reconciling.ts";
import type { Parent } from "#schema/engine/child.ts";
import type { Ticket } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";

/** Returns everything that a runner needs for the attempt; null if the attempt is not claimed. */
export function ticketOf(state: ExecutionState, id: string, attempt: number): Ticket | null {
  const run = runsInProgress(state).find((each) => each.id === id);
  if (!run || run.status !== "running" || run.attempt !== attempt || run.config === null) return null;
  return {
    tenant: state.tenant,
    execution: state.id,
    run: id,
    attempt,
    action: run.action,
    type: run.type,
    config: run.config,
    idempotencyKey: `${state.id}/${id}`,
    timeoutMs: (run.deadlineAt ?? 0) - (run.claimedAt ?? 0),
    deadlineAt: run.deadlineAt ?? 0,
    held: run.held ?? null,
    incarnation: state.createdAt,
    ...(state.reconciling ? { mayBeCalledOff: true } : {}),
    ...(run.quietHours ? { quietHours: run.quietHours } : {}),
    ...(run.cap ? { cap: run.cap } : {}),
    ...(run.limits ? { limits: run.limits } : {}),
    ...(state.startedBy ? { trigger: state.startedBy.trigger } : {}),
    ...(state.parent ? { nesting: nestingOf(state.parent) } : {}),
    ...(run.attempts.at(-1)?.possiblyRepeated ? { possiblyRepeated: true } : {}),
  };
}

function nestingOf({ depth = 0, relays = 0 }: Parent): NonNullable<Ticket["nesting"]> {
  return { depth, relays };
}
