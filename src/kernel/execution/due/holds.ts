// Runs that must not start now: a connection holds them, their window is closed, or they have expired. A held run
// occupies no slot and uses no attempt. Only the run's lateness limits how often it is held.
import type { ActionDefinition } from "#schema/definition/action.ts";
import type { Window } from "#schema/definition/window.ts";
import type { ActionError, Hold } from "#schema/engine/outcome.ts";
import type { Run } from "#schema/engine/run.ts";
import type { Json } from "#schema/json.ts";
import { OCCURRENCE_GRACE_MS } from "#schema/limits/definition-sizes.ts";
import { ZONE_SHOWN_CHARS_MAX } from "#schema/limits/executions.ts";
import { HOLD_MS_MAX, HOLD_MS_MIN } from "#schema/limits/run-attempts.ts";
import { nextOpening, type Opening } from "../../calendar/opening-hours.ts";
import { isZone } from "../../calendar/zone.ts";
import { runPart } from "../../computing/work.ts";
import { evaluate } from "../../language/logic.ts";
import { durationMs, instant } from "../../language/timing.ts";
import type { ProgramAction } from "../program.ts";
import { chanceOfRun } from "../chance.ts";
import { withoutClaimant } from "../attempts.ts";
import { mayBeRepeat } from "../possible-repeats.ts";
import { invalidDefinition, scopeOfRun, zoneOf, type Step, changeState, changeRun, addEntry } from "../current-step.ts";
import { failUnevaluableRun, cancelAbandoned, skipRun, statusOf } from "../run-endings.ts";

/** Ends a run that has expired, or whose `validUntil` cannot be evaluated. Returns true if the run was ended. */
export function expireRun(step: Step, run: Run, action: ActionDefinition): boolean {
  if (run.unwanted) {
    cancelAbandoned(step, run);
    return true;
  }
  const end = isLate(step, run, action) ? "late" : reasonAfterValidity(step, run, action);
  if (end === null) return false;
  if (typeof end === "string") skipRun(step, run, end);
  else failUnevaluableRun(step, run, end.message);
  return true;
}

/**
 * True if an occurrence of a schedule was missed during a pause or an outage. Without maxLateness, a short grace period
 * covers late alarms. With maxLateness, this function returns false, and `expire` decides.
 */
export function isMissedOccurrence({ now }: Step, { maxLateness }: ActionDefinition, occurrence: number): boolean {
  return maxLateness === undefined && now > occurrence + OCCURRENCE_GRACE_MS;
}

/** The last instant at which the run may start. Infinity if there is no limit, or if the limit cannot be evaluated. */
export function latestStart(step: Step, run: Run, action: ActionDefinition): number {
  const valid = validUntil(step, run, action);
  return Math.min(latestByLateness(run, action), typeof valid === "number" ? valid : Infinity);
}

function isLate({ now }: Step, run: Run, action: ActionDefinition): boolean {
  return now > latestByLateness(run, action);
}

function latestByLateness({ firstDueAt }: Run, { maxLateness }: ActionDefinition): number {
  return maxLateness === undefined || firstDueAt === null ? Infinity : firstDueAt + durationMs(maxLateness);
}

/**
 * Why the run must not start any more: the reason to skip it, or the error of its `validUntil`. null if the run is
 * still valid.
 */
function reasonAfterValidity(step: Step, run: Run, action: ActionDefinition): string | ActionError | null {
  const until = validUntil(step, run, action);
  if (typeof until !== "number") return until;
  return step.now > until ? "no_longer_valid" : null;
}

/** The instant until which the run is valid, or the error of its `validUntil`. null if the run has no such limit. */
function validUntil(step: Step, run: Run, action: ActionDefinition): number | ActionError | null {
  if (action.validUntil === undefined) return null;
  const rule = evaluate(action.validUntil, scopeOfRun(step, run), step.work);
  if (!rule.ok) return invalidDefinition(`validUntil cannot be evaluated: ${rule.message}`);
  // The rule gives null if its variable is missing. The run then has no limit.
  if (rule.value === null) return null;
  const until = instant(rule.value, zoneOf(step, action), action.disambiguation);
  return until ?? invalidDefinition(`validUntil is ${JSON.stringify(rule.value)}, not an instant`);
}

/** Holds a run whose attempt is not claimed yet. The attempt does not count. */
export function holdUnclaimed(step: Step, run: Run, attempt: number, held: Hold): void {
  addEntry(step, { kind: "run_held", run: run.id, attempt, ...held });
  changeRun(step, run, {
    status: "scheduled",
    attempt: attempt - 1,
    dueAt: held.until,
    held,
    lane: null,
    sentAt: null,
  });
}

export function holdClaimed(step: Step, run: Run, attempt: number, held: Hold): void {
  const until = Math.min(Math.max(held.until, step.now + HOLD_MS_MIN), step.now + HOLD_MS_MAX);
  addEntry(step, { kind: "run_held", run: run.id, attempt, ...held, until });
  changeState(step, { lastAction: statusOf(run, run.claimedAt, {}) });
  const back = changeRun(step, withoutClaimant(run), {
    status: "scheduled",
    dueAt: until,
    held: { ...held, until },
    ...(held.reason === "awaiting_receipt" ? { underWay: attempt } : {}),
    ...fieldsWithoutAttempt(step, run, attempt),
  });
  // The run's state was left while the run was in flight. The attempt did not start, so the run is canceled like any
  // unstarted run.
  if (run.unwanted) cancelAbandoned(step, back);
}

