// What the passing of time does: timers fire, deadlines pass, lost messages are sent again, history expires.
import { PROJECT_BUSY_AFTER_MS, RESEND_GAPS_MS } from "#schema/limits.ts";
import { isFinalRun, type Run } from "#schema/run.ts";
import { isFinalStatus, type ExecutionState, type Timer } from "#schema/state.ts";
import { settleDown } from "./drive.ts";
import { createRun, resend } from "./runs.ts";
import { overdueAt, timeOut } from "./settle.ts";
import { disarm, dueTimers, rearmSchedule } from "./timers.ts";
import { actionOf, note, remember, type Turn } from "./turn.ts";

/** Due timers first, each with all it sets off, so that an event that comes later finds the race decided. */
export function passTime(turn: Turn): void {
  for (const run of turn.state.runs) {
    if (run.status === "running" && overdueAt(run) <= turn.now) timeOut(turn, run);
    else if (run.status === "queued" && resendAt(run) <= turn.now) resend(turn, run, "not_claimed");
  }
  settleDown(turn);
  if (turn.state.status === "paused") return;
  for (let [timer] = dueTimers(turn); timer; [timer] = dueTimers(turn)) {
    fire(turn, timer);
    settleDown(turn);
  }
}

function fire(turn: Turn, timer: Timer): void {
  disarm(turn, ({ id }) => id !== timer.id);
  note(turn, { kind: "timer_fired", timer: timer.id, lateMs: turn.now - (timer.at ?? turn.now) });
  if (timer.kind === "after") {
    const { id, at } = timer;
    const message = { id: `${id}@${at}`, type: id, payload: null, source: "timer", correlationId: turn.state.correlationId };
    turn.pending.push({ message, origin: "timer" });
    return;
  }
  const action = actionOf(turn, timer.action ?? "");
  rearmSchedule(turn, timer, action);
  // An occurrence while the last one is still under way would only pile up behind it.
  if (turn.state.runs.some((run) => run.action === action.actionId && !isFinalRun(run.status))) {
    note(turn, { kind: "run_skipped", run: timer.id, action: action.actionId, reason: "previous_still_under_way" });
    return;
  }
  createRun(turn, action, timer.state, remember(turn, null, null));
}

function resendAt(run: Run): number {
  const gap = RESEND_GAPS_MS[Math.min(run.resends, RESEND_GAPS_MS.length - 1)] as number; // the index is in range
  return (run.sentAt ?? 0) + gap;
}

/** When the execution must be looked at again, or null. May lie in the past: then at once. */
export function nextWake(state: ExecutionState, now: number): number | null {
  const wakes: number[] = [];
  if (state.unprojectedSince !== null) wakes.push(state.unprojectedSince + PROJECT_BUSY_AFTER_MS);
  for (const run of state.runs) if (run.status === "running") wakes.push(overdueAt(run));
  if (isFinalStatus(state.status)) {
    if (state.retainUntil !== null && wakes.length === 0) wakes.push(state.retainUntil);
  } else if (state.status !== "paused") {
    for (const { at } of state.timers) if (at !== null) wakes.push(at);
    for (const run of state.runs) {
      if (run.status === "queued") wakes.push(resendAt(run));
      if (run.status === "retry" && run.dueAt !== null) wakes.push(run.dueAt);
      // One that is due already waits for a slot, and the settlement that frees it will look.
      if (run.status === "scheduled" && run.dueAt !== null && run.dueAt > now) wakes.push(run.dueAt);
    }
  }
  return wakes.length > 0 ? Math.min(...wakes) : null;
}
