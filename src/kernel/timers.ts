// Durable instants: armed as expression + instant, fired in order, moved when the variable they hang on is patched.
import type { ActionDefinition } from "#schema/action.ts";
import type { Delay } from "#schema/timing.ts";
import type { Timer, Trigger } from "#schema/state.ts";
import { dependsOnVariables, nextCron, resolveDelay, type ResolvedDelay } from "./timing.ts";
import { change, note, scopeFor, triggerOf, type Turn } from "./turn.ts";

export function resolveFor(turn: Turn, delay: Delay, trigger: Omit<Trigger, "seq">, from: number): ResolvedDelay {
  const { definition } = turn.program;
  return resolveDelay(delay, {
    now: from,
    timezone: definition.timezone ?? "UTC",
    delays: definition.delays ?? {},
    scope: scopeFor(turn, trigger),
  });
}

/** Returns the fault, if the delay cannot be resolved. */
export function arm(turn: Turn, id: string, state: string, expression: string, trigger: number): string | null {
  const resolved = resolveFor(turn, expression, triggerOf(turn, trigger), turn.now);
  if (!resolved.ok) return resolved.message;
  if (resolved.skip) {
    note(turn, { kind: "timer_disarmed", timer: id, reason: "already_past" });
    return null;
  }
  put(turn, { id, kind: "after", state, expression, action: null, armedAt: turn.now, at: resolved.at, trigger });
  return null;
}

/** While the execution is in the action's state, each occurrence of its schedule starts a run. */
export function armSchedule(turn: Turn, action: ActionDefinition, state: string, trigger: number): void {
  const expression = action.schedule ?? "";
  const id = `${state}/schedule/${action.actionId}`;
  const at = nextCron(expression, zoneOf(turn, action), turn.now);
  if (at === null) {
    note(turn, { kind: "timer_disarmed", timer: id, reason: "no_further_occurrence" });
    return;
  }
  put(turn, { id, kind: "cron", state, expression, action: action.actionId, armedAt: turn.now, at, trigger });
}

/** The next occurrence is strictly after both now and the one that just fired. */
export function rearmSchedule(turn: Turn, timer: Timer, action: ActionDefinition): void {
  const at = nextCron(timer.expression, zoneOf(turn, action), Math.max(turn.now, timer.at ?? 0));
  if (at !== null) put(turn, { ...timer, at, armedAt: turn.now });
}

export function disarm(turn: Turn, keep: (timer: Timer) => boolean): void {
  const timers = turn.state.timers.filter(keep);
  if (timers.length !== turn.state.timers.length) change(turn, { timers });
}

/** Due timers, earliest first; equals in the order of their names, so that a replay fires them alike. */
export function dueTimers(turn: Turn): readonly Timer[] {
  return turn.state.timers
    .filter(({ at }) => at !== null && at <= turn.now)
    .toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0) || (a.id < b.id ? -1 : 1));
}

/** After a patch: timers that hang on a variable find their instant again. Returns the fault, if one cannot. */
export function moveTimers(turn: Turn): string | null {
  const delays = turn.program.definition.delays ?? {};
  for (const timer of turn.state.timers) {
    if (timer.kind !== "after" || !dependsOnVariables(timer.expression, delays)) continue;
    if (delays[timer.expression]?.onMove === "keep" && timer.at !== null) continue;
    const resolved = resolveFor(turn, timer.expression, triggerOf(turn, timer.trigger), turn.now);
    if (!resolved.ok) return resolved.message;
    if (resolved.at === timer.at && !resolved.skip) continue;
    turn.moves.push({ timer: timer.id, from: timer.at, to: resolved.skip ? null : resolved.at });
    disarm(turn, ({ id }) => id !== timer.id);
    if (resolved.skip) note(turn, { kind: "timer_disarmed", timer: timer.id, reason: "already_past" });
    else change(turn, { timers: [...turn.state.timers, { ...timer, at: resolved.at }] });
  }
  return null;
}

function put(turn: Turn, timer: Timer): void {
  change(turn, { timers: [...turn.state.timers.filter(({ id }) => id !== timer.id), timer] });
  note(turn, { kind: "timer_armed", timer: timer.id, dueAt: timer.at, expression: timer.expression });
}

function zoneOf(turn: Turn, action: ActionDefinition): string {
  return action.timezone ?? turn.program.definition.timezone ?? "UTC";
}
