// Holds: decides whether a due run must wait or end. A run waits while a connection or a closed window holds it, and
// ends when it has expired. A held run occupies no slot and uses no attempt. The number of holds is unlimited; only the
// run's lateness limit ends them.
import type { ZoneInUse } from "#schema/explanation/zone-in-use.ts";
import type { ProgramAction } from "#schema/definition/action.ts";
import type { Window } from "#schema/definition/window.ts";
import type { ActionError, Hold } from "#schema/engine/outcome.ts";
import { latenessStart, type Run } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { OCCURRENCE_GRACE_MS } from "#schema/limits/definition-sizes.ts";
import { HOLD_MS_MAX, HOLD_MS_MIN } from "#schema/limits/run-attempts.ts";
import { nextOpening, type Opening } from "../../calendar/opening-hours.ts";
import { runPart } from "../../computing/work.ts";
import { evaluate } from "../../language/logic.ts";
import { durationMs, instant } from "../../language/timing.ts";
import { isZoneByRule, resolveZone, type ResolvedZone } from "../../language/zone-settings.ts";
import { chanceOfRun } from "../chance.ts";
import { withoutClaimant } from "../attempts.ts";
import { mayBeRepeat } from "../possible-repeats.ts";
import { invalidDefinition, scopeOfRun, type Step, changeState, changeRun, addEntry } from "../current-step.ts";
import { failUnevaluableRun, cancelAbandoned, skipRun, statusOf } from "../run-endings.ts";
import { nodeOfMove } from "../timers.ts";
import { recordUnknownZone, zoneInUse, zonesOf } from "./settings-for-zones.ts";

