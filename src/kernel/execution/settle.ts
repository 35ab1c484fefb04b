// Runs during an attempt: claims, settles and times out attempts. Each input names its attempt, so that a duplicate
// input changes nothing.
import type { ProgramAction } from "#schema/definition/action.ts";
import type { Input } from "#schema/engine/input.ts";
import type { ActionError, Outcome } from "#schema/engine/outcome.ts";
import { refuse } from "#schema/refusal.ts";
import { firstStartOf, type Redrive, type Run } from "#schema/engine/run.ts";
import {
  sendResultEvent,
  sendRunEvent,
  failUnevaluableRun,
  failRun,
  cancelAbandoned,
  statusOf,
} from "./run-endings.ts";
import type { RefusalOrNull } from "./control.ts";
import { isCollecting, loseCollection } from "./reconciling/collect.ts";
import { carriedRunToClaim, isRepeatedClaim, isRedelivery, isClaimedBy, withoutClaimant } from "./attempts.ts";
import { withoutHandling } from "./retries/handled.ts";
import { holdClaimed, skipClaimed, passWindow, expireRun, isAtAnyHour } from "./due/holds.ts";
import { holdForQuietHours } from "./due/quiet-hours.ts";
import { listExpectedChild, storeStartedChild } from "./children/children.ts";
import { limitsFor } from "./limits/key-limits.ts";
import { capFor } from "./subject/subject.ts";
import { recordExpectedTask, storeTouchedTasks } from "./tasks/open-tasks.ts";
import { render } from "../language/render.ts";
import { isBeyondBudget, policyFor, resolveRetry, retryDelayMs, shouldRetry } from "./retries/retry.ts";
import { runInAttempt } from "./new-run.ts";
import { resend } from "./runs.ts";
import { refuseConfig } from "./state-bytes.ts";
import {
  actionOf,
  changeState,
  changeRun,
  nextChance,
  addEntry,
  runOf,
  scopeOfRun,
  type Step,
} from "./current-step.ts";

type ClaimInput = Extract<Input, { kind: "claim" }>;
type UndeliverableInput = Extract<Input, { kind: "undeliverable" }>;

/**
 * Claims an attempt. The caller reads from the resulting state whether the attempt has started. If the message's own
 * run is settled, the message may claim the run that the settlement's response carried.
 */
export function claim(step: Step, claimed: ClaimInput): RefusalOrNull {
  const refused = claimOne(step, claimed);
  const carried = refused === null ? null : carriedRunToClaim(step, claimed.by);
  return carried === null ? refused : claimOne(step, { ...claimed, ...carried });
}

function claimOne(step: Step, claimed: ClaimInput): RefusalOrNull {
  const { run: id, attempt, by } = claimed;
  const run = runOf(step, id);
  if (!run)
    return refuse({ code: "run_stale", message: `the execution has no run ${id}, or no longer stores this run` });
  const isThisAttempt = run.attempt === attempt;
  if (isThisAttempt && isRepeatedClaim(run, by)) return null;
  if (!isThisAttempt || (run.status !== "queued" && !isRedelivery(step, run, by))) {
    const message = `attempt ${attempt} of run ${id} cannot be claimed: the run has the status ${run.status} and the current attempt ${run.attempt}`;
    return refuse({ code: "run_stale", message });
  }
  // The run is abandoned and the consumer of its running attempt has crashed. The attempt is ended, and no new one
  // starts.
  if (run.status === "running" && run.unwanted) {
    loseAttempt(step, run);
    return null;
  }
  const action = actionOf(step, run.action);
  const open = expireRun(step, run, action) ? null : runInOpenWindow(step, run, action);
  return open === null ? null : startAttempt(step, open, action, claimed);
}

/**
 * The message of the attempt may arrive after the window has closed. Returns the run if its window is open or its
 * attempt has already started; otherwise null.
 */
function runInOpenWindow(step: Step, run: Run, action: ProgramAction): Run | null {
  const isBegun = run.attempts.some(({ attempt }) => attempt === run.attempt);
  return isBegun ? run : passWindow(step, run, action, run.attempt);
}

