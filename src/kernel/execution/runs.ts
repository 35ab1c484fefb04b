// Runs before an attempt: creates runs when a state is entered, lets them wait for their time and a free slot, and
// dispatches them.
import { defaults } from "#schema/defaults.ts";
import type { ProgramAction } from "#schema/definition/action.ts";
import { UNFINISHED_RUNS_MAX } from "#schema/limits/run-attempts.ts";
import type { RepeatedRun } from "#schema/engine/journal.ts";
import { dueOf, currentHold, occupiesSlot, type Run } from "#schema/engine/run.ts";
import type { JsonObject } from "#schema/json.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { valuesForJournal, contextOfRun } from "./rule-values.ts";
import { passOverRun, takeEarlierEffect, failUnevaluableRun, skipRun } from "./run-endings.ts";
import { laneFor, slowTimeout } from "./attempts.ts";
import { expireRun, isMissedOccurrence, moveWindowHold, passWindow } from "./due/holds.ts";
import { recordUnknownZone } from "./due/settings-for-zones.ts";
import { truthy } from "../language/logic.ts";
import { isExhausted } from "../computing/work.ts";
import { delayObject, type ResolvedDelay } from "../language/timing.ts";
import { countedFrom, delaysOf, nodeOfMove, rescheduledInstant, resolveFor } from "./timers.ts";
import { newRun } from "./new-run.ts";
import { ownRuns, putRun } from "./own-lists.ts";
import { actionOf, changeRun, isPausedOrSuspended, addEntry, runOf, scopeOfRun, type Step } from "./current-step.ts";

/**
 * `occurrence`: the schedule's occurrence, in epoch ms. `from`: the instant from which the run's delay counts.
 * `skipsPast`: whether the run is skipped if its instant is past. `given`: additional names in the run's scope.
 */
type RunOptions = {
  readonly occurrence?: number;
  readonly from?: number | undefined;
  readonly skipsPast?: boolean | undefined;
  readonly given?: JsonObject | undefined;
  readonly reactivated?: RepeatedRun["because"];
};

/** Creates a run. Returns the fault if the execution has too many runs, otherwise null. */
export function createRun(
  step: Step,
  action: ProgramAction,
  boundTo: string | null,
  trigger: number,
  { occurrence, from, skipsPast = false, given, reactivated }: RunOptions = {},
): string | null {
  if (ownRuns(step).unfinished >= UNFINISHED_RUNS_MAX) {
    return `the execution has ${UNFINISHED_RUNS_MAX} unfinished runs, which is the limit (UNFINISHED_RUNS_MAX)`;
  }
  const run: Run = {
    ...newRun(step, action, trigger),
    boundTo,
    firstDueAt: occurrence ?? step.now,
    ...(from === undefined || from === step.now ? {} : { planned: from }),
    ...(given === undefined ? {} : { given }),
    ...(action.delay === undefined ? {} : countedFrom(step, delayObject(action.delay, delaysOf(step)), from, action)),
  };
  putRun(step, run);
  const made = occurrence === undefined ? takeEarlierEffect(step, action.actionId, given) : null;
  if (made !== null) {
    addEntry(step, { kind: "run_created", run: run.id, action: run.action, dueAt: step.now });
    passOverRun(step, run, made);
    return null;
  }
  const due = action.delay === undefined ? null : resolveFor(step, action.delay, trigger, { action, from, skipsPast });
  const dueAt = due?.ok ? due.at : step.now;
  const again = reactivated === undefined ? {} : { reactivated };
  addEntry(step, { kind: "run_created", run: run.id, action: run.action, dueAt, ...again });
  if (action.enabled === false) skipRun(step, run, "disabled");
  else if (due && !due.ok) failUnevaluableRun(step, run, due.message);
  else if (due)
    waitUntil(step, recordUnknownZone(step, run, due.unknownZone), due, skipsPast ? "past" : "already_past");
  else if (skipsPast && from !== undefined && from < step.now) skipRun(step, run, "past");
  else if (occurrence !== undefined && isMissedOccurrence(step, action, occurrence)) skipRun(step, run, "missed");
  return null;
}

/**
 * Sets the instant at which the run is due. Skips the run if the instant is past and the delay says to skip it then.
 */
export function waitUntil(
  step: Step,
  run: Run,
  due: Extract<ResolvedDelay, { ok: true }>,
  reason: "already_past" | "past" = "already_past",
): void {
  const { planned = null } = due;
  const held = currentHold(run);
  const waiting = changeRun(step, run, {
    ...(held === null ? { dueAt: due.at } : { heldByHand: { ...held, dueAt: due.at } }),
    firstDueAt: due.at,
    ...(run.held ? { held: null } : {}),
    ...(planned === null && run.planned == null ? {} : { planned }),
  });
  if (due.skip) skipRun(step, waiting, due.onHoliday === true ? "holiday" : reason);
}

/**
 * Reschedules runs whose delay depends on a changed variable. `isLeft`: true for runs that are not rescheduled, because
 * their state is left. Returns the fault if a delay cannot be resolved, otherwise null.
 */
