// Commands to a live execution: patch, pause, resume and cancel. Each returns a refusal, or null if it was accepted.
import type { Actor, Command } from "#schema/engine/input.ts";
import { VARIABLES_BYTES_MAX } from "#schema/limits/executions.ts";
import { refuse, type Refusal } from "#schema/refusal.ts";
import { isFinalRun } from "#schema/engine/run.ts";
import { cancelRun, cancelRuns, abortRuns } from "./run-endings.ts";
import { rescheduleDependents, offerEvent } from "./drive.ts";
import { mergePatch, byteLength } from "../language/json-values.ts";
import { PATCHED } from "./program.ts";
import { stopCollecting } from "./reconciling/collect.ts";
import { postponeEnd, applyChildPolicies } from "./children/children-on-end.ts";
import { disarmAllTimers } from "./timers.ts";
import { changeState, changeRun, addEntry, TOO_COSTLY, type Step } from "./current-step.ts";

export type RefusalOrNull = { readonly ok: false; readonly refusal: Refusal } | null;
type Of<Kind extends Command["kind"]> = Extract<Command, { kind: Kind }>;

/**
 * The refusal of an input whose data makes a rule fail, such as a text where a guard adds numbers. The step of the
 * input is discarded. If a rule fails in an automatic step, no sender exists to refuse, so the execution fails instead.
 */
export function refuseFault(step: Step, code: "event_not_accepted" | "invalid_input", what: string): RefusalOrNull {
  if (step.verdict?.kind !== "fail") return null;
  const { type, message } = step.verdict.error;
  if (type === TOO_COSTLY) {
    const hint =
      "Nothing was changed. Reduce the data that the rule named in the message reads, or split the work over several events.";
    return refuse({ code: TOO_COSTLY, message: `${what}: ${message}`, hint });
  }
  const hint = "Nothing was changed. Send values that the definition's rules can process.";
  return refuse({ code, message: `${what}: ${message}`, hint });
}

/**
 * Applies a JSON merge patch to the variables; a null in the patch removes a variable. Timers and runs that depend on a
 * changed variable are rescheduled, and the response lists these timers and runs.
 */
export function patch(step: Step, { variables, actor, reason }: Of<"patch">): RefusalOrNull {
  const before = step.state;
  const patched = mergePatch(before.variables, variables);
  const size = byteLength(JSON.stringify(patched));
  if (size > VARIABLES_BYTES_MAX) {
    const message = `the variables would have ${size} bytes; the limit is ${VARIABLES_BYTES_MAX} (VARIABLES_BYTES_MAX)`;
    return refuse({ code: "limit_exceeded", message, errors: [{ pointer: "/variables", code: "too_large", message }] });
  }
  changeState(step, { variables: patched });
  const problem = rescheduleDependents(step, before);
  if (problem !== null) {
    const errors = [{ pointer: "/variables", code: "invalid_anchor", message: problem }];
    return refuse({
      code: "invalid_input",
      message: `the timers and runs that depend on the variables could not be rescheduled: ${problem}`,
      errors,
    });
  }
  addEntry(step, { kind: "patched", variables, moves: [...step.moves], actor, reason });
  sendPatched(step);
  return refuseFault(step, "invalid_input", "the variables cannot be accepted");
}

/**
 * Sends `execution.patched` to the program. In a paused execution the event is kept until resume; several patches share
 * one kept event.
 */
function sendPatched(step: Step): void {
  const { id, correlationId, status, buffer } = step.state;
  const { now: at } = step;
  const message = { id: `${id}/${step.seq}/patched`, type: PATCHED, payload: null, source: "engine", correlationId };
  if (status !== "paused") offerEvent(step, message);
  else
    changeState(step, {
      buffer: [...buffer.filter((each) => each.message.type !== PATCHED), { message, origin: "run", at }],
    });
}

