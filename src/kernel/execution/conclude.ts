// The end of a step: derives the execution's status, retention and projection, and removes old runs from the state.
// Called once per step, after the input and its consequences.
import { defaults } from "#schema/defaults.ts";
import { PROJECT_BUSY_AFTER_MS } from "#schema/limits/executions.ts";
import { FINISHED_RUNS_KEPT } from "#schema/limits/run-attempts.ts";
import type { Ending } from "#schema/engine/child.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import { isFinalRun, waitsForPerson, type Run } from "#schema/engine/run.ts";
import { isBeforeFirstMove } from "#schema/key-limits/start-place.ts";
import { exitOf, isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import { postponeEnd, mustWaitForChildren, applyChildPolicies, settleChildren } from "./children/children-on-end.ts";
import { closeNodes, endOpenWork, enterPause } from "./control.ts";
import { applyMove, processPending } from "./drive.ts";
import { releasePlace } from "./limits/start-place.ts";
import { registerCorrelationKey, notifyOfEnd, sendOutbox } from "./outbox/outbox.ts";
import { concludeHandled } from "./retries/handled.ts";
import { isUnresolved } from "./retries/redrive.ts";
import { withdrawUnneededTasks } from "./tasks/open-tasks.ts";
import { durationMs } from "../language/timing.ts";
import { ACTION_FAILED } from "../waiting/deadlines.ts";
import { concludeReconciling } from "./reconciling/due-ticks.ts";
import { isProjectionUnchanged } from "./projected-changes.ts";
import { changeState, currentState, addEntry, type Step } from "./current-step.ts";

const ENGINE = { kind: "engine", id: "engine" } as const;

export function conclude(step: Step): void {
  applyVerdict(step);
  compensate(step);
  concludeHandled(step);
  concludeStatus(step);
  concludeReconciling(step);
  settleChildren(step);
  withdrawUnneededTasks(step);
  registerCorrelationKey(step);
  const { state } = step;
  if (isFinalStatus(state.status)) {
    const retainUntil = step.now + durationMs(step.program.definition.retention ?? defaults.retention[state.placement]);
    if (state.finishedAt === null) {
      changeState(step, { finishedAt: step.now, retainUntil });
      // Effects in this list are reused instead of repeated, which is needed only until the restarted execution ends.
      if (state.restartOf) changeState(step, { restartOf: { ...state.restartOf, made: [] } });
      notifyOfEnd(step);
      releasePlace(step);
    } else if (isUnresolved(step.before) && !isUnresolved(state)) {
      // The last dead letter was just resolved. The retention period starts again, so that its result can be read for
      // the full period.
      changeState(step, { retainUntil });
    }
  }
  sendOutbox(step);
  changeState(step, { seq: step.seq, updatedAt: step.now });
  projectWhenDue(step);
  dropOldRuns(step);
}

/** Applies the failure or pause that an exhausted run or a faulty definition requested. */
export function applyVerdict(step: Step): void {
  const { verdict } = step;
  step.verdict = null;
  if (verdict === null) return;
  if (verdict.kind === "fail") return failExecution(step, verdict.error, verdict.atOnce);
  // If an operator has paused the execution, it stays paused and also gets this error. If it already has an error, the
  // first error is kept.
  if (step.state.status !== "paused" || step.state.error === null) {
    changeState(step, { error: verdict.error });
    enterPause(step, ENGINE, isCompensating(step) ? STUCK : ACTION_FAILED);
  }
  // In a paused execution, result events of runs wait in the buffer like all other events.
  processPending(step);
}

/**
 * Compensates after an exit that requests it: undoes completed actions one after another. The first undo starts when
 * all work in progress has ended, because that work may need an undo too. An undo that fails permanently becomes a dead
 * letter.
 */
function compensate(step: Step): void {
  const { undo } = step.program;
  if (undo === undefined) return;
  while (isReadyToCompensate(step)) {
    const next = undo(step.state.position, step.state.runs);
    if (next.kind === "stuck") enterPause(step, ENGINE, STUCK);
    if (next.kind !== "next") return;
    const { position, commands } = next;
    const move = { ok: true, position, variables: step.state.variables, commands, took: [] } as const;
    applyMove(step, move, null, currentState(step.state), "compensation");
    processPending(step);
    applyVerdict(step);
  }
}

const STUCK = "compensation_stuck";

/** True if the engine pauses executions with this reason, because a run failed permanently. */
export function isPauseOfEngine(reason: string | null): boolean {
  return reason === ACTION_FAILED || reason === STUCK;
}

function isReadyToCompensate({ state }: Step): boolean {
  const { status, position, runs } = state;
  if (!position.done || status === "paused" || isFinalStatus(status)) return false;
  if (state.ending || mustWaitForChildren(state)) return false;
  return runs.every((run) => isFinalRun(run.status));
}

function isCompensating({ state: { position } }: Step): boolean {
  return exitOf(position)?.undoing !== undefined;
}

function concludeStatus(step: Step): void {
  const { state } = step;
  if (state.status === "paused" || isFinalStatus(state.status)) return;
  if (mustWaitForChildren(state)) return changeState(step, { status: "waiting" });
  if (state.ending) return endAfterChildren(step, state.ending);
  const live = state.runs.filter(({ status }) => !isFinalRun(status));
  if (state.position.done && live.length === 0) return endByProgram(step);
  if (isStuck(step, live.length)) {
    const where = currentState(state);
    const message = `the execution is stuck in ${where}: it has no pending run, timer or event handler`;
    return failExecution(step, { type: "stuck", message, retryable: false });
  }
  const isBusy = live.some(({ status }) => status === "queued" || status === "running");
  changeState(step, { status: isBusy ? "active" : "waiting" });
}

/** Completes a postponed end, after the last awaited child has ended. */
function endAfterChildren(step: Step, ending: Ending): void {
  if (ending.as === "failed") return failExecution(step, ending.error);
  dropEnding(step);
  closeNodes(step, "execution_canceled");
  changeState(step, { status: "canceled" });
  endOpenWork(step, "execution_canceled");
  addEntry(step, { kind: "canceled", actor: ENGINE, reason: ending.reason });
}

function dropEnding(step: Step): void {
  const { ending: _ending, ...rest } = step.state;
  step.state = rest;
}

function endByProgram(step: Step): void {
  const ending = step.program.ending(step.state.position, currentState(step.state));
  const { status } = ending;
  if (ending.status !== "completed") {
    applyChildPolicies(step, `execution_${status}`);
    const how =
      ending.status === "canceled"
        ? { as: "canceled" as const, reason: ending.reason, actor: ENGINE }
        : { as: "failed" as const, error: ending.error };
    if (postponeEnd(step, { ...how, at: step.now }, ENGINE)) return endOpenWork(step, `execution_${status}`);
  }
  changeState(step, { status, error: ending.status === "failed" ? ending.error : null });
  endOpenWork(step, "execution_ended");
  if (ending.status === "failed") addEntry(step, { kind: "failed", error: ending.error });
  else if (ending.status === "canceled") addEntry(step, { kind: "canceled", actor: ENGINE, reason: ending.reason });
  else addEntry(step, { kind: "completed" });
}

/**
 * True if no input can change the execution any more. A dead letter that no state has handled counts as a possible
 * change, because an operator can retry it.
 */
function isStuck({ state, program }: Step, liveRuns: number): boolean {
  if (isBeforeFirstMove(state)) return false;
  if (liveRuns > 0 || state.timers.length > 0 || state.runs.some(waitsForPerson)) return false;
  return program.waitsFor(state.position).length === 0;
}

/**
 * True if the execution would fail as stuck if the step ended now. The caller then refuses the operator's verb instead
 * of failing the execution.
 */
export function wouldBeStuck(step: Step): boolean {
  const { status, position, runs } = step.state;
  if (position.done || status === "paused" || isFinalStatus(status)) return false;
  return isStuck(step, runs.filter((run) => !isFinalRun(run.status)).length);
}

function failExecution(step: Step, error: ActionError, atOnce = false): void {
  applyChildPolicies(step, "execution_failed");
  const isHeld = !atOnce && postponeEnd(step, { as: "failed", at: step.now, error }, ENGINE);
  if (isHeld) return endOpenWork(step, "execution_failed");
  dropEnding(step);
  closeNodes(step, "execution_failed");
  changeState(step, { status: "failed", pausedAt: null, error });
  endOpenWork(step, "execution_failed");
  addEntry(step, { kind: "failed", error });
}

/**
 * Sends a projection to the lists when the execution rests. Each projection writes rows, so a busy execution is
 * projected only at intervals.
 */
function projectWhenDue(step: Step): void {
  const { status, unprojectedSince } = step.state;
  if (isUnchangedInLists(step)) return;
  const since = unprojectedSince ?? step.now;
  const until = since + PROJECT_BUSY_AFTER_MS;
  const isBusy =
    status === "active" ||
    (status === "waiting" && step.state.runs.some((run) => isRetriedBefore(run, until))) ||
    (isFinalStatus(status) && step.state.runs.some(({ finishedAt }) => !finishedAt));
  // While a tenant is suspended, its executions make no later step that would send the projection. It is therefore sent
  // now.
  if (!step.suspended && isBusy && step.now < until) {
    changeState(step, { unprojectedSince: since });
    return;
  }
  changeState(step, { unprojectedSince: null });
  step.effects.push({ kind: "project" });
}

/**
 * True if the next attempt of the run is due before `at`. Such an execution counts as busy, because a projection after
 * each attempt would be wasted.
 */
function isRetriedBefore({ status, dueAt }: Run, at: number): boolean {
  return status === "retry" && dueAt !== null && dueAt < at;
}

/**
 * True if lists show no difference after this step. A reconciler's desired and observed state change often and are not
 * in the lists, so these changes need no projection.
 */
function isUnchangedInLists({ before, state }: Step): boolean {
  return isProjectionUnchanged(before, state) && state.unprojectedSince === null;
}

/**
 * Removes the oldest finished runs from the state. A finished run stays until it is projected, even if there are too
 * many, because projections follow within seconds.
 */
function dropOldRuns(step: Step): void {
  const runs = keptRuns(step);
  const triggers = neededTriggers(step.state.triggers, runs, step.state.timers);
  if (runs !== step.state.runs || triggers !== step.state.triggers) changeState(step, { runs, triggers });
}

function keptRuns({ before, state: { runs } }: Step): readonly Run[] {
  // The usual case: the state has few runs, so none is removed.
  if (runs.length <= FINISHED_RUNS_KEPT || before.unprojectedSince !== null) return runs;
  const excess = Math.max(0, runs.filter(isRemovable).length - FINISHED_RUNS_KEPT);
  const gone = new Set(
    before.runs
      .filter(isRemovable)
      .slice(0, excess)
      .map(({ id }) => id),
  );
  return gone.size === 0 ? runs : runs.filter(({ id }) => !gone.has(id));
}

function isRemovable({ status, deadLetter }: Run): boolean {
  return isFinalRun(status) && !deadLetter;
}

/** The triggers to which a run or timer still refers. The caller removes all other triggers from the state. */
function neededTriggers(
  triggers: ExecutionState["triggers"],
  runs: readonly Run[],
  timers: ExecutionState["timers"],
): ExecutionState["triggers"] {
  if (triggers.length === 0) return triggers;
  const needed = new Set<number>();
  for (const { status, deadLetter, trigger } of runs) if (!isFinalRun(status) || deadLetter) needed.add(trigger);
  for (const { trigger } of timers) needed.add(trigger);
  return triggers.every(({ seq }) => needed.has(seq)) ? triggers : triggers.filter(({ seq }) => needed.has(seq));
}