function startAttempt(step: Step, run: Run, action: ProgramAction, { attempt, lane, by }: ClaimInput): null {
  const { id } = run;
  const rendered =
    run.config === null
      ? render(run.edit ?? action.config, scopeOfRun(step, run), step.work, { hasLink: run.type === "email" })
      : ({ ok: true, value: run.config } as const);
  if (!rendered.ok) {
    failUnevaluableRun(step, run, rendered.error.message);
    return null;
  }
  const config = rendered.value as NonNullable<Run["config"]>; // The rendering of an object is an object.
  const full =
    (run.config === null ? refuseConfig(step, config) : null) ??
    recordExpectedTask(step, run, config) ??
    listExpectedChild(step, run, config);
  if (full) {
    failRun(step, run, full);
    return null;
  }
  const capped = capFor(step, run, action);
  if (!capped.ok) {
    failUnevaluableRun(step, run, capped.why);
    return null;
  }
  const limited = limitsFor(step, capped.run, action);
  if (!limited.ok) {
    failUnevaluableRun(step, run, limited.why);
    return null;
  }
  const ignoresQuietHours = action.quietHours === "ignore" || isAtAnyHour(run, attempt);
  changeRun(step, runInAttempt(step, capped.run, action, { attempt, lane, by, config }), {
    ...(capped.cap ? { cap: capped.cap } : {}),
    ...(limited.limits ? { limits: limited.limits } : {}),
    ...(ignoresQuietHours ? { quietHours: "ignore" } : {}),
  });
  addEntry(step, { kind: "run_claimed", run: id, attempt, config: run.config === null ? config : null });
  changeState(step, { lastAction: statusOf(run, step.now, { inProgress: true }) });
  return null;
}

/**
 * Settles an attempt. A late success counts, because the effect has happened, unless the next attempt has started. It
 * counts even after the run has ended, and then resolves the run's dead letter. A late failure changes nothing.
 */
export function settle(step: Step, id: string, attempt: number, outcome: Outcome): RefusalOrNull {
  const run = runOf(step, id);
  const isLastBegun = run !== undefined && run.status !== "ok" && run.attempts.at(-1)?.attempt === attempt;
  if (!isLastBegun || !(outcome.ok || run.status === "running")) {
    return refuse({
      code: "run_stale",
      message: `attempt ${attempt} of run ${id} already has a result or was replaced`,
    });
  }
  if (attempt <= (run.redriven?.attemptsBeforeEdit ?? 0)) {
    const message = `attempt ${attempt} of run ${id} was sent before the run was changed; the changed run is sent separately`;
    return refuse({ code: "run_stale", message });
  }
  if (!outcome.ok && outcome.held) {
    if (outcome.quietHours === undefined) holdClaimed(step, run, attempt, outcome.held);
    else holdForQuietHours(step, run, attempt, outcome.quietHours);
    return null;
  }
  if (!outcome.ok && outcome.skipped) {
    skipClaimed(step, run, attempt, outcome.skipped, outcome.nextAt);
    return null;
  }
  addEntry(step, { kind: "run_settled", run: id, attempt, outcome });
  if (outcome.ok) succeed(step, endAttempt(step, run, attempt, null, { spent: outcome.costEstimate }), outcome);
  else failAttempt(step, run, outcome.error, outcome);
  return null;
}

/**
 * Fails an attempt whose message was delivered ten times without a claim or settlement. The retry policy applies as
 * after any failure. If another message holds the claim, this input is refused.
 */
export function undeliverable(step: Step, { run: id, attempt, message: of }: UndeliverableInput): RefusalOrNull {
  const run = runOf(step, id);
  if (!run || run.attempt !== attempt || (run.status !== "queued" && run.status !== "running")) {
    return refuse({ code: "run_stale", message: `attempt ${attempt} of run ${id} is no longer the current attempt` });
  }
  if (run.status === "running" && !isClaimedBy(run, of)) {
    return refuse({
      code: "run_stale",
      message: `attempt ${attempt} of run ${id} is already claimed by another message`,
    });
  }
  const message = "the queue stopped delivering the message, because the execution's object could not be reached";
  const isBegun = run.attempts.some((each) => each.attempt === attempt);
  const error = { type: "service_unavailable", code: "undeliverable", message, retryable: true };
  failAttempt(step, run, isBegun ? { ...error, effect: "unknown" } : error);
  return null;
}

/**
 * Fails an attempt that was not settled before its deadline. Its effect is unknown. The next attempt uses the same
 * idempotency key.
 */
export function timeOut(step: Step, run: Run): void {
  const message = `attempt ${run.attempt} got no response before its deadline; the engine does not know whether the attempt took effect`;
  failAttempt(step, run, { type: "timeout", message, retryable: true });
}

/**
 * Recovers direct calls that were in progress when the object restarted. Their effect is unknown, so the same attempt
 * is sent again with the same key. In a paused execution the attempt waits for its deadline instead. The attempt of an
 * abandoned run is not sent again.
 */
export function recoverOrphaned(step: Step, ids: readonly string[]): null {
  if (ids.some((id) => isCollecting(step, id))) loseCollection(step);
  for (const run of step.state.runs) {
    if (run.status !== "running" || !ids.includes(run.id)) continue;
    if (run.unwanted) loseAttempt(step, run);
    // The earlier message has arrived, because the attempt was claimed. The message sent now therefore counts as the
    // first one, which makes the next resend follow soon.
    else if (step.state.status !== "paused") resend(step, run, "object_restarted", 0);
  }
  return null;
}