/** Skips a claimed run, because the consumer found that it must not be executed. */
export function skipClaimed(step: Step, run: Run, attempt: number, reason: string): void {
  changeState(step, { lastAction: statusOf(run, run.claimedAt, {}) });
  const back = changeRun(step, withoutClaimant(run), fieldsWithoutAttempt(step, run, attempt));
  if (!run.unwanted) return skipRun(step, back, reason);
  cancelAbandoned(step, back);
}

/**
 * The fields of a run whose claimed attempt was not made. Its next attempt is marked as a possible repeat only if an
 * earlier delivery may have taken effect.
 */
function fieldsWithoutAttempt(step: Step, run: Run, attempt: number) {
  return {
    attempt: attempt - 1,
    lane: null,
    sentAt: null,
    claimedAt: null,
    deadlineAt: null,
    attempts: run.attempts.flatMap((each) => {
      if (each.attempt !== attempt) return [each];
      const isLost = each.possiblyRepeated && !(each.firstStartedAt === undefined && mayBeRepeat(run, attempt));
      return isLost ? [{ ...each, endedAt: step.now }] : [];
    }),
  };
}

/**
 * Returns the run if its window lets it start now. Otherwise returns null: the run waits for the window, or has ended
 * because the window opens too late. An attempt that waits for a receipt has already acted, so the receipt is checked
 * at any hour.
 */
export function passWindow(step: Step, run: Run, action: ProgramAction, attempt: number): Run | null {
  const { window } = action;
  if (window === undefined || isAtAnyHour(run, attempt)) return run;
  const zone = zoneFor(step, run, action, window);
  if (!zone.ok) {
    failUnevaluableRun(step, run, zone.message);
    return null;
  }
  const asked = zone.unknown === undefined ? run : recordUnknownZone(step, run, zone.unknown, zone.name);
  const { would, until } = windowEffect(step, asked, action, window, zone.name, step.now);
  if (would === "pass") return asked;
  if (until === null) skipRun(step, asked, "no_window");
  else holdUnclaimed(step, asked, attempt, { reason: "window", until, connection: null });
  return null;
}

/** The effect of the window on a run. `until`: the instant at which a held run starts; null if the run is not held. */
type WindowEffect = { readonly would: "pass" | "hold" | "skip"; readonly until: number | null };

/**
 * The window's effect on a run at `at`, computed from the present state for explanations. null if the run has no
 * window, or if the window cannot be evaluated.
 */
export function windowEffectAt(step: Step, run: Run, action: ProgramAction, at: number): WindowEffect | null {
  const { window } = action;
  if (window === undefined || isAtAnyHour(run, run.attempt + (run.status === "queued" ? 0 : 1))) return null;
  const zone = zoneFor(step, run, action, window);
  return zone.ok ? windowEffect(step, run, action, window, zone.name, at) : null;
}

function isAtAnyHour(run: Run, attempt: number): boolean {
  return run.underWay === attempt || run.atAnyHour === true;
}

function windowEffect(
  step: Step,
  run: Run,
  action: ProgramAction,
  window: Window,
  zone: string,
  at: number,
): WindowEffect {
  const opening = runPart(step.work, () => nextOpening(window, zone, at, step.work));
  if (opening !== null && opening.opens <= at) return { would: "pass", until: null };
  const latest = latestStart(step, run, action);
  if (opening === null || opening.opens > latest) return { would: "skip", until: null };
  return { would: "hold", until: startAfterOpening(step, run, window, opening, latest) };
}

/**
 * The instant at which a waiting run starts. Waiting runs are spread over a time after the opening. Each starts before
 * the window closes and before the run expires.
 */
function startAfterOpening(
  { state }: Step,
  run: Run,
  { spread = 0 }: Window,
  { opens, closes }: Opening,
  latest: number,
): number {
  const room = Math.min(durationMs(spread), closes - opens, latest - opens + 1);
  return opens + Math.floor(chanceOfRun(state.id, run.id) * room);
}

type Zone =
  /** `unknown`: the result of the timezone rule if it is not a known zone. */
  | { readonly ok: true; readonly name: string; readonly unknown?: Json }
  | { readonly ok: false; readonly message: string };

function zoneFor(step: Step, run: Run, action: ProgramAction, { timezone }: Window): Zone {
  const otherwise = zoneOf(step, action);
  if (timezone === undefined) return { ok: true, name: otherwise };
  if (typeof timezone === "string") return { ok: true, name: timezone };
  const given = evaluate(timezone, scopeOfRun(step, run), step.work);
  if (!given.ok) return { ok: false, message: `the window's timezone cannot be evaluated: ${given.message}` };
  if (typeof given.value === "string" && isZone(given.value)) return { ok: true, name: given.value };
  return { ok: true, name: otherwise, unknown: given.value };
}

/** Records an unknown timezone once per run, although the window may be checked at each attempt. */
function recordUnknownZone(step: Step, run: Run, value: Json, taken: string): Run {
  if (run.zoneUnknown === true) return run;
  const given = JSON.stringify(value).slice(0, ZONE_SHOWN_CHARS_MAX);
  addEntry(step, { kind: "timezone_unknown", run: run.id, action: run.action, given, taken });
  return changeRun(step, run, { zoneUnknown: true });
}