/** Ends a run that has expired, or whose `validUntil` cannot be evaluated. Returns true if the run was ended. */
export function expireRun(step: Step, run: Run, action: ProgramAction): boolean {
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
 * True if an occurrence of a schedule was missed during a pause or an outage. An alarm may be late by a short grace
 * period. If the action has maxLateness, the result is false, because `expireRun` then applies that limit.
 */
export function isMissedOccurrence({ now }: Step, { maxLateness }: ProgramAction, occurrence: number): boolean {
  return maxLateness === undefined && now > occurrence + OCCURRENCE_GRACE_MS;
}

/** The last instant at which the run may start. Infinity if there is no limit, or if the limit cannot be evaluated. */
export function latestStart(step: Step, run: Run, action: ProgramAction): number {
  const valid = validUntil(step, run, action);
  return Math.min(latestByLateness(run, action), typeof valid === "number" ? valid : Infinity);
}

function isLate({ now }: Step, run: Run, action: ProgramAction): boolean {
  return now > latestByLateness(run, action);
}

function latestByLateness(run: Run, { maxLateness }: ProgramAction): number {
  const from = latenessStart(run);
  return maxLateness === undefined || from === null ? Infinity : from + durationMs(maxLateness);
}

/** The reason for which an expired run is skipped, or the error of its `validUntil`. null if the run is still valid. */
function reasonAfterValidity(step: Step, run: Run, action: ProgramAction): string | ActionError | null {
  const until = validUntil(step, run, action);
  if (typeof until !== "number") return until;
  return step.now > until ? "no_longer_valid" : null;
}

/** The instant until which the run is valid, or the error of its `validUntil`. null if the run has no such limit. */
function validUntil(step: Step, run: Run, action: ProgramAction): number | ActionError | null {
  if (action.validUntil === undefined) return null;
  const scope = scopeOfRun(step, run);
  const rule = evaluate(action.validUntil, scope, step.work);
  if (!rule.ok) return invalidDefinition(`validUntil cannot be evaluated: ${rule.message}`);
  // A rule returns null if its variable is missing. The run then never expires.
  if (rule.value === null) return null;
  const zone = resolveZone(zonesOf(step, action), scope, step.work);
  if (!zone.ok) return invalidDefinition(zone.message);
  const until = instant(rule.value, zone.name, action.disambiguation);
  return until ?? invalidDefinition(`validUntil is ${JSON.stringify(rule.value)}, not an instant`);
}

/** Holds a run whose attempt was sent but not claimed. The attempt does not count. */
export function holdUnclaimed(step: Step, run: Run, attempt: number, held: Hold): void {
  addEntry(step, { kind: "run_held", run: run.id, attempt, ...held });
  changeRun(step, run, {
    status: "scheduled",
    attempt: attempt - 1,
    dueAt: held.until,
    held: withPlaces(run, held),
    lane: null,
    sentAt: null,
  });
}

/** `holdMsMax`: the longest hold. Infinity if the kernel itself has computed its end. */
export function holdClaimed(step: Step, run: Run, attempt: number, held: Hold, holdMsMax = HOLD_MS_MAX): void {
  const until = Math.min(Math.max(held.until, step.now + HOLD_MS_MIN), step.now + holdMsMax);
  addEntry(step, { kind: "run_held", run: run.id, attempt, ...held, until });
  changeState(step, { lastAction: statusOf(run, run.claimedAt, {}) });
  const back = changeRun(step, withoutClaimant(run), {
    status: "scheduled",
    dueAt: until,
    held: withPlaces(run, { ...held, until }),
    ...(held.reason === "awaiting_receipt" ? { underWay: attempt } : {}),
    ...fieldsWithoutAttempt(step, run, attempt),
  });
  // The execution left the run's state while the message was in flight. The attempt has not started, so the run is
  // canceled like any run that has not started.
  if (run.unwanted) cancelAbandoned(step, back);
}

/** The hold with the run's places at its limits by key. Another limit that holds the run does not know them. */
function withPlaces({ held: before }: Run, held: Hold): Hold {
  const { places = before?.places } = held;
  return places === undefined ? held : { ...held, places };
}

/**
 * Skips a claimed run because its consumer found a reason not to execute it. `nextAt`: when a new run may pass the limit
 * that is the reason.
 */
export function skipClaimed(step: Step, run: Run, attempt: number, reason: string, nextAt?: number): void {
  changeState(step, { lastAction: statusOf(run, run.claimedAt, {}) });
  const back = changeRun(step, withoutClaimant(run), fieldsWithoutAttempt(step, run, attempt));
  if (!run.unwanted) return skipRun(step, back, reason, nextAt === undefined ? {} : { nextAt });
  cancelAbandoned(step, back);
}

/**
 * The fields of a run after its claimed attempt was undone without being made. If an earlier delivery of this attempt
 * may have taken effect, the attempt stays in the list as lost.
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
  const zone = zoneOfWindow(step, run, action, window);
  if (!zone.ok) {
    failUnevaluableRun(step, run, zone.message);
    return null;
  }
  const asked = recordUnknownZone(step, run, zone.unknown);
  const { would, until } = windowEffect(step, asked, action, window, zone.name, step.now);
  if (would === "pass") return asked;
  if (until === null) skipRun(step, asked, "no_window");
  else holdUnclaimed(step, asked, attempt, { reason: "window", until, connection: null });
  return null;
}

/** The effect of the window on a run. `until`: the instant at which a held run starts; null if the run is not held. */
type WindowEffect = { readonly would: "pass" | "hold" | "skip"; readonly until: number | null };

/** The effect of a window, and the time zone in which it was computed. */
type ZonedEffect = WindowEffect & ZoneInUse;

/**
 * The window's effect on a run at `at`. Explanations use it, so it changes no state. null if the run has no window or
 * the window cannot be evaluated.
 */
export function windowEffectAt(step: Step, run: Run, action: ProgramAction, at: number): ZonedEffect | null {
  const { window } = action;
  if (window === undefined || isAtAnyHour(run, run.attempt + (run.status === "queued" ? 0 : 1))) return null;
  const zone = zoneOfWindow(step, run, action, window);
  return zone.ok ? { ...windowEffect(step, run, action, window, zone.name, at), ...zoneInUse(zone) } : null;
}

/**
 * Moves the end of a hold after a change of variables, if a rule decides on the window's zone and now gives another
 * zone. The window is then checked again.
 */
export function moveWindowHold(step: Step, before: ExecutionState, run: Run, action: ProgramAction): void {
  const { window } = action;
  const { held, dueAt, status } = run;
  if (window === undefined || held?.reason !== "window" || status !== "scheduled" || held.until !== dueAt) return;
  if (!isZoneByRule(zonesOf(step, window, action))) return;
  const was = zoneOfWindow({ ...step, state: before }, run, action, window);
  const is = zoneOfWindow(step, run, action, window);
  // A rule that cannot be evaluated fails the run when the hold ends, as it does without a change.
  if (!is.ok || (was.ok && was.name === is.name)) return;
  const { would, until } = windowEffect(step, run, action, window, is.name, step.now);
  step.moves.push({ timer: run.id, ...nodeOfMove(step, run.boundTo), from: dueAt, to: until });
  if (would === "skip") skipRun(step, run, "no_window");
  else if (until === null) changeRun(step, run, { dueAt: step.now, held: null });
  else changeRun(step, run, { dueAt: until, held: { ...held, until } });
}

/** True if opening hours do not apply to the attempt. */
export function isAtAnyHour(run: Run, attempt: number): boolean {
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
  const opening = runPart(step.work, () => nextOpening(window, zone, at, step.work, step.program.definition.calendars));
  if (opening !== null && opening.opens <= at) return { would: "pass", until: null };
  const latest = latestStart(step, run, action);
  if (opening === null || opening.opens > latest) return { would: "skip", until: null };
  return { would: "hold", until: startAfterOpening(step, run, window, opening, latest) };
}

/**
 * The instant at which a waiting run starts. Runs that wait for the same opening are spread over a time after it. Each
 * run starts before the window closes and before the run expires.
 */
export function startAfterOpening(
  { state }: Step,
  run: Run,
  { spread = 0 }: Pick<Window, "spread">,
  { opens, closes }: Opening,
  latest: number,
): number {
  const room = Math.min(durationMs(spread), closes - opens, latest - opens + 1);
  return opens + Math.floor(chanceOfRun(state.id, run.id) * room);
}

/** The zone of a window: its own, that of its action, or that of the definition. */
export function zoneOfWindow(step: Step, run: Run, action: ProgramAction, window: Window): ResolvedZone {
  const settings = zonesOf(step, window, action);
  // The scope is built only for a rule, because most windows have the name of a zone.
  return resolveZone(settings, isZoneByRule(settings) ? scopeOfRun(step, run) : {}, step.work);
}