export function pause(step: Step, { actor, reason }: Of<"pause">): RefusalOrNull {
  if (step.state.status === "paused")
    return refuse({ code: "execution_paused", message: "the execution is already paused" });
  enterPause(step, actor, reason);
  return null;
}

/**
 * Pauses the execution. Attempts in flight finish, no new attempt starts, timers keep their instants, and events wait.
 */
export function enterPause(step: Step, actor: Actor, reason: string | null): void {
  changeState(step, { status: "paused", pausedAt: step.now, reason });
  for (const run of step.state.runs) {
    if (run.status !== "queued") continue;
    // A message for this run may already be in the queue. When it arrives, its claim is refused. After resume the same
    // attempt is sent again.
    const status = run.attempt > 1 || run.attempts.length > 0 ? "retry" : "scheduled";
    changeRun(step, run, { status, attempt: run.attempt - 1, dueAt: step.now, sentAt: null, resends: 0 });
  }
  addEntry(step, { kind: "paused", actor, reason });
}

type ByActor = Pick<Of<"resume">, "actor" | "reason">;

export function resume(step: Step, { actor, reason }: ByActor): RefusalOrNull {
  if (step.state.status !== "paused") {
    return refuse({ code: "execution_not_paused", message: `the execution is ${step.state.status}, not paused` });
  }
  changeState(step, { status: "active", pausedAt: null, reason: null, error: null });
  addEntry(step, { kind: "resumed", actor, reason });
  return null;
}

/**
 * Cancels a live execution. The cancellation itself always succeeds, but the execution may wait for its children before
 * it ends. Attempts in flight finish, and their outcome is recorded. `fault`: why due work could not be processed;
 * otherwise null. With a fault the execution waits for no child, and the late success of an attempt still counts.
 */
export function cancel(
  step: Step,
  { actor, reason, children }: Of<"cancel">,
  fault: string | null = null,
): RefusalOrNull {
  const { now: at, state } = step;
  if (fault === null) {
    applyChildPolicies(step, "execution_canceled", children);
    // The execution is canceled already and waits for its children. A second cancellation therefore only changes the
    // policy for these children.
    if (state.ending) return null;
    if (postponeEnd(step, { as: "canceled", at, reason, actor }, actor)) {
      changeState(step, { reason });
      if (state.reconciling) abortRuns(step, "execution_canceled");
      endOpenWork(step, "execution_canceled");
      return null;
    }
  }
  addEntry(step, { kind: "canceled", actor, reason, ...(fault === null ? {} : { fault }) });
  closeNodes(step, "execution_canceled");
  const { ending: _ending, ...rest } = step.state;
  step.state = { ...rest, status: "canceled", pausedAt: null, reason };
  if (step.state.reconciling) abortRuns(step, "execution_canceled");
  endOpenWork(step, "execution_canceled");
  if (fault !== null) endAllRuns(step);
  return null;
}

/** Ends all runs that have not ended. Only dead letters then remain for an operator. */
function endAllRuns(step: Step): void {
  for (const run of step.state.runs) {
    if (!isFinalRun(run.status)) cancelRun(step, run, "execution_canceled");
    else if (!Number.isFinite(run.finishedAt)) changeRun(step, run, { finishedAt: step.now });
  }
}

/** Skips the nodes of a journey that are in progress when the execution ends. Other programs have no nodes. */
export function closeNodes(step: Step, reason: "execution_failed" | "execution_canceled"): void {
  const { nodes } = step.program;
  if (nodes !== undefined) changeState(step, { position: nodes.close(step.state.position, reason) });
}

/**
 * Ends everything that must not continue after a final status: runs that have not started, timers and waiting events.
 */
export function endOpenWork(step: Step, reason: string): void {
  cancelRuns(step, () => true, reason);
  disarmAllTimers(step);
  stopCollecting(step);
  for (const { message } of step.state.buffer) {
    addEntry(step, { kind: "event_dropped", event: message.id, type: message.type, reason });
  }
  changeState(step, { buffer: [] });
  step.pending.length = 0;
}
