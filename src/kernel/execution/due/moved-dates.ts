// Finished work whose date has moved: decides which of it is reactivated, and reports why the rest is not. timers.ts
// and runs.ts reschedule work that is still waiting.
import type { ProgramAction } from "#schema/definition/action.ts";
import type { Delay } from "#schema/definition/timing.ts";
import type { RepeatedRun, UnmovedItem } from "#schema/engine/journal.ts";
import { dueOf, isFinalRun, type Run } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { computeInstant, delayObject } from "../../language/timing.ts";
import type { EndedNode, Program, Scope } from "../program.ts";
import { createRun, hasStarted } from "../runs.ts";
import { isInState } from "../tasks/open-tasks.ts";
import {
  armTimer,
  delaysOf,
  dependsOnVariables,
  dropPassedTimers,
  holidayContext,
  nodeOfMove,
  type ZonedAction,
} from "../timers.ts";
import { actionOf, changeState, currentState, storeTrigger, scopeFor, scopeOfRun, type Step } from "../current-step.ts";
import { zonesOf } from "./settings-for-zones.ts";

/**
 * Reactivates finished work whose new date is in the future, and reports the rest. `isLeft`: true for a state that the
 * current transition leaves; its work is not reactivated. Returns the fault if a reactivation fails, otherwise null.
 */
export function reactivateMovedWork(
  step: Step,
  before: ExecutionState,
  isLeft: (state: string) => boolean,
): string | null {
  const dated = datedActions(step.program);
  const nodes = step.program.nodes?.endedNodes(step.state.position) ?? [];
  const moved = openDelayComparison(step, before);
  reportKeptTimers(step, moved);
  rearmPassedTimers(step, moved, isLeft);
  if (dated.size === 0 && nodes.length === 0) return null;
  const runs = byAction(step.state.runs);
  const ended = [...dated.values()].flatMap((action) => {
    const own = runs.get(action.actionId) ?? [];
    for (const run of own) if (isUnmovedRun(step, moved, run, action)) reportNotMoved(step, run, whyNotMoved(run));
    return own
      .slice(-1)
      .filter(hasEnded)
      .map((run) => endedRun(run, action));
  });
  const gone = nodes.filter(({ action }) => action === null || !runs.has(action)).map((node) => endedNode(node, dated));
  for (const one of [...ended, ...gone]) {
    const isLeftNow = one.boundTo !== null && isLeft(one.boundTo);
    const movement = isLeftNow || !isAnchored(step, one.delay) ? null : moved(one.delay, null, originOf(step, one));
    if (movement === null) continue;
    const because = reactivationReason(step, one, movement.at);
    const fault = because === null ? null : reactivate(step, one, because);
    if (fault !== null) return fault;
    // A run that has just moved into the past was skipped there. It is in the list of moves.
    if (because === null && !step.moves.some(({ timer }) => timer === one.notMoved.id))
      step.notMoved.push(one.notMoved);
  }
  return null;
}

/** Finished work with a delay: the newest run of an action, or a node whose run is no longer stored. */
type EndedWork = Pick<EndedNode, "delay" | "how" | "reason"> & {
  readonly action: DatedAction | null;
  readonly boundTo: string | null;
  readonly notMoved: UnmovedItem;
};

function hasEnded({ status }: Run): boolean {
  return isFinalRun(status) && status !== "canceled";
}

function endedRun({ id, status, reason, boundTo }: Run, action: DatedAction): EndedWork {
  const how = status === "ok" ? "done" : status === "failed" ? "failed" : "skipped";
  const notMoved = { kind: "run", id, action: action.actionId, reason: how } as const;
  return { delay: action.delay, how, reason, action, boundTo, notMoved };
}

function endedNode(
  { node, action, delay, how, reason }: EndedNode,
  dated: ReadonlyMap<string, DatedAction>,
): EndedWork {
  const notMoved = { kind: "node", id: node, action, reason: how } as const;
  return { delay, how, reason, action: dated.get(action ?? "") ?? null, boundTo: node, notMoved };
}