export function rescheduleRuns(step: Step, before: ExecutionState, isLeft: (run: Run) => boolean): string | null {
  for (const run of step.state.runs) {
    const action = actionOf(step, run.action);
    const { delay } = action;
    if (isLeft(run)) continue;
    moveWindowHold(step, before, run, action);
    if (delay === undefined || hasStarted(run)) continue;
    const from = dueOf(run);
    const origin = { action, from: run.countsFrom ?? run.createdAt };
    const to = rescheduledInstant(step, before, delay, { trigger: run.trigger, at: from }, origin);
    if (to === null) continue;
    if (!to.ok) return to.message;
    step.moves.push({ timer: run.id, ...nodeOfMove(step, run.boundTo), from, to: to.skip ? null : to.at });
    waitUntil(step, recordUnknownZone(step, run, to.unknownZone), to);
  }
  return null;
}

/**
 * True if a changed variable must not reschedule the run. It was attempted, its config is rendered, or an operator has
 * changed its start.
 */
export function hasStarted({ status, attempt, config, broughtForward = false, rescheduled }: Run): boolean {
  return status !== "scheduled" || attempt > 0 || config !== null || broughtForward || rescheduled === true;
}

/**
 * Starts due runs in the free slots: by priority, then due time, then age. A run that is retried has kept its slot. In
 * a finished execution only retried dead letters start.
 */
export function dispatchDue(step: Step): void {
  if (isPausedOrSuspended(step)) return;
  for (const run of step.state.runs) {
    if (run.status === "retry" && isDue(run, step.now) && !isExhausted(step.work)) startRun(step, run);
  }
  let free = slotsFree(step);
  if (free <= 0) return;
  for (const run of dueRuns(step, step.now)) {
    if (free <= 0 || isExhausted(step.work)) return;
    startRun(step, run);
    const begun = runOf(step, run.id);
    if (begun && occupiesSlot(begun)) free -= 1;
  }
}

/**
 * Evaluates the conditions of runs that were due before the next due work and had a free slot. If a condition is false,
 * the run is skipped now, so that its event precedes that work. All other runs start after that work, unless it cancels
 * them.
 */
export function checkDueConditions(step: Step, until: number): void {
  if (isPausedOrSuspended(step)) return;
  let free = slotsFree(step);
  for (const run of dueRuns(step, until)) {
    if (free <= 0 || isExhausted(step.work)) return;
    if (!step.checkedRuns.has(run.id) && startableRun(step, run) === null) continue;
    step.checkedRuns.add(run.id);
    free -= 1;
  }
}

function slotsFree({ program, state }: Step): number {
  return (program.definition.concurrency ?? defaults.concurrency) - state.runs.filter(occupiesSlot).length;
}

/**
 * The runs due by `until`, in the order in which they start. The list is computed once; starting a run does not change
 * it.
 */
function dueRuns({ state }: Step, until: number): readonly Run[] {
  const due = state.runs.filter((run): run is DueRun => run.status === "scheduled" && isDue(run, until));
  return due.toSorted((a, b) => b.priority - a.priority || a.dueAt - b.dueAt);
}

type DueRun = Run & { readonly dueAt: number };

function isDue(run: Run, now: number): boolean {
  return run.dueAt !== null && run.dueAt <= now;
}

function startRun(step: Step, run: Run): void {
  const open = startableRun(step, run);
  if (open !== null) dispatch(step, open, actionOf(step, run.action));
}

/** Returns the run if it may start now. Returns null if the run has ended or waits for its window. */
function startableRun(step: Step, run: Run): Run | null {
  const action = actionOf(step, run.action);
  if (expireRun(step, run, action)) return null;
  if (action.condition !== undefined && isBeforeFirstAttempt(run)) {
    const holds = truthy(action.condition, scopeOfRun(step, run), step.work);
    if (!holds.ok) failUnevaluableRun(step, run, `the condition of the action cannot be evaluated: ${holds.message}`);
    else if (!holds.value)
      skipRun(step, run, "condition_false", valuesForJournal(step, action.condition, contextOfRun(step, run)));
    if (!holds.ok || !holds.value) return null;
  }
  return passWindow(step, run, action, run.attempt + 1);
}

/**
 * Whether the run's condition must still be evaluated. It is evaluated when the run is due, and again after a hold, but
 * not before a retry. A run that an operator has edited counts as not attempted.
 */
export function isBeforeFirstAttempt({ status, config, attempts, underWay }: Run): boolean {
  if (status !== "scheduled") return false;
  return config === null || (attempts.length === 0 && underWay === undefined);
}

function dispatch(step: Step, run: Run, action: ProgramAction): void {
  const attempt = run.attempt + 1;
  const lane = laneFor(step, action, run.attempts);
  if (lane === "direct") step.room -= 1;
  changeRun(step, run, { status: "queued", attempt, lane, sentAt: step.now, resends: 0, dueAt: null });
  addEntry(step, { kind: "run_dispatched", run: run.id, attempt, lane });
  const slow = lane === "queue" ? slowTimeout(action) : {};
  step.effects.push({ kind: "dispatch", run: run.id, attempt, priority: run.priority, lane, ...slow });
}

/**
 * Sends the message of an attempt again, because the first message may be lost. A duplicate has no effect, because only
 * one message can claim the attempt.
 */
export function resend(step: Step, run: Run, reason: string, resends: number): void {
  const { id, attempt, priority } = run;
  changeRun(step, run, { status: "queued", lane: "queue", sentAt: step.now, resends, deadlineAt: null });
  addEntry(step, { kind: "run_resent", run: id, attempt, reason });
  const slow = slowTimeout(actionOf(step, run.action));
  step.effects.push({ kind: "dispatch", run: id, attempt, priority, lane: "queue", ...slow });
}
