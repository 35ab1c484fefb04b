// Ends of runs: fails, skips, cancels or aborts a run, or reuses its effect from an earlier execution. Each end is
// recorded with its reason. The program receives an event for every end except a cancellation.
import type { ActionError, Outcome } from "#schema/engine/outcome.ts";
import { isFinalRun, type Run, plannedFor, waitsForPerson } from "#schema/engine/run.ts";
import { isFinalStatus, type ActionStatus } from "#schema/engine/state.ts";
import type { ReusableResult } from "#schema/family/restart.ts";
import type { JsonObject, Json } from "#schema/json.ts";
import {
  CRITICAL_ABOVE_PRIORITY,
  CRITICAL_TYPE,
  LAST_ERROR_CHARS_MAX,
  OPEN_DEAD_LETTERS_MAX,
} from "#schema/limits/run-attempts.ts";
import { isExhausted, addReserve } from "../computing/work.ts";
import { withoutClaimant } from "./attempts.ts";
import {
  actionOf,
  ruleError,
  changeState,
  changeRun,
  invalidDefinition,
  addEntry,
  iso,
  runOf,
  type Step,
  requestVerdict,
} from "./current-step.ts";
import { ownRuns } from "./own-lists.ts";
import { autoRetryOf } from "./retries/handled.ts";

/** Fails a run permanently. The run becomes a dead letter, and the program receives its result event. */
export function failRun(step: Step, run: Run, error: ActionError): void {
  const action = actionOf(step, run.action);
  const failed = changeRun(step, run, {
    status: "failed",
    error,
    deadLetter: true,
    failedSeq: step.seq,
    ...autoRetryOf(action),
    finishedAt: step.now,
    dueAt: null,
    deadlineAt: null,
  });
  changeState(step, {
    lastAction: statusOf(failed, run.claimedAt, { failed: true, errorMessage: error.message }),
    errors: { count: (step.state.errors?.count ?? 0) + 1, last: error.message.slice(0, LAST_ERROR_CHARS_MAX) },
  });
  const why = run.reason === null ? {} : { reason: run.reason };
  addEntry(step, { kind: "run_failed", run: run.id, action: run.action, error, ...why });
  sendResultEvent(step, failed, "failed", {
    error: { type: error.type, message: error.message },
    attempts: run.attempt,
  });
  const waiting = ownRuns(step).deadLetters;
  const { onExhausted = "deadLetter" } = action;
  if (typeof onExhausted === "object") {
    sendRunEvent(step, failed, onExhausted.event, { run: run.id, actionId: run.action, error: error.message });
  }
  // A journey decides with the run's node, because the node may follow `onFailed`, or tolerate the failure of an item.
  const isDecidedByNode = step.program.nodes !== undefined && run.boundTo !== null;
  if (!isDecidedByNode && (onExhausted === "pause" || onExhausted === "fail")) {
    requestVerdict(step, { kind: onExhausted, error });
  }
  if (waiting >= OPEN_DEAD_LETTERS_MAX) requestVerdict(step, { kind: "pause", error });
}

/** Records the result of a run that ended after its execution, in the position of a journey. */
export function recordLateResult(step: Step, type: string): void {
  const position = step.program.nodes?.recordLateResult(step.state.position, type) ?? null;
  if (position !== null) changeState(step, { position });
}

/** Applies `onExhausted` of a journey's node that has failed with this run and follows no edge. */
export function applyExhausted(step: Step, id: string): void {
  const run = runOf(step, id);
  // After a pause the failure may be old: an operator has already decided about its dead letter.
  if (run === undefined || run.error === null || !waitsForPerson(run)) return;
  const { onExhausted = "pause" } = actionOf(step, run.action);
  if (onExhausted === "pause" || onExhausted === "fail") requestVerdict(step, { kind: onExhausted, error: run.error });
}

/**
 * Fails a run whose config or condition cannot be evaluated. If the step's budget is exhausted, the first such failure
 * uses a reserve. The second one requests the failure of the execution.
 */
export function failUnevaluableRun(step: Step, run: Run, message: string): void {
  if (!isExhausted(step.work)) return failRun(step, run, invalidDefinition(message));
  const error = { ...ruleError(step, `${run.action}: ${message}`), details: { action: run.action } };
  if (addReserve(step.work) || isFinalStatus(step.state.status)) return failRun(step, run, error);
  requestVerdict(step, { kind: "fail", error });
}

/** True if the failure of this run raises an alert immediately. */
export function isCritical({ type, priority }: Pick<Run, "type" | "priority">): boolean {
  return type === CRITICAL_TYPE || priority > CRITICAL_ABOVE_PRIORITY;
}

/** Skips a run, and records the reason. `details`: additional fields of the journal entry. */
type SkipDetails = { readonly values?: JsonObject; readonly nextAt?: number };

