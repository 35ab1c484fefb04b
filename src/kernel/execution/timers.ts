// Durable instants: armed as expression + instant, fired in order, moved when the variable they hang on is patched.
import type { ActionDefinition } from "#schema/definition/action.ts";
import type { Schedule } from "#schema/definition/schedule.ts";
import type { Delay } from "#schema/definition/timing.ts";
import type { ExecutionState, PassedTimer, Timer } from "#schema/engine/state.ts";
import type { ProgramCommand } from "../programs/program.ts";
import { part } from "../computing/work.ts";
import { resolveDelay, writtenOut, type Delays, type ResolvedDelay } from "../language/timing.ts";
import { caughtUp, cronOf, nextOf } from "../calendar/occurrences.ts";
import type { Read } from "../calendar/field.ts";
import { dropTimer, putTimer } from "./own-lists.ts";
import { change, note, scopeFor, triggerOf, zoneOf, type Step } from "./current-step.ts";

type Arm = Extract<ProgramCommand, { kind: "arm" }>;
type Counted = { readonly from?: number | undefined; readonly timer?: string };

/** `timer`: whose series it is, where the delay counts from its first arming. `from`: what it counts from without an anchor. */
export function resolveFor(step: Step, delay: Delay, trigger: number, { from, timer }: Counted = {}): ResolvedDelay {
  return resolveDelay(delay, {
    now: step.now,
    timezone: zoneOf(step, {}),
    delays: delaysOf(step),
    scope: scopeFor(step, triggerOf(step, trigger)),
    work: step.work,
    from,
    first: timer === undefined ? undefined : step.state.firsts?.[timer],
  });
}

/** Returns the fault, if the delay cannot be resolved. */
export function arm(step: Step, command: Arm, trigger: number): string | null {
  const { timer: id, state, expression, from, onSkip } = command;
  const resolved = resolveFor(step, expression, trigger, { from, timer: id });
  if (!resolved.ok) return resolved.message;
  const { firsts = {} } = step.state;
  if (writtenOut(expression, delaysOf(step))?.from === "first" && firsts[id] === undefined) {
    change(step, { firsts: { ...firsts, [id]: step.now } });
  }
  const { at, skip, planned } = resolved;
  const earlier = planned === undefined ? {} : { planned };
  if (!skip)
    put(step, { id, kind: "after", state, expression, action: null, armedAt: step.now, at, ...earlier, trigger });
  else {
    note(step, { kind: "timer_disarmed", timer: id, reason: "already_past" });
    if (onSkip === undefined) pass(step, { id, state, expression });
    else sayPast(step, id, onSkip, Number(at));
  }
  return null;
}

/** At once, as one that fires: its program goes on without having waited. */
function sayPast({ state, seq, pending }: Step, timer: string, type: string, planned: number): void {
  const message = { id: `${timer}@${seq}`, type, payload: null, source: "timer", correlationId: state.correlationId };
  pending.push({ message, origin: "run", planned });
}

export function delaysOf({ program }: Pick<Step, "program">): Delays {
  return program.delays ?? program.definition.delays ?? {};
}

/**
 * While the execution is in the action's state, each occurrence of its schedule starts a run. Returns the fault, if nobody
 * can say when that is.
 */
export function armSchedule(
  step: Step,
  action: ActionDefinition,
  schedule: Schedule,
  state: string,
  trigger: number,
): string | null {
  const id = `${state}/schedule/${action.actionId}`;
  const timer = { id, kind: "cron", state, expression: cronOf(schedule), action: action.actionId, trigger } as const;
  const next = part(step.work, () => nextOf(schedule, zoneOf(step, action), step.now, step.work));
  if (!next.ok) return next.message;
  putNext(step, timer, next.value);
  return null;
}

/** Returns the newest occurrence of those since the timer's own, or why nobody can say when there is one. */
export function rearmSchedule(step: Step, timer: Timer & Due, action: ActionDefinition): Read<number> {
  const due = part(step.work, () =>
    caughtUp(scheduleOf(timer, action), zoneOf(step, action), [timer.at, step.now], step.work),
  );
  if (!due.ok) return due;
  putNext(step, timer, due.value.next);
  return { ok: true, value: due.value.newest };
}

