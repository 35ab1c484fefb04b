// Ticks of a reconciler: decides when its rules are evaluated, and applies the result. Rules are pure, so a tick is
// skipped if none of its inputs has changed. After a change the next tick is at the next instant of the grid
// (`createdAt` plus multiples of `tickMs`).
import { isStale, tickAfter, type Reconciling } from "#schema/engine/reconciling.ts";
import { waitsForPerson, type Run } from "#schema/engine/run.ts";
import { isFinalStatus, type ActionStatus, type Position, type ReconcilerPosition } from "#schema/engine/state.ts";
import type { JsonObject } from "#schema/json.ts";
import { assert } from "../../assert.ts";
import type { Move, Ticks } from "../program.ts";
import { runPart } from "../../computing/work.ts";
import { mergePatch, isSameJson } from "../../language/json-values.ts";
import { applyMove, processPending } from "../drive.ts";
import {
  changeState,
  changeRun,
  currentState,
  isPausedOrSuspended,
  iso,
  addEntry,
  scopeFor,
  type Step,
} from "../current-step.ts";
import { abortRuns } from "../run-endings.ts";
import { actionInFlight, actionStatusOf } from "./action-status.ts";
import { collectWhenDue } from "./collect.ts";
import { reconcilingOf, changeReconciling } from "./revisions.ts";

export function beginReconciling(step: Step, desired: JsonObject): void {
  const { ticks } = step.program;
  if (ticks === undefined) return;
  const { tickMs, staleAfterMs, collector } = ticks;
  const reconciling: Reconciling = {
    desired: { value: mergePatch(ticks.desired, desired), revision: 1, at: step.now },
    observed: null,
    tickMs,
    staleAfterMs,
    tickAt: null,
    watches: false,
    actedAt: null,
    restartedAt: null,
    fault: null,
    collecting: collector === null ? null : { run: null, dueAt: step.now, failures: 0, error: null },
  };
  changeState(step, { reconciling, lastAction: actionStatusOf({ actions: step.program.actions, state: step.state }) });
}

/**
 * Called before an input is applied, so that a due tick reads the data that was stored at its instant. The data of the
 * input is first read by the tick at the next instant of the grid.
 */
export function runDueTick(step: Step): void {
  const { ticks } = step.program;
  if (ticks === undefined || !isDue(step)) return;
  runTick(step, ticks);
  processPending(step);
  changeReconciling(step, reconcilingOf(step), { tickAt: null });
}

/**
 * Called at the end of every step of a reconciler. Runs a due tick if this step has changed no input of the rules,
 * plans the next tick, and starts a due observation.
 */
export function reconcileDue(step: Step): void {
  const { ticks } = step.program;
  if (ticks === undefined || step.verdict !== null) return;
  recordActionStatus(step, ticks);
  if (!hasChanged(step)) runDueTick(step);
  recordActionStatus(step, ticks);
  planNextTick(step, ticks);
  collectWhenDue(step);
}

/** Called at the end of a step, after the runs that end in this step: records the final status of the action. */
export function concludeReconciling(step: Step): void {
  const { ticks } = step.program;
  if (ticks === undefined) return;
  recordActionStatus(step, ticks);
  if (isFinalStatus(step.state.status)) changeReconciling(step, reconcilingOf(step), { tickAt: null, watches: false });
}

/**
 * Records the status of the last action. When an action has ended, the rules may ignore observations that started
 * before its end.
 */
function recordActionStatus(step: Step, { observesAfter }: Ticks): void {
  const { lastAction } = step.state;
  const reconciling = reconcilingOf(step);
  const status = actionStatusOf({ actions: step.program.actions, state: step.state });
  if (!isSameStatus(lastAction, status)) changeState(step, { lastAction: status });
  const hasEnded = status.actionName !== "" && !status.inProgress && !hasSameEnd(step.before.lastAction, status);
  if (!hasEnded || !observesAfter || reconciling.actedAt === step.now) return;
  const { collecting } = reconciling;
  const soon =
    collecting && collecting.run === null ? { ...collecting, dueAt: Math.min(collecting.dueAt, step.now) } : collecting;
  changeReconciling(step, reconciling, { actedAt: step.now, collecting: soon });
}

/**
 * True if a tick is due. A tick that changes nothing is not stored, so the next input finds it due again and gets the
 * same result.
 */
function isDue(step: Step): boolean {
  const { position, status, createdAt } = step.state;
  if (position.done || isFinalStatus(status) || isPausedOrSuspended(step)) return false;
  const { tickAt, watches, tickMs } = reconcilingOf(step);
  if (tickAt !== null && tickAt <= step.now) return true;
  return watches && gridAt(createdAt, tickMs, step.now) > reconcilerPosition(position).since;
}

function gridAt(createdAt: number, tickMs: number, now: number): number {
  return now - ((now - createdAt) % tickMs);
}

function runTick(step: Step, ticks: Ticks): void {
  const { position, variables, createdAt } = step.state;
  const reconciling = reconcilingOf(step);
  // The rules read the instant of the grid instead of the current time. A tick that runs later therefore gives the same
  // result.
  const at = gridAt(createdAt, reconciling.tickMs, step.now);
  const where = currentState(step.state);
  const scope = scopeFor(step, { message: null, previousState: where, currentState: where });
  const seen = [variables, { ...scope, now: iso(at) }, step.work, { now: step.now, planned: at }] as const;
  const current = actionInFlight(step.state);
  const down = isShutdownRequested(reconciling) ? runPart(step.work, () => ticks.shutdown(position, ...seen)) : null;
  if (down !== null) {
    if (current && !ticks.cancelsAction) return;
    abortRuns(step, "shutdown_requested");
    return applyTick(step, down);
  }
  if (isStale(reconciling, at)) return;
  if (current) return interruptAction(step, () => ticks.interrupt(position, ...seen));
  const move = runPart(step.work, () => ticks.tick(position, ...seen));
  applyTick(step, move);
}

