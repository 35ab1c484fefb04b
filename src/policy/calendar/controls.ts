// Operator commands that update, pause and resume a recurring action. New settings apply to future occurrences.
// Occurrences that are already due keep the earlier settings.
import { refuse, type Refusal } from "#schema/refusal.ts";
import { isSameRule, type FollowedCalendars, type RecurringSpec } from "#schema/recurring/spec.ts";
import type { SpecChange } from "#schema/recurring/calls.ts";
import { admitOccurrence } from "./admit.ts";
import { changeState, recordOccurrence, roomLeft, type StepInProgress } from "./step-in-progress.ts";
import { armNext } from "./fire.ts";
import { hasSameHolidays, namedCalendars, newerCalendars } from "./follow.ts";
import { neverDue } from "./never-due.ts";
import { countBetween, newestScheduled, slotAfter, slotAt } from "./occurrences.ts";

export type CommandRefusal = { readonly ok: false; readonly refusal: Refusal };

/** Changes the settings; returns null on success. */
export function updateSettings(
  step: StepInProgress,
  changes: SpecChange,
  enabled: boolean | null,
): CommandRefusal | null {
  const { state: before, now } = step;
  const spec = withNamedCalendars({ ...before.spec, ...changes });
  const isNewRule = !isSameRule(spec.rule, before.spec.rule) || !hasSameHolidays(spec, before.spec);
  const hasScheduleChanged = isNewRule || spec.startsAt !== before.spec.startsAt || spec.endsAt !== before.spec.endsAt;
  if (before.status === "paused" && hasScheduleChanged) recordHeldSoFar(step);
  changeState(step, { spec, updatedAt: Math.max(now, before.updatedAt + 1) });
  if (isNewRule) changeState(step, { doneUntil: Math.max(before.doneUntil, now) });
  if ((isNewRule || changes.startsAt !== undefined) && slotAfter(step.state, now) === null) return refuse(neverDue);
  if (before.status !== "paused") rearmNext(step, before.spec, hasScheduleChanged);
  if (enabled === false) pauseSchedule(step);
  return enabled === true ? resumeOrRefuse(step, "none") : null;
}

/** Removes the dates of calendars that the recurring action no longer names. */
function withNamedCalendars({ calendars, ...spec }: RecurringSpec): RecurringSpec {
  const named = namedCalendars({ ...spec, ...(calendars && { calendars }) });
  return { ...spec, ...(named && { calendars: named }) };
}

/**
 * Stores the newer dates of calendars, and arms the next occurrence under them. If no occurrence is left, the recurring
 * action ends. Dates that are not newer change nothing, so a repeated command is harmless.
 */
export function followCalendars(step: StepInProgress, changed: FollowedCalendars): void {
  const { state: before, now } = step;
  const calendars = newerCalendars(before.spec.calendars, changed);
  if (calendars === null) return;
  const spec = { ...before.spec, calendars };
  const isMoved = !hasSameHolidays(spec, before.spec);
  if (before.status === "paused" && isMoved) recordHeldSoFar(step);
  changeState(step, { spec, updatedAt: Math.max(now, before.updatedAt + 1) });
  if (!isMoved) return;
  changeState(step, { doneUntil: Math.max(step.state.doneUntil, now) });
  if (before.status !== "paused") rearmNext(step, before.spec, true);
}

/** Resumes the schedule; refuses if the schedule has ended. */
export function resumeOrRefuse(step: StepInProgress, catchUp: "none" | "last"): CommandRefusal | null {
  if (step.state.status === "completed") return refuse(scheduleEnded(step.state.statusReason));
  resumeSchedule(step, catchUp);
  return null;
}

const wayOut: { readonly [reason: string]: string } = {
  ends_at: "Set a later ends_at, or null.",
  max_executions: "Set a higher max_executions, or null.",
};

function scheduleEnded(reason: string | null): Refusal {
  const message = `The recurring action has completed (${reason}), so it has no further occurrence.`;
  const hint = `${wayOut[String(reason)] ?? "Set another cron_expr."} PUT /v1/recurring/{id} then continues the schedule.`;
  return { code: "verb_not_applicable", message, hint };
}

/** Records the occurrences that the pause has held so far, because they belong to the schedule before the change. */
function recordHeldSoFar(step: StepInProgress): void {
  recordHeld(step, null);
  changeState(step, { pause: { at: step.now, from: null }, doneUntil: Math.max(step.state.doneUntil, step.now) });
}

/**
 * Arms the next occurrence under the new settings. An occurrence that is due and is only delayed by its jitter is not
 * changed.
 */
function rearmNext(step: StepInProgress, before: RecurringSpec, hasScheduleChanged: boolean): void {
  const { state, now } = step;
  const { spec, next } = state;
  if (next !== null && next.nominal <= now) return;
  if (next === null || hasScheduleChanged || spec.maxExecutions !== before.maxExecutions) armNext(step);
  else if (spec.jitterMs !== before.jitterMs) changeState(step, { next: slotAt(state, next.nominal) });
  if (step.state.next !== null) changeState(step, { status: "active", statusReason: null });
}

export function pauseSchedule(step: StepInProgress): void {
  const { state, now } = step;
  if (state.status !== "active") return;
  const from = state.next !== null && state.next.nominal <= now ? state.next.nominal : null;
  if (state.waiting !== null)
    recordOccurrence(step, state.waiting, { outcome: "paused", reason: "waited_for_previous" });
  changeState(step, {
    status: "paused",
    statusReason: "paused_by_request",
    pause: { at: now, from },
    next: null,
    waiting: null,
    doneUntil: Math.max(state.doneUntil, from ?? now),
  });
}

/**
 * Resumes the schedule, and records one row for all occurrences that the pause has held. With `catchUp` "last", the
 * newest of them is started.
 */
export function resumeSchedule(step: StepInProgress, catchUp: "none" | "last"): void {
  const { state, now } = step;
  if (state.status !== "paused") return;
  const newest = newestScheduled(state.spec, state.doneUntil, now) ?? state.pause?.from ?? null;
  const shouldCatchUp = catchUp === "last" && newest !== null && !state.skips.includes(newest);
  const caughtUp = shouldCatchUp && now - newest <= state.spec.catchUpWindowMs ? newest : null;
  recordHeld(step, caughtUp);
  changeState(step, { status: "active", statusReason: null, pause: null });
  if (caughtUp !== null && roomLeft(state) > 0) {
    admitOccurrence(step, { id: String(caughtUp), kind: "schedule", nominal: caughtUp, at: now, reason: "resumed" });
  }
  changeState(step, { doneUntil: Math.max(state.doneUntil, now) });
  armNext(step);
}

/** Records all held occurrences in one row, except the one that will be started. */
function recordHeld(step: StepInProgress, except: number | null): void {
  const { state, now } = step;
  const held = state.pause?.from ?? null;
  const from = held === except ? null : held;
  const upTo = except === null ? now : except - 1;
  const counted = countBetween(state, state.doneUntil, upTo);
  const count = counted.count + (from === null ? 0 : 1);
  const nominal = from ?? slotAfter(state, state.doneUntil)?.nominal;
  if (nominal === undefined || count === 0) return;
  const until = newestScheduled(state.spec, state.doneUntil, upTo) ?? nominal;
  const occurrence = { id: String(nominal), kind: "schedule", nominal, at: nominal } as const;
  const range = { until: until === nominal ? null : until, count, isCapped: counted.isCapped };
  recordOccurrence(step, occurrence, { outcome: "paused", reason: "paused_by_request", ...range });
}
