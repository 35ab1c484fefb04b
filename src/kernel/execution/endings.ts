// How a run ends without an outcome to be glad of: failed for good, skipped, canceled. Nothing ends silently: each
// leaves an entry with its reason, and the program hears of it.
import type { ActionError } from "#schema/engine/outcome.ts";
import type { JsonObject } from "#schema/json.ts";
import { CRITICAL_ABOVE_PRIORITY, CRITICAL_TYPE, limits } from "#schema/limits.ts";
import { isFinalRun, type Run } from "#schema/engine/run.ts";
import { isFinalStatus, type ActionStatus } from "#schema/engine/state.ts";
import { announce, emit } from "./announce.ts";
import { isSpent, takeSpare } from "../computing/work.ts";
import { ownRuns } from "./own-lists.ts";
import { healsOf } from "./retries/healing.ts";
import { actionOf, broken, change, changeRun, invalid, note, type Step } from "./current-step.ts";
import { giveVerdict } from "./verdict.ts";

/** For good. It waits as a dead letter for a person, and the machine hears of it. */
export function failRun(step: Step, run: Run, error: ActionError): void {
  const action = actionOf(step, run.action);
  const failed = changeRun(step, run, {
    status: "failed",
    error,
    deadLetter: true,
    failedSeq: step.seq,
    ...healsOf(action),
    finishedAt: step.now,
    dueAt: null,
    deadlineAt: null,
  });
  change(step, { lastAction: statusOf(failed, run.claimedAt, { failed: true, errorMessage: error.message }) });
  const why = run.reason === null ? {} : { reason: run.reason };
  note(step, { kind: "run_failed", run: run.id, action: run.action, error, ...why });
  announce(step, failed, "failed", { error: { type: error.type, message: error.message }, attempts: run.attempt });
  const waiting = ownRuns(step).deadLetters;
  const { onExhausted = "deadLetter" } = action;
  if (typeof onExhausted === "object") {
    emit(step, failed, onExhausted.event, { run: run.id, actionId: run.action, error: error.message });
  }
  if (onExhausted === "pause" || onExhausted === "fail") giveVerdict(step, { kind: onExhausted, error });
  if (waiting >= limits.deadLettersMax) giveVerdict(step, { kind: "pause", error });
}

/**
 * What the definition wants of this run cannot be worked out: the run fails, and its machine hears of it. Where all that
 * a step may cost is used up there is a spare for that, once; for the next such run the execution fails.
 */
export function breakRun(step: Step, run: Run, message: string): void {
  if (!isSpent(step.work)) return failRun(step, run, invalid(message));
  const error = { ...broken(step, `${run.action}: ${message}`), details: { action: run.action } };
  if (takeSpare(step.work) || isFinalStatus(step.state.status)) return failRun(step, run, error);
  giveVerdict(step, { kind: "fail", error });
}

/** Somebody has to hear of its failure at once. */
export function isCritical({ type, priority }: Pick<Run, "type" | "priority">): boolean {
  return type === CRITICAL_TYPE || priority > CRITICAL_ABOVE_PRIORITY;
}

/** `told`: what else the journal says of it. */
export function skipRun(step: Step, run: Run, reason: string, told: { readonly values?: JsonObject } = {}): void {
  changeRun(step, run, { status: "skipped", reason, finishedAt: step.now, dueAt: null });
  note(step, { kind: "run_skipped", run: run.id, action: run.action, reason, ...told });
  announce(step, run, "skipped", { reason });
}

/** Runs in flight finish and their outcome is recorded, but they are not tried again; the others are taken back. */
export function cancelRuns(step: Step, which: (run: Run) => boolean, reason: string): void {
  for (const run of step.state.runs) {
    if (isFinalRun(run.status) || !which(run)) continue;
    if (run.status === "running") changeRun(step, run, { unwanted: true });
    else cancelRun(step, run, reason);
  }
}

export function cancelRun(step: Step, run: Run, reason: string): void {
  changeRun(step, run, { status: "canceled", reason, finishedAt: step.now, dueAt: null, deadlineAt: null });
  const why = run.error === null ? {} : { error: run.error };
  note(step, { kind: "run_canceled", run: run.id, action: run.action, reason, ...why });
}

/**
 * The end of what nobody wants any more, whatever kind of failure it ended with: its attempt is over, nothing waits for a
 * person, and the rest of its execution hears nothing of it.
 */
export function cancelUnwanted(step: Step, run: Run): void {
  cancelRun(step, run, isFinalStatus(step.state.status) ? `execution_${step.state.status}` : "state_left");
}

/** The last run's status in the words that reconciler rules and guards know. */
export function statusOf(run: Run, startedAt: number | null, part: Partial<ActionStatus>): ActionStatus {
  const base = { inProgress: false, succeeded: false, failed: false, errorMessage: null };
  return { ...base, actionName: run.action, startedAt, retries: Math.max(0, run.attempt - 1), ...part };
}