function byAction(runs: readonly Run[]): ReadonlyMap<string, readonly Run[]> {
  const groups = new Map<string, Run[]>();
  for (const run of runs) {
    const group = groups.get(run.action);
    if (group) group.push(run);
    else groups.set(run.action, [run]);
  }
  return groups;
}

/**
 * Compares a delay's instant before and after the change. Returns the new instant if it differs. Returns null if it is
 * the same.
 */
type CompareDelay = (delay: Delay, run: Run | null, origin?: DelayOrigin) => { readonly at: number | null } | null;

/** What a delay depends on besides its rules. `from`: the instant from which it counts if it has no anchor. */
type DelayOrigin = { readonly action?: ZonedAction; readonly from?: number };
const NO_ORIGIN: DelayOrigin = {};

function openDelayComparison(step: Step, before: ExecutionState): CompareDelay {
  const then = { ...step, state: before };
  const seen = { message: null, previousState: null, currentState: currentState(step.state) };
  const known = new Map<Delay, ReturnType<CompareDelay>>();
  const compare = (delay: Delay, [was, is]: readonly [Scope, Scope], origin: DelayOrigin): ReturnType<CompareDelay> => {
    const [old, anew] = [was, is].map((scope) => instantOf(step, delay, scope, origin));
    return old?.ok && anew?.ok && old.at !== anew.at ? { at: anew.at } : null;
  };
  const plain = (delay: Delay, origin: DelayOrigin): ReturnType<CompareDelay> => {
    const found = origin === NO_ORIGIN ? known.get(delay) : undefined;
    if (found !== undefined) return found;
    // The trigger of finished work is no longer stored. The delay's rule is therefore evaluated with the variables and
    // without a message.
    const movement = compare(delay, [scopeFor(then, seen), scopeFor(step, seen)], origin);
    if (origin === NO_ORIGIN) known.set(delay, movement);
    return movement;
  };
  return (delay, run, origin = NO_ORIGIN) =>
    run === null ? plain(delay, origin) : compare(delay, [scopeOfRun(then, run), scopeOfRun(step, run)], origin);
}

function instantOf(step: Step, delay: Delay, scope: Scope, { action = {}, from }: DelayOrigin) {
  const { now, work } = step;
  return computeInstant(delay, {
    ...holidayContext(step, action),
    now,
    timezone: zonesOf(step, action),
    delays: delaysOf(step),
    scope,
    work,
    from,
  });
}

/** The origin of an ended work's delay. An action without a zone of its own has the same instants as a timer. */
function originOf(step: Step, { action }: EndedWork): DelayOrigin {
  const own = action === null ? undefined : actionOf(step, action.actionId);
  return own?.timezone === undefined && own?.window === undefined ? NO_ORIGIN : { action: own };
}

/**
 * Whether the delay has a date to count from. Only then finished work can be reactivated, because the start of any other
 * delay is no longer known.
 */
function isAnchored(step: Step, delay: Delay): boolean {
  return delayObject(delay, delaysOf(step))?.anchor !== undefined;
}

function reportKeptTimers(step: Step, moved: CompareDelay): void {
  for (const timer of step.state.timers) {
    const isSet = timer.rescheduled === true;
    if (timer.kind !== "after" || timer.at === null || !(isSet || isKeptOnMove(step, timer.expression))) continue;
    if (moved(timer.expression, null, { from: timer.countsFrom ?? timer.armedAt }) === null) continue;
    step.notMoved.push({ kind: "timer", id: timer.id, action: null, reason: isSet ? "rescheduled" : "keeps" });
  }
}

/**
 * A timer whose instant was past was skipped. It is armed if its new instant is in the future. Its delay then counts
 * from now, as if the state were entered now.
 */
function rearmPassedTimers(step: Step, moved: CompareDelay, isLeft: (state: string) => boolean): void {
  for (const { id: timer, state, expression } of step.state.passed ?? []) {
    const at = isLeft(state) ? null : (moved(expression, null)?.at ?? null);
    if (at === null || at <= step.now) continue;
    dropPassedTimers(step, ({ id }) => id !== timer);
    // `moved` has just computed this instant, so the same computation cannot fail here.
    armTimer(step, { kind: "arm", timer, state, expression }, storeTrigger(step, null, null));
    step.moves.push({ timer, ...nodeOfMove(step, state), from: null, to: at });
  }
}