/** Cancels the action in progress if a rule replaces it. */
function interruptAction(step: Step, replace: () => Move | null): void {
  const move = runPart(step.work, replace);
  if (move?.ok) abortRuns(step, "canceled_by_rule");
  applyTick(step, move);
}

function isShutdownRequested({ desired }: Reconciling): boolean {
  return desired.value["shutdownRequested"] === true;
}

function applyTick(step: Step, move: Move | null): void {
  const reconciling = reconcilingOf(step);
  const fault = move?.ok === false ? move.message : null;
  if (fault !== reconciling.fault) {
    // A rule may fail because of one observation. It is evaluated again with the next observation, so the failure does
    // not end the execution.
    if (fault !== null) addEntry(step, { kind: "tick_failed", message: fault });
    changeReconciling(step, reconciling, { fault });
    step.hasUnjournaledChange = true;
  }
  if (!move?.ok) return;
  const restarts = restartsOf(step.state.position);
  closeHandledDeadLetters(step, move);
  applyMove(step, move, null, currentState(step.state), "tick");
  step.hasUnjournaledChange = true;
  if (restartsOf(move.position) > restarts)
    changeReconciling(step, reconcilingOf(step), { restartedAt: step.now, actedAt: null });
}

function restartsOf(position: Position): number {
  return reconcilerPosition(position).restarts ?? 0;
}

/**
 * If the tick reacts to a failure, its dead letter is marked as handled. If the tick starts the same action again, the
 * dead letter is closed with its first reason.
 */
function closeHandledDeadLetters(step: Step, { commands, position }: Extract<Move, { ok: true }>): void {
  if (commands.length === 0) return;
  const state = position.states.join();
  const emitted = new Set(commands.flatMap((each) => (each.kind === "act" ? [each.action] : [])));
  for (const run of step.state.runs) {
    if (!run.deadLetter) continue;
    if (emitted.has(run.action)) changeRun(step, run, { deadLetter: false, reason: run.reason ?? "superseded" });
    else if (waitsForPerson(run)) markHandled(step, run, state);
  }
}

function markHandled(step: Step, run: Run, state: string): void {
  changeRun(step, run, { heard: { event: `action.${run.action}.failed`, state, at: step.now, took: [state] } });
}

/** Plans the next tick at the next instant of the grid if this step changed an input of the rules. */
function planNextTick(step: Step, ticks: Ticks): void {
  const { position, createdAt } = step.state;
  const reconciling = reconcilingOf(step);
  const watches = !position.done && ticks.watches(position);
  const isOpen =
    actionInFlight(step.state) === undefined ||
    ticks.interrupts(position) ||
    (ticks.cancelsAction && isShutdownRequested(reconciling));
  const isNew = isOpen && hasChanged(step);
  const at = isNew ? tickAfter(reconciling, createdAt, step.now) : plannedTick(step, reconciling);
  if (at === reconciling.tickAt && watches === reconciling.watches) return;
  changeReconciling(step, reconciling, { tickAt: at, watches });
}

/**
 * The instant of the planned tick; null if none is planned. A tick that is due during a pause keeps its instant. A tick
 * that is due during a suspension moves to the next instant of the grid.
 */
function plannedTick(step: Step, reconciling: Reconciling): number | null {
  const { tickAt } = reconciling;
  if (tickAt === null || tickAt > step.now || step.state.status === "paused") return tickAt;
  return tickAfter(reconciling, step.state.createdAt, step.now);
}

function hasChanged(step: Step): boolean {
  const { before, state, now } = step;
  const reconciling = reconcilingOf(step);
  const was = before.reconciling;
  if (was === undefined) return true;
  const isFresh = isStale(was, now) && !isStale(reconciling, now);
  return (
    isFresh ||
    was.desired !== reconciling.desired ||
    was.observed?.revision !== reconciling.observed?.revision ||
    before.variables !== state.variables ||
    !isSameState(reconcilerPosition(before.position), reconcilerPosition(state.position)) ||
    !isSameStatus(before.lastAction, state.lastAction)
  );
}

/**
 * True if both positions have the same state, entered at the same instant. Their reasons are not compared, because
 * rules do not read reasons.
 */
function isSameState(one: ReconcilerPosition, other: ReconcilerPosition): boolean {
  return one.state === other.state && one.since === other.since;
}

function reconcilerPosition(position: Position): ReconcilerPosition {
  assert("since" in position, "an execution must keep the kind of its definition (machine, journey or reconciler)");
  return position;
}

/** A report about the action's message does not end the action again. */
function hasSameEnd(one: ActionStatus | null, { delivery: _report, ...other }: ActionStatus): boolean {
  return isSameStatus(one, { ...other, ...(one?.delivery && { delivery: one.delivery }) });
}

function isSameStatus(one: ActionStatus | null, other: ActionStatus | null): boolean {
  return one === other || (one !== null && other !== null && isSameJson(one, other));
}
