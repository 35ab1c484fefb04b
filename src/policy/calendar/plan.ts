// Decides what a recurring action's object does next, and when it wakes. While it is neither paused nor ended, it
// always has a wake.
import {
  RECURRING_CHECKS_FAILED_MAX,
  RECURRING_GUARD_MS,
  RECURRING_SLICE_MAX,
} from "#schema/limits/recurring-actions.ts";
import type { PendingDispatch, RecurringState, Slot } from "#schema/recurring/state.ts";

/** The next action: `send` pending starts, `fire` due occurrences, or `start` the waiting occurrence. */
export type RecurringPlan =
  | { readonly kind: "send"; readonly items: readonly PendingDispatch[] }
  /** The object checks whether these executions are still running. */
  | { readonly kind: "look"; readonly executions: readonly string[] }
  | { readonly kind: "cancel"; readonly executions: readonly string[] }
  | { readonly kind: "fire" }
  | { readonly kind: "start" }
  /** The object sleeps until this instant; null: until the next command. */
  | { readonly kind: "rest"; readonly at: number | null };

/** Returns the next action: pending starts first, then the waiting occurrence, then due occurrences. */
export function planRecurring(state: RecurringState, now: number): RecurringPlan {
  const ready = state.pending.filter(({ retryAt }) => retryAt <= now);
  if (ready.length > 0) return { kind: "send", items: ready.slice(0, RECURRING_SLICE_MAX) };
  if (state.waiting !== null && state.pending.length === 0) {
    const plan = planWaiting(state, now);
    if (plan !== null) return plan;
  }
  const due = dueSlot(state, now);
  if (due !== null) {
    const { nextAt = 0, failures = 0 } = state.looking ?? {};
    if (!mustCheck(state, due.fireAt)) return { kind: "fire" };
    if (nextAt <= now || failures === 0) return planCheck(state);
  }
  return { kind: "rest", at: wakeAt(state, now) };
}

/**
 * Returns whether the object must first check the previous executions. The decision about the occurrence due at `since`
 * may depend on them.
 */
export function mustCheck({ spec, live, looking }: RecurringState, since: number): boolean {
  if (spec.overlap === "allow" || live.length === 0) return false;
  if (looking === null) return true;
  return looking.askedAt < since && looking.failures < RECURRING_CHECKS_FAILED_MAX;
}

/** Returns the check of all executions that may still be running. */
export function planCheck({ live }: RecurringState): RecurringPlan {
  return { kind: "look", executions: live.map(({ execution }) => execution) };
}

/**
 * Returns the instant of an alarm that resumes interrupted work. If the next occurrence is near, its instant is
 * returned, because keeping an alarm writes no row.
 */
export function guardRecurring({ next }: RecurringState, now: number): number {
  const at = now + RECURRING_GUARD_MS;
  const isNear = next !== null && next.fireAt > now && next.fireAt <= at + RECURRING_GUARD_MS;
  return isNear ? next.fireAt : at;
}

/** Returns what to do about the waiting occurrence; null if the next check of the previous one is not due. */
function planWaiting(state: RecurringState, now: number): RecurringPlan | null {
  if (state.live.length === 0) return { kind: "start" };
  const notCanceled = state.live.filter(({ isCanceled }) => !isCanceled).map(({ execution }) => execution);
  const { nextAt = 0, failures = 0 } = state.looking ?? {};
  const isCheckDue = nextAt <= now;
  if (state.spec.overlap === "cancel_other" && notCanceled.length > 0 && (isCheckDue || failures === 0))
    return { kind: "cancel", executions: notCanceled };
  return isCheckDue ? planCheck(state) : null;
}

/** Returns the armed occurrence if it is due; null otherwise. */
function dueSlot({ status, next }: RecurringState, now: number): Slot | null {
  return status === "active" && next !== null && next.fireAt <= now ? next : null;
}

/** Returns the earliest instant at which something is due, in epoch ms; null if there is none. */
function wakeAt(state: RecurringState, now: number): number | null {
  const { status, next, pending, waiting, looking } = state;
  const lookAt = looking === null ? now : looking.nextAt;
  const due = status === "active" && next !== null ? [dueSlot(state, now) === null ? next.fireAt : lookAt] : [];
  const checks = waiting !== null && pending.length === 0 ? [lookAt] : [];
  const instants = [...due, ...checks, ...pending.map(({ retryAt }) => retryAt)];
  return instants.length === 0 ? null : Math.min(...instants);
}