function loseAttempt(step: Step, run: Run): void {
  const message = `the queue consumer that ran attempt ${run.attempt} stopped; the engine does not know whether the attempt took effect`;
  failAttempt(step, run, { type: "unknown_error", message, retryable: true, effect: "unknown" });
}

function succeed(step: Step, run: Run, outcome: Extract<Outcome, { ok: true }>): void {
  const costEstimate = totalCost(run, outcome.costEstimate);
  const done = changeRun(step, run, {
    status: "ok",
    ...withoutHandling(run),
    result: outcome.result,
    error: null,
    reason: null,
    deadLetter: false,
    finishedAt: step.now,
    dueAt: null,
    deadlineAt: null,
    costEstimate,
  });
  changeState(step, { lastAction: statusOf(done, run.claimedAt, { succeeded: true }) });
  addEntry(step, { kind: "run_ok", run: run.id, action: run.action });
  storeTouchedTasks(step, run, outcome.tasks ?? []);
  storeStartedChild(step, done);
  // The program has already received the success that an operator assumed.
  if (run.assumed) return;
  for (const event of outcome.events) sendRunEvent(step, done, event.type, event.payload);
  sendResultEvent(step, done, "ok", { result: outcome.result });
}

type FailureDetails = Pick<Extract<Outcome, { ok: false }>, "retryAfterMs" | "costEstimate" | "events">;

function failAttempt(step: Step, run: Run, error: ActionError, details: FailureDetails = {}): void {
  const { attempt } = run;
  const { retryAfterMs, costEstimate: spent, events = [] } = details;
  if (run.unwanted) return endAbandonedAttempt(step, run, error, spent);
  const policy = policyFor(resolveRetry(actionOf(step, run.action).retryPolicy, "default"), error);
  const { attemptsBefore, once }: Pick<Redrive, "attemptsBefore" | "once"> = run.redriven ?? { attemptsBefore: 0 };
  const verdict = shouldRetry(once ? { ...policy, maxAttempts: 1 } : policy, error, attempt - attemptsBefore);
  const costEstimate = totalCost(run, spent);
  if (!verdict.retry) {
    failRun(step, changeRun(step, endAttempt(step, run, attempt, error, { spent }), { costEstimate }), error);
    for (const { type, payload } of events) sendRunEvent(step, run, type, payload);
    return;
  }
  const dueAt = step.now + retryDelayMs(policy, attempt - attemptsBefore, nextChance(step), retryAfterMs);
  const first = run.attempts.find((each) => each.attempt > attemptsBefore);
  if (isBeyondBudget(policy, first ? firstStartOf(first) : step.now, dueAt)) {
    const ended = endAttempt(step, run, attempt, error, { spent });
    failRun(step, changeRun(step, ended, { costEstimate, reason: "time_budget_spent" }), error);
    return;
  }
  const ended = endAttempt(step, run, attempt, error, { spent, nextAttemptAt: dueAt });
  changeRun(step, ended, { status: "retry", dueAt, error, deadlineAt: null, costEstimate });
  changeState(step, { lastAction: statusOf(run, run.claimedAt, { errorMessage: error.message }) });
  addEntry(step, { kind: "run_retry", run: run.id, attempt, dueAt, error });
}

/**
 * Ends the attempt of an abandoned run. No retry policy applies, because the run has no next attempt and becomes no
 * dead letter.
 */
function endAbandonedAttempt(step: Step, run: Run, error: ActionError, spent: number | undefined): void {
  const ended = endAttempt(step, run, run.attempt, error, { spent });
  changeState(step, { lastAction: statusOf(run, run.claimedAt, { errorMessage: error.message }) });
  cancelAbandoned(step, changeRun(step, ended, { costEstimate: totalCost(run, spent), error }));
}

function endAttempt(
  step: Step,
  run: Run,
  attempt: number,
  error: ActionError | null,
  { spent, nextAttemptAt = null }: { readonly spent: number | undefined; readonly nextAttemptAt?: number | null },
): Run {
  const cost = spent === undefined ? {} : { costEstimate: spent };
  const attempts = run.attempts.map((each) =>
    each.attempt === attempt ? { ...each, endedAt: step.now, error, nextAttemptAt, ...cost } : each,
  );
  return changeRun(step, withoutClaimant(run), { attempts });
}

/** The cost of all attempts so far; null if the action states no price. */
function totalCost({ costEstimate }: Run, spent: number | undefined): number | null {
  return spent === undefined ? costEstimate : (costEstimate ?? 0) + spent;
}
