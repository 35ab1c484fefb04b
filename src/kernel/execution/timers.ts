// Timers: armed with an expression and an instant, fired in order, and rescheduled when a variable that they depend on
// changes.
import type { ProgramAction } from "#schema/definition/action.ts";
import type { Calendars } from "#schema/definition/holidays.ts";
import type { Delay, NamedDelay } from "#schema/definition/timing.ts";
import type { TimerMove } from "#schema/engine/journal.ts";
import type { ExecutionState, PassedTimer, Timer } from "#schema/engine/state.ts";
import { opensOn } from "../calendar/opening-hours.ts";
import type { ProgramCommand } from "./program-commands.ts";
import {
  resolveDelay,
  delayObject,
  hasZoneByRule,
  type DelayContext,
  type Delays,
  type ResolvedDelay,
} from "../language/timing.ts";
import { dropTimer, putTimer } from "./own-lists.ts";
import { changeState, addEntry, scopeFor, triggerOf, type Step } from "./current-step.ts";
import { recordTimersUnknownZone, zonesOf } from "./due/settings-for-zones.ts";

type Arm = Extract<ProgramCommand, { kind: "arm" }>;
type DelayOrigin = {
  /** The action whose run waits for the delay. Absent for a timer. */
  readonly action?: ZonedAction;
  readonly from?: number | undefined;
  readonly timer?: string;
  readonly skipsPast?: boolean | undefined;
};

/**
 * Resolves a delay to an instant. `timer`: the timer whose first arming the delay's series counts from, if it counts
 * from an arming. `from`: the instant from which a delay without an anchor counts. `skipsPast`: whether a past instant
 * is skipped even if the delay does not say so.
 */
export function resolveFor(
  step: Step,
  delay: Delay,
  trigger: number,
  { action = {}, from, timer, skipsPast }: DelayOrigin,
): ResolvedDelay {
  const first = timer === undefined ? undefined : step.state.firsts?.[timer];
  return resolveDelay(delay, { ...delayContext(step, trigger, action), from, skipsPast, first });
}

/** The part of an action on which the instant of its delay depends. `actionId` is absent for a timer. */
export type ZonedAction = Pick<ProgramAction, "timezone"> & { readonly actionId?: string };

export function delayContext(step: Step, trigger: number, action: ZonedAction): DelayContext {
  return {
    now: step.now,
    timezone: zonesOf(step, action),
    delays: delaysOf(step),
    ...holidayContext(step, action),
    scope: scopeFor(step, triggerOf(step, trigger)),
    work: step.work,
  };
}

/** Arms a timer. Returns the fault if the delay cannot be resolved, otherwise null. */
export function armTimer(step: Step, command: Arm, trigger: number): string | null {
  const { timer: id, state, expression, from, skipsPast, onSkip } = command;
  const resolved = resolveFor(step, expression, trigger, { from, timer: id, skipsPast });
  if (!resolved.ok) return resolved.message;
  const { firsts = {} } = step.state;
  if (delayObject(expression, delaysOf(step))?.from === "first" && firsts[id] === undefined) {
    changeState(step, { firsts: { ...firsts, [id]: step.now } });
  }
  const { at, skip, planned } = resolved;
  const earlier = planned === undefined ? {} : { planned };
  // A moved date may skip the timer later.
  const written = delayObject(expression, delaysOf(step));
  const canMove = written !== undefined && dependsOnVariables(step, written);
  const skipsPastDates = written?.ifPast !== undefined && written.ifPast !== "run";
  const maySkip = canMove && (skipsPastDates || written.holidays?.move === "skip");
  const skipping = onSkip !== undefined && maySkip ? { onSkip } : {};
  recordTimersUnknownZone(step, id, resolved.unknownZone);
  if (!skip)
    putArmedTimer(step, {
      id,
      kind: "after",
      state,
      expression,
      action: null,
      armedAt: step.now,
      at,
      ...earlier,
      ...countedFrom(step, written, from),
      ...skipping,
      trigger,
    });
  else {
    addEntry(step, { kind: "timer_disarmed", timer: id, reason: skipReason(resolved) });
    if (onSkip === undefined) storePassedTimer(step, { id, state, expression });
    else sendPastEvent(step, id, onSkip, Number(at));
  }
  return null;
}

/**
 * The field of a timer or run with the instant from which its delay counts. Empty if that is now, or if no rule decides
 * on the delay's zone.
 */
export function countedFrom(
  step: Step,
  written: NamedDelay | undefined,
  from: number | undefined,
  action: ZonedAction = {},
): { readonly countsFrom?: number } {
  if (written === undefined || from === undefined || from === step.now) return {};
  return hasZoneByRule(written, zonesOf(step, action)) ? { countsFrom: from } : {};
}

/** Whether a change of variables may move a delay: its anchor is a rule, or a rule decides on its zone. */
export function dependsOnVariables(
  step: Pick<Step, "program">,
  written: NamedDelay,
  action: ZonedAction = {},
): boolean {
  return written.anchor !== undefined || hasZoneByRule(written, zonesOf(step, action));
}

/** Why a timer or run is skipped when its delay is resolved. */
export function skipReason({ onHoliday }: Extract<ResolvedDelay, { ok: true }>): "holiday" | "already_past" {
  return onHoliday === true ? "holiday" : "already_past";
}

/** Sends the timer's event immediately because the timer's instant is past, so that the program does not wait. */
function sendPastEvent({ state, seq, pending }: Step, timer: string, type: string, planned: number): void {
  const message = { id: `${timer}@${seq}`, type, payload: null, source: "timer", correlationId: state.correlationId };
  pending.push({ message, origin: "run", planned });
}