/** True if the run is unfinished but has already started, so that the moved date does not reschedule it. */
function isUnmovedRun(step: Step, moved: CompareDelay, run: Run, action: DatedAction): boolean {
  if (isFinalRun(run.status)) return false;
  const origin = { action: actionOf(step, run.action), from: run.countsFrom ?? run.createdAt };
  return (hasStarted(run) || (action.isKept && dueOf(run) !== null)) && moved(action.delay, run, origin) !== null;
}

function whyNotMoved(run: Run): UnmovedItem["reason"] {
  if (run.status === "scheduled" && run.broughtForward === true) return "brought_forward";
  if (run.status === "scheduled" && run.rescheduled === true) return "rescheduled";
  return hasStarted(run) ? "in_progress" : "keeps";
}

/**
 * Why finished work is reactivated. null if it is not reactivated, for example because its new instant is not in the
 * future.
 */
function reactivationReason(step: Step, ended: EndedWork, at: number | null): RepeatedRun["because"] | null {
  const { how, reason, action, boundTo } = ended;
  if (at === null || at <= step.now || action === null || !mayReactivate(step, boundTo)) return null;
  if (how === "skipped" && (reason === "already_past" || reason === "past" || reason === "holiday"))
    return "already_past";
  return how === "done" && action.isRedone ? "redo" : null;
}

function mayReactivate({ program, state: { position } }: Step, boundTo: string | null): boolean {
  if (program.nodes) return program.nodes.mayReactivate(position);
  return boundTo === null || isInState(position, boundTo);
}

/** Creates another run of the action. All effects and events of the earlier run stay. */
function reactivate(step: Step, { notMoved, boundTo }: EndedWork, because: RepeatedRun["because"]): string | null {
  const trigger = storeTrigger(step, null, null);
  const fault = createRun(step, actionOf(step, String(notMoved.action)), boundTo, trigger, { reactivated: because });
  const run = step.state.runs.at(-1);
  if (fault === null && boundTo !== null) {
    const position = step.program.nodes?.reactivate(step.state.position, boundTo) ?? step.state.position;
    changeState(step, { position });
  }
  if (fault === null && run?.dueAt != null) {
    step.cameBack.push({ run: run.id, action: run.action, dueAt: run.dueAt, because });
  }
  return fault;
}

function reportNotMoved(step: Step, run: Run, reason: UnmovedItem["reason"]): void {
  step.notMoved.push({ kind: "run", id: run.id, action: run.action, reason });
}

function isKeptOnMove(step: Pick<Step, "program">, delay: Delay): boolean {
  return delayObject(delay, delaysOf(step))?.onMove === "keep";
}

type DatedAction = {
  readonly actionId: string;
  readonly delay: Delay;
  readonly isKept: boolean;
  readonly isRedone: boolean;
};
const known = new WeakMap<ReadonlyMap<string, ProgramAction>, ReadonlyMap<string, DatedAction>>();

/** The actions whose delay depends on a rule, or whose delay's zone does, collected once per program. */
function datedActions(program: Program): ReadonlyMap<string, DatedAction> {
  const found = known.get(program.actions) ?? collectDatedActions(program);
  known.set(program.actions, found);
  return found;
}

function collectDatedActions(program: Program): ReadonlyMap<string, DatedAction> {
  const dated = new Map<string, DatedAction>();
  for (const action of program.actions.values()) {
    const { actionId, delay } = action;
    const written = delay === undefined ? undefined : delayObject(delay, delaysOf({ program }));
    if (delay === undefined || written === undefined || !dependsOnVariables({ program }, written, action)) continue;
    const { onMove } = written;
    dated.set(actionId, { actionId, delay, isKept: onMove === "keep", isRedone: onMove === "redo" });
  }
  return dated;
}