function putNext(step: Step, timer: Omit<Timer, "at" | "armedAt">, at: number | null): void {
  if (at !== null) put(step, { ...timer, at, armedAt: step.now });
  else note(step, { kind: "timer_disarmed", timer: timer.id, reason: "no_further_occurrence" });
}

/** With the expression it was armed with, and what its action says of gaps and folds. */
function scheduleOf({ expression }: Pick<Timer, "expression">, { schedule }: ActionDefinition): Schedule {
  return typeof schedule === "object" ? { ...schedule, cron: expression } : expression;
}

/** Past, and not wanted then; its date may yet be moved ahead. */
function pass(step: Step, { id, state, expression }: PassedTimer): void {
  const { passed = [] } = step.state;
  change(step, { passed: [...passed.filter((each) => each.id !== id), { id, state, expression }] });
}

/** Nobody wants them any more, whatever becomes of their dates. */
export function forgetPassed(step: Step, keep: (timer: PassedTimer) => boolean): void {
  const { passed = [] } = step.state;
  const kept = passed.filter(keep);
  if (kept.length < passed.length) change(step, { passed: kept });
}

/** All of them, and those that were past with them. */
export function disarmAll(step: Step): void {
  disarm(step, () => false);
  forgetPassed(step, () => false);
}

export function disarm(step: Step, keep: (timer: Timer) => boolean): void {
  const kept = step.state.timers.filter(keep);
  if (kept.length < step.state.timers.length) change(step, { timers: kept });
}

export type Due = { readonly at: number };

/** Those that are due; of equals the one that was armed first comes first. */
export function dueTimers(step: Step): readonly (Timer & Due)[] {
  return step.state.timers.filter((timer): timer is Timer & Due => isDue(timer, step.now));
}

function isDue(timer: Timer, now: number): timer is Timer & Due {
  return timer.at !== null && timer.at <= now;
}

/**
 * After a change of variables: timers that hang on one find their instant again, but for those `isLeft` knows to go.
 * Returns the fault, if one cannot.
 */
export function moveTimers(step: Step, before: ExecutionState, isLeft: (timer: Timer) => boolean): string | null {
  // A copy: some may go on the way.
  for (const timer of [...step.state.timers]) {
    if (timer.kind !== "after" || isLeft(timer)) continue;
    if (timer.rescheduled === true) continue;
    const to = movedTo(step, before, timer.expression, timer.trigger, timer.at);
    if (to === null) continue;
    if (!to.ok) return to.message;
    step.moves.push({ timer: timer.id, from: timer.at, to: to.skip ? null : to.at });
    if (to.skip) {
      dropTimer(step, timer.id);
      pass(step, timer);
      note(step, { kind: "timer_disarmed", timer: timer.id, reason: "already_past" });
      continue;
    }
    step.armings += 1;
    // In its place: of timers due at one instant the one armed first fires first.
    change(step, { timers: step.state.timers.map((each) => (each === timer ? { ...timer, at: to.at } : each)) });
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
  const written = writtenOut(delay, delaysOf(step));
  if (written?.anchor === undefined) return null;
  if (written.onMove === "keep" && at !== null) return null;
  const is = resolveFor(step, delay, trigger);
  // What was open is resolved as soon as it can be, whatever it was that brought the variable.
  if (at === null && is.ok) return is.at === null ? null : is;
  // Not compared with the instant it has: a person may have brought it forward, or it fell due and waits for a slot.
  const was = resolveFor({ ...step, state: before }, delay, trigger);
  return JSON.stringify(was) === JSON.stringify(is) ? null : is;
}

function put(step: Step, timer: Timer): void {
  putTimer(step, timer);
  step.armings += 1;
  note(step, { kind: "timer_armed", timer: timer.id, dueAt: timer.at, expression: timer.expression });
}