export function skipRun(step: Step, run: Run, reason: string, details: SkipDetails = {}): void {
  changeRun(step, run, { status: "skipped", reason, finishedAt: step.now, dueAt: null });
  addEntry(step, { kind: "run_skipped", run: run.id, action: run.action, reason, ...details });
  const { nextAt } = details;
  sendResultEvent(step, run, "skipped", { reason, ...(nextAt === undefined ? {} : { nextAt: iso(nextAt) }) });
}

/** Cancels unfinished runs. An attempt in flight finishes, and its outcome is recorded but not retried. */
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
  addEntry(step, { kind: "run_canceled", run: run.id, action: run.action, reason, ...why });
}

/**
 * Ends an abandoned run after its attempt has failed. The run does not become a dead letter, and sends no result event.
 */
export function cancelAbandoned(step: Step, run: Run): void {
  cancelRun(step, run, isFinalStatus(step.state.status) ? `execution_${step.state.status}` : "state_left");
}

/** The status of the last run, in the format that the rules of reconcilers and guards read. */
export function statusOf(run: Run, startedAt: number | null, part: Partial<ActionStatus>): ActionStatus {
  const base = { inProgress: false, succeeded: false, failed: false, errorMessage: null };
  return { ...base, actionName: run.action, startedAt, retries: Math.max(0, run.attempt - 1), ...part };
}

/** The `source` of result events. */
export const RUN_SOURCE = "action_runner";

export function sendResultEvent(
  step: Step,
  run: Run,
  what: "ok" | "failed" | "skipped" | "archived",
  payload: JsonObject,
): void {
  const { index } = run.given ?? {};
  const item = index === undefined ? {} : { index };
  sendRunEvent(step, run, `action.${run.action}.${what}`, { run: run.id, actionId: run.action, ...item, ...payload });
}

export function sendRunEvent(step: Step, run: Run, type: string, payload: Json): void {
  const id = `${step.state.id}/${run.id}/${type}`;
  const { correlationId } = step.state;
  const message = { id, type, payload, source: RUN_SOURCE, correlationId };
  step.pending.push({ message, origin: "run", planned: plannedFor(run) ?? step.now });
}

/** An effect of the earlier execution that a restarted execution reuses instead of repeating it. */
export type EarlierEffect = ReusableResult & { readonly execution: string };

/**
 * Takes the effect of this action out of the list of reusable effects. Returns null if the list has no effect of this
 * action; the action then runs.
 */
export function takeEarlierEffect(step: Step, action: string, given: JsonObject | undefined): EarlierEffect | null {
  const { restartOf } = step.state;
  const found = restartOf?.made.find(
    (made) => made.action === action && (made.index === undefined || made.index === given?.["index"]),
  );
  if (!restartOf || !found) return null;
  changeState(step, { restartOf: { ...restartOf, made: restartOf.made.filter((made) => made !== found) } });
  return { ...found, execution: restartOf.execution };
}

export function passOverRun(step: Step, run: Run, { execution, run: earlier, heard, ...made }: EarlierEffect): void {
  const { result, events, at } = made;
  const ended = { finishedAt: step.now, dueAt: null };
  const done = changeRun(step, run, { status: "ok", result, reason: RESULT_REUSED, ...ended });
  const { id, action } = done;
  const outcome: Outcome = { ok: true, result, events, startedAt: at, endedAt: at };
  const details = heard ? { heard } : {};
  changeState(step, { lastAction: statusOf(done, null, { succeeded: true }) });
  addEntry(step, { kind: "run_reused", run: id, action, of: { execution, run: earlier }, outcome, ...details });
  for (const { type, payload } of events) sendRunEvent(step, done, type, payload);
  sendResultEvent(step, done, "ok", { result });
  // The earlier run may also have received an answer, such as the end of its task. This event is sent again for the
  // present run.
  if (heard) sendRunEvent(step, done, heard.type, { ...heard.payload, run: id });
}

const RESULT_REUSED = "result_reused";

export function abortRuns(step: Step, reason: string): void {
  for (const run of step.state.runs) {
    if (isFinalRun(run.status)) continue;
    if (run.status === "running") abortRun(step, run, reason);
    else cancelRun(step, run, reason);
  }
}

/** Aborts a run in flight without waiting for its response. If the run succeeds later, the success still counts. */
export function abortRun(step: Step, run: Run, reason: string): void {
  const message = `attempt ${run.attempt} was canceled while in progress; the engine does not know whether the attempt took effect`;
  const error: ActionError = {
    type: "aborted",
    message,
    retryable: false,
    code: "attempt_canceled",
    effect: "unknown",
  };
  step.effects.push({ kind: "abort", run: run.id, attempt: run.attempt });
  const attempts = run.attempts.map((each) =>
    each.attempt === run.attempt ? { ...each, endedAt: step.now, error } : each,
  );
  cancelRun(step, changeRun(step, withoutClaimant(run), { attempts, error }), reason);
}
