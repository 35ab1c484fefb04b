// Durable instants: armed as expression + instant, fired in order, moved when the variable they hang on is patched.
import type { ActionDefinition } from "#schema/definition/action.ts";
import type { Delay } from "#schema/definition/timing.ts";
import type { ExecutionState, Timer } from "#schema/engine/state.ts";
import { nextCron, resolveDelay, type ResolvedDelay } from "../language/timing.ts";
import { change, note, scopeFor, triggerOf, zoneOf, type Step } from "./current-step.ts";

export function resolveFor(step: Step, delay: Delay, trigger: number): ResolvedDelay {
  return resolveDelay(delay, {
    now: step.now,
    timezone: zoneOf(step, {}),
    delays: step.program.definition.delays ?? {},
    scope: scopeFor(step, triggerOf(step, trigger)),
  });
}

/** Returns the fault, if the delay cannot be resolved. */
export function arm(step: Step, id: string, state: string, expression: string, trigger: number): string | null {
  const resolved = resolveFor(step, expression, trigger);
  if (!resolved.ok) return resolved.message;
  if (resolved.skip) note(step, { kind: "timer_disarmed", timer: id, reason: "already_past" });
  else put(step, { id, kind: "after", state, expression, action: null, armedAt: step.now, at: resolved.at, trigger });
  return null;
}

/** While the execution is in the action's state, each occurrence of its schedule starts a run. */
export function armSchedule(
  step: Step,
  action: ActionDefinition,
  expression: string,
  state: string,
  trigger: number,
): void {
  const id = `${state}/schedule/${action.actionId}`;
  const timer = { id, kind: "cron", state, expression, action: action.actionId, trigger } as const;
  armNext(step, timer, action, step.now);
}

/** The next occurrence is strictly after both now and the one that just fired. */
export function rearmSchedule(step: Step, timer: Timer & Due, action: ActionDefinition): void {
  armNext(step, timer, action, Math.max(step.now, timer.at));
}

function armNext(step: Step, timer: Omit<Timer, "at" | "armedAt">, action: ActionDefinition, after: number): void {
  const at = nextCron(timer.expression, zoneOf(step, action), after);
  if (at !== null) put(step, { ...timer, at, armedAt: step.now });
  else note(step, { kind: "timer_disarmed", timer: timer.id, reason: "no_further_occurrence" });
}

export function disarm(step: Step, keep: (timer: Timer) => boolean): void {
  change(step, { timers: step.state.timers.filter(keep) });
}

export type Due = { readonly at: number };

/** The timer that is due first; equals in the order of their names, so that a replay fires them alike. */
export function dueTimer(step: Step): (Timer & Due) | undefined {
  const due = step.state.timers.filter((timer): timer is Timer & Due => timer.at !== null && timer.at <= step.now);
  return due.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))[0];
}

/** After a patch: timers that hang on a variable find their instant again. Returns the fault, if one cannot. */
export function moveTimers(step: Step, before: ExecutionState): string | null {
  for (const timer of step.state.timers) {
    const to = timer.kind === "after" ? movedTo(step, before, timer.expression, timer.trigger, timer.at) : null;
    if (to === null) continue;
    if (!to.ok) return to.message;
    step.moves.push({ timer: timer.id, from: timer.at, to: to.skip ? null : to.at });
    disarm(step, ({ id }) => id !== timer.id);
    if (to.skip) note(step, { kind: "timer_disarmed", timer: timer.id, reason: "already_past" });
    else change(step, { timers: [...step.state.timers, { ...timer, at: to.at }] });
  }
  return null;
}

/** Where the change since `before` moves what hangs on a variable; null if it stays where it is. */
export function movedTo(
  step: Step,
  before: ExecutionState,
  delay: Delay,
  trigger: number,
  at: number | null,
): ResolvedDelay | null {
  const named = typeof delay === "object" ? delay : step.program.definition.delays?.[delay];
  if (named?.onMove === "keep" && at !== null) return null;
  // Not compared with the instant it has: a person may have brought it forward, or it fell due and waits for a slot.
  const was = resolveFor({ ...step, state: before }, delay, trigger);
  const is = resolveFor(step, delay, trigger);
  return JSON.stringify(was) === JSON.stringify(is) ? null : is;
}

function put(step: Step, timer: Timer): void {
  change(step, { timers: [...step.state.timers.filter(({ id }) => id !== timer.id), timer] });
  note(step, { kind: "timer_armed", timer: timer.id, dueAt: timer.at, expression: timer.expression });
}
