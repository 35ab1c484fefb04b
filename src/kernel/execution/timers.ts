// Durable instants: armed as expression + instant, fired in order, moved when the variable they hang on is patched.
import type { ActionDefinition } from "#schema/definition/action.ts";
import type { Delay } from "#schema/definition/timing.ts";
import type { ExecutionState, Timer } from "#schema/engine/state.ts";
import { nextCron, resolveDelay, type ResolvedDelay } from "../language/timing.ts";
import { change, note, scopeFor, triggerOf, zoneOf, type Turn } from "./current-step.ts";

export function resolveFor(turn: Turn, delay: Delay, trigger: number): ResolvedDelay {
  return resolveDelay(delay, {
    now: turn.now,
    timezone: zoneOf(turn, {}),
    delays: turn.program.definition.delays ?? {},
    scope: scopeFor(turn, triggerOf(turn, trigger)),
  });
}

/** Returns the fault, if the delay cannot be resolved. */
export function arm(turn: Turn, id: string, state: string, expression: string, trigger: number): string | null {
  const resolved = resolveFor(turn, expression, trigger);
  if (!resolved.ok) return resolved.message;
  if (resolved.skip) note(turn, { kind: "timer_disarmed", timer: id, reason: "already_past" });
  else put(turn, { id, kind: "after", state, expression, action: null, armedAt: turn.now, at: resolved.at, trigger });
  return null;
}

/** While the execution is in the action's state, each occurrence of its schedule starts a run. */
export function armSchedule(
  turn: Turn,
  action: ActionDefinition,
  expression: string,
  state: string,
  trigger: number,
): void {
  const id = `${state}/schedule/${action.actionId}`;
  const timer = { id, kind: "cron", state, expression, action: action.actionId, trigger } as const;
  armNext(turn, timer, action, turn.now);
}

/** The next occurrence is strictly after both now and the one that just fired. */
export function rearmSchedule(turn: Turn, timer: Timer & Due, action: ActionDefinition): void {
  armNext(turn, timer, action, Math.max(turn.now, timer.at));
}

function armNext(turn: Turn, timer: Omit<Timer, "at" | "armedAt">, action: ActionDefinition, after: number): void {
  const at = nextCron(timer.expression, zoneOf(turn, action), after);
  if (at !== null) put(turn, { ...timer, at, armedAt: turn.now });
  else note(turn, { kind: "timer_disarmed", timer: timer.id, reason: "no_further_occurrence" });
}

export function disarm(turn: Turn, keep: (timer: Timer) => boolean): void {
  change(turn, { timers: turn.state.timers.filter(keep) });
}

export type Due = { readonly at: number };

/** The timer that is due first; equals in the order of their names, so that a replay fires them alike. */
export function dueTimer(turn: Turn): (Timer & Due) | undefined {
  const due = turn.state.timers.filter((timer): timer is Timer & Due => timer.at !== null && timer.at <= turn.now);
  return due.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))[0];
}

/** After a patch: timers that hang on a variable find their instant again. Returns the fault, if one cannot. */
export function moveTimers(turn: Turn, before: ExecutionState): string | null {
  for (const timer of turn.state.timers) {
    const to = timer.kind === "after" ? movedTo(turn, before, timer.expression, timer.trigger, timer.at) : null;
    if (to === null) continue;
    if (!to.ok) return to.message;
    turn.moves.push({ timer: timer.id, from: timer.at, to: to.skip ? null : to.at });
    disarm(turn, ({ id }) => id !== timer.id);
    if (to.skip) note(turn, { kind: "timer_disarmed", timer: timer.id, reason: "already_past" });
    else change(turn, { timers: [...turn.state.timers, { ...timer, at: to.at }] });
  }
  return null;
}

/** Where the change since `before` moves what hangs on a variable; null if it stays where it is. */
export function movedTo(
  turn: Turn,
  before: ExecutionState,
  delay: Delay,
  trigger: number,
  at: number | null,
): ResolvedDelay | null {
  const named = typeof delay === "object" ? delay : turn.program.definition.delays?.[delay];
  if (named?.onMove === "keep" && at !== null) return null;
  // Not compared with the instant it has: a person may have brought it forward, or it fell due and waits for a slot.
  const was = resolveFor({ ...turn, state: before }, delay, trigger);
  const is = resolveFor(turn, delay, trigger);
  return JSON.stringify(was) === JSON.stringify(is) ? null : is;
}

function put(turn: Turn, timer: Timer): void {
  change(turn, { timers: [...turn.state.timers.filter(({ id }) => id !== timer.id), timer] });
  note(turn, { kind: "timer_armed", timer: timer.id, dueAt: timer.at, expression: timer.expression });
}