/** The calendars of the definition, and the days on which the action's window opens. */
export function holidayContext({ program }: Pick<Step, "program">, { actionId }: ZonedAction) {
  const { calendars = NO_CALENDARS } = program.definition;
  const window = actionId === undefined ? undefined : program.actions.get(actionId)?.window;
  const isOpen = window === undefined ? undefined : (day: number): boolean => opensOn(window, day, calendars);
  return { calendars, isOpen };
}

const NO_CALENDARS: Calendars = {};

export function delaysOf({ program }: Pick<Step, "program">): Delays {
  return program.delays ?? program.definition.delays ?? {};
}

/**
 * Stores a timer that was skipped because its instant is past. If its date is moved later, the timer can then be armed.
 */
function storePassedTimer(step: Step, { id, state, expression }: PassedTimer): void {
  const { passed = [] } = step.state;
  changeState(step, { passed: [...passed.filter((each) => each.id !== id), { id, state, expression }] });
}

/** Removes passed timers for which `keep` returns false. A change of a date can then no longer arm them. */
export function dropPassedTimers(step: Step, keep: (timer: PassedTimer) => boolean): void {
  const { passed = [] } = step.state;
  const kept = passed.filter(keep);
  if (kept.length < passed.length) changeState(step, { passed: kept });
}

/** Disarms all timers, including passed ones. */
export function disarmAllTimers(step: Step): void {
  disarmTimers(step, () => false);
  dropPassedTimers(step, () => false);
}

export function disarmTimers(step: Step, keep: (timer: Timer) => boolean): void {
  const kept = step.state.timers.filter(keep);
  if (kept.length < step.state.timers.length) changeState(step, { timers: kept });
}

/** The field of a move that names the journey's node; empty for other kinds of executions. */
export function nodeOfMove({ program }: Pick<Step, "program">, node: string | null): Pick<TimerMove, "node"> {
  return program.nodes === undefined || node === null ? {} : { node };
}

export type DueInstant = { readonly at: number };

/** The due timers by instant. At the same instant, the timer armed first comes first. */
export function dueTimers(step: Step): readonly (Timer & DueInstant)[] {
  return step.state.timers.filter((timer): timer is Timer & DueInstant => isDueTimer(timer, step.now));
}

export function isDueTimer(timer: Timer, now: number): timer is Timer & DueInstant {
  return timer.at !== null && timer.at <= now;
}

/**
 * Called after a change of variables: recomputes timers that depend on a changed variable. `isLeft`: true for timers
 * that are not recomputed, because their state is left. Returns the fault if a delay cannot be resolved, otherwise
 * null.
 */
export function rescheduleTimers(step: Step, before: ExecutionState, isLeft: (timer: Timer) => boolean): string | null {
  // The loop iterates over a copy, because its body may remove timers from the list.
  for (const timer of [...step.state.timers]) {
    if (timer.kind !== "after" || isLeft(timer) || timer.rescheduled === true) continue;
    const origin = { from: timer.countsFrom ?? timer.armedAt, timer: timer.id };
    const to = rescheduledInstant(step, before, timer.expression, timer, origin);
    if (to === null) continue;
    if (!to.ok) return to.message;
    recordTimersUnknownZone(step, timer.id, to.unknownZone);
    step.moves.push({ timer: timer.id, ...nodeOfMove(step, timer.state), from: timer.at, to: to.skip ? null : to.at });
    if (to.skip) {
      dropTimer(step, timer.id);
      if (timer.onSkip === undefined) storePassedTimer(step, timer);
      else sendPastEvent(step, timer.id, timer.onSkip, Number(to.at));
      addEntry(step, { kind: "timer_disarmed", timer: timer.id, reason: skipReason(to) });
      continue;
    }
    moveTimer(step, timer, to.at);
  }
  return null;
}

export function moveTimer(step: Step, timer: Timer, at: number | null): void {
  step.armings += 1;
  // At the same index as before: timers that are due at the same instant fire in the order of arming.
  changeState(step, { timers: step.state.timers.map((each) => (each === timer ? { ...timer, at } : each)) });
}

/**
 * The new instant of a delay, if the change of variables since `before` moves it; otherwise null. `at`: the instant so
 * far; null if a variable is still missing. `origin`: what the delay counts from, if it has no anchor.
 */
export function rescheduledInstant(
  step: Step,
  before: ExecutionState,
  delay: Delay,
  { trigger, at }: WaitingPart,
  origin: DelayOrigin,
): ResolvedDelay | null {
  const written = delayObject(delay, delaysOf(step));
  if (written === undefined || !dependsOnVariables(step, written, origin.action)) return null;
  if (written.onMove === "keep" && at !== null) return null;
  const is = resolveFor(step, delay, trigger, origin);
  // The delay had no instant because a variable was missing. If it has an instant now, this instant applies, even if
  // another change set the variable.
  if (at === null && is.ok) return is.at === null ? null : is;
  // The new instant is compared with the delay before the change, and not with `at`. `at` may differ, because an
  // operator has changed it or the run waits for a slot.
  const was = resolveFor({ ...step, state: before }, delay, trigger, origin);
  return JSON.stringify(withoutNote(was)) === JSON.stringify(withoutNote(is)) ? null : is;
}

type WaitingPart = { readonly trigger: number; readonly at: number | null };

/** The instant without the note about an unknown zone, which may change although the instant does not. */
function withoutNote(resolved: ResolvedDelay): ResolvedDelay {
  if (!resolved.ok) return resolved;
  const { unknownZone: _note, ...instant } = resolved;
  return instant;
}

export function putArmedTimer(step: Step, timer: Timer): void {
  putTimer(step, timer);
  step.armings += 1;
  addEntry(step, { kind: "timer_armed", timer: timer.id, dueAt: timer.at, expression: timer.expression });
}
