// Schedules of actions: armed while the action's triggerState is active, and moved when a rule gives another time zone.
import type { ZoneInUse } from "#schema/explanation/zone-in-use.ts";
import type { ProgramAction } from "#schema/definition/action.ts";
import type { Schedule } from "#schema/definition/schedule.ts";
import type { Delay } from "#schema/definition/timing.ts";
import type { ExecutionState, Timer } from "#schema/engine/state.ts";
import { refuse, type Read } from "../../calendar/cron-field.ts";
import { catchUp, cronOf, nextOf, type ZoneOrPlace } from "../../calendar/occurrences.ts";
import { runPart } from "../../computing/work.ts";
import { zoneOfDelay } from "../../language/timing.ts";
import { isZoneByRule, resolveZone, type ResolvedZone } from "../../language/zone-settings.ts";
import { actionOf, addEntry, scopeFor, triggerOf, type Step } from "../current-step.ts";
import { dropTimer } from "../own-lists.ts";
import { delayContext, isDueTimer, moveTimer, nodeOfMove, putArmedTimer, type DueInstant } from "../timers.ts";
import { recordTimersUnknownZone, zoneInUse, zonesOf } from "./settings-for-zones.ts";

/**
 * Arms the schedule of an action. Each occurrence starts a run as long as the action's triggerState is active. Returns
 * the fault if the schedule is invalid, otherwise null.
 */
export function armSchedule(
  step: Step,
  action: ProgramAction,
  schedule: Schedule,
  state: string,
  trigger: number,
): string | null {
  const id = `${state}/schedule/${action.actionId}`;
  const timer = { id, kind: "cron", state, expression: cronOf(schedule), action: action.actionId, trigger } as const;
  const zone = zoneOfSchedule(step, action, trigger);
  if (!zone.ok) return zone.message;
  const next = runPart(step.work, () => nextOf(schedule, placeOf(step, zone.name), step.now, step.work));
  if (!next.ok) return next.message;
  recordTimersUnknownZone(step, id, zone.unknown);
  armNextOccurrence(step, timer, next.value);
  return null;
}

function placeOf({ program }: Step, timezone: string): ZoneOrPlace {
  const { calendars } = program.definition;
  return calendars === undefined ? timezone : { timezone, calendars };
}

function zoneOfSchedule(step: Step, action: Pick<ProgramAction, "timezone">, trigger: number): ResolvedZone {
  const settings = zonesOf(step, action);
  // The scope is built only for a rule, because most schedules have the name of a zone.
  return resolveZone(settings, isZoneByRule(settings) ? scopeFor(step, triggerOf(step, trigger)) : {}, step.work);
}

/**
 * Arms the next occurrence of a schedule. Returns the newest occurrence up to now: the timer's own, or a later one that
 * was missed. If the schedule is invalid, returns its fault.
 */
export function rearmSchedule(step: Step, timer: Timer & DueInstant, action: ProgramAction): Read<number> {
  const zone = zoneOfSchedule(step, action, timer.trigger);
  if (!zone.ok) return refuse(zone.code, zone.message, "Correct the variable that the rule reads.");
  const due = runPart(step.work, () =>
    catchUp(scheduleOf(timer, action), placeOf(step, zone.name), [timer.at, step.now], step.work),
  );
  if (!due.ok) return due;
  armNextOccurrence(step, timer, due.value.next);
  return { ok: true, value: due.value.newest };
}

function armNextOccurrence(step: Step, timer: Omit<Timer, "at" | "armedAt">, at: number | null): void {
  if (at !== null) putArmedTimer(step, { ...timer, at, armedAt: step.now });
  else recordEnd(step, timer.id);
}

function recordEnd(step: Step, timer: string): void {
  addEntry(step, { kind: "timer_disarmed", timer, reason: "no_further_occurrence" });
}

/** The schedule to continue: the cron expression that was armed, and the action's settings for clock changes. */
function scheduleOf({ expression }: Pick<Timer, "expression">, { schedule }: ProgramAction): Schedule {
  return typeof schedule === "object" ? { ...schedule, cron: expression } : expression;
}

/**
 * Called after a change of variables: moves the next occurrences of schedules whose zone depends on a changed variable.
 * `isLeft`: true for timers whose state is left. Returns the fault if a rule cannot be evaluated, otherwise null.
 */
export function rescheduleOccurrences(
  step: Step,
  before: ExecutionState,
  isLeft: (timer: Timer) => boolean,
): string | null {
  for (const timer of [...step.state.timers]) {
    if (timer.kind !== "cron" || isLeft(timer) || timer.rescheduled === true) continue;
    const fault = rescheduleOccurrence(step, before, timer);
    if (fault !== null) return fault;
  }
  return null;
}

/**
 * Moves the next occurrence of a schedule if a rule decides on its zone and now gives another zone. Returns the fault if
 * the rule cannot be evaluated, otherwise null.
 */
function rescheduleOccurrence(step: Step, before: ExecutionState, timer: Timer): string | null {
  const action = actionOf(step, String(timer.action));
  if (!isZoneByRule(zonesOf(step, action)) || isDueTimer(timer, step.now)) return null;
  const was = zoneOfSchedule({ ...step, state: before }, action, timer.trigger);
  const is = zoneOfSchedule(step, action, timer.trigger);
  if (!is.ok) return is.message;
  if (was.ok && was.name === is.name) return null;
  const next = runPart(step.work, () => nextOf(scheduleOf(timer, action), placeOf(step, is.name), step.now, step.work));
  if (!next.ok) return next.message;
  recordTimersUnknownZone(step, timer.id, is.unknown);
  step.moves.push({ timer: timer.id, ...nodeOfMove(step, timer.state), from: timer.at, to: next.value });
  if (next.value !== null) moveTimer(step, timer, next.value);
  else {
    dropTimer(step, timer.id);
    recordEnd(step, timer.id);
  }
  return null;
}

/** The time zone of a timer or of a run's delay, for explanations. Empty if there is none. */
export function zoneOfWait(step: Step, { kind, action, expression, trigger }: ZonedWait): ZoneInUse {
  const own = action === null ? {} : (step.program.actions.get(action) ?? {});
  if (kind === "cron") return zoneInUse(zoneOfSchedule(step, own, trigger));
  return zoneInUse(zoneOfDelay(expression, delayContext(step, trigger, own)));
}
type ZonedWait = Pick<Timer, "kind" | "action" | "trigger"> & { readonly expression: Delay };
