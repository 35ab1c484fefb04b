// The collector of a reconciler: an action that makes observations repeatedly. Its run is created and claimed like
// other runs, but stored outside the list of runs. It may run every second, so it has no journal entries and no dead
// letter. It changes nothing outside the engine, so a lost or failed collection is simply repeated. After failures the
// interval grows, without a limit on the number.
import type { Input } from "#schema/engine/input.ts";
import type { Run } from "#schema/engine/run.ts";
import type { ActionError, Hold, Outcome } from "#schema/engine/outcome.ts";
import type { Collecting, Reconciling } from "#schema/engine/reconciling.ts";
import { isFinalStatus } from "#schema/engine/state.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { OBSERVED_BYTES_MAX } from "#schema/limits/definition-sizes.ts";
import { HOLD_MS_MAX, HOLD_MS_MIN } from "#schema/limits/run-attempts.ts";
import { refuse } from "#schema/refusal.ts";
import { assert } from "../../assert.ts";
import { isPlainObject, jsonBytes } from "../../language/json-values.ts";
import { evaluate } from "../../language/logic.ts";
import { render } from "../../language/render.ts";
import type { Collector } from "../program.ts";
import type { RefusalOrNull } from "../control.ts";
import { overdueAt, resendAt } from "../../waiting/deadlines.ts";
import { laneFor, slowTimeout } from "../attempts.ts";
import { actionOf, currentState, isPausedOrSuspended, addEntry, scopeFor, type Step } from "../current-step.ts";
import { newRun, runInAttempt } from "../new-run.ts";
import { reconcilingOf, changeReconciling, storeObservation } from "./revisions.ts";

type Collection = {
  readonly reconciling: Reconciling;
  readonly collecting: Collecting;
  readonly run: Run;
  readonly by: Collector;
};

/** The collection in progress. It exists, because the caller has checked `isCollecting`. */
function currentCollection(step: Step): Collection {
  const reconciling = reconcilingOf(step);
  const { collecting } = reconciling;
  assert(collecting?.run, "the collector is already making an observation");
  return { reconciling, collecting, run: collecting.run, by: collectorOf(step) };
}

function collectorOf({ program }: Step): Collector {
  const by = program.ticks?.collector;
  assert(by, "a definition must have a collector if its execution runs a collector");
  return by;
}

export function isCollecting({ state: { reconciling } }: Step, run: string): boolean {
  return reconciling?.collecting?.run?.id === run;
}

/** Called in each step: ends a collection that is lost, and starts a collection that is due. */
export function collectWhenDue(step: Step): void {
  const { status, position } = step.state;
  const { collecting } = reconcilingOf(step);
  if (collecting === null || isFinalStatus(status) || position.done) return;
  if (collecting.run !== null) giveUpIfLost(step, collecting, collecting.run);
  const rested = reconcilingOf(step);
  const isDue = rested.collecting?.run === null && rested.collecting.dueAt <= step.now;
  if (isDue && !isPausedOrSuspended(step)) startCollection(step, rested, { ...collecting, ...rested.collecting });
}

function giveUpIfLost(step: Step, collecting: Collecting, run: Run): void {
  if (run.status === "queued" && resendAt(run) <= step.now) collectAgain(step, collecting);
  if (run.status === "running" && overdueAt(run) <= step.now) failCollection(step, collecting, NO_ANSWER);
}

/** Stops the observation because the execution ends. The engine aborts a collection that is in flight. */
export function stopCollecting(step: Step): void {
  const { reconciling } = step.state;
  if (!reconciling?.collecting) return;
  const { run } = reconciling.collecting;
  if (run?.status === "running") step.effects.push({ kind: "abort", run: run.id, attempt: run.attempt });
  changeReconciling(step, reconciling, { collecting: null });
}

const NO_ANSWER: ActionError = {
  type: "timeout",
  message: "the action got no response before its deadline",
  retryable: true,
};

function startCollection(step: Step, reconciling: Reconciling, collecting: Collecting): void {
  const by = collectorOf(step);
  const action = actionOf(step, by.action);
  const lane = laneFor(step, action, []);
  if (lane === "direct") step.room -= 1;
  const run: Run = { ...newRun(step, action, 0), status: "queued", dueAt: null, attempt: 1, lane, sentAt: step.now };
  changeReconciling(step, reconciling, { collecting: { ...collecting, run } });
  const slow = lane === "queue" ? slowTimeout(action) : {};
  step.effects.push({ kind: "dispatch", run: run.id, attempt: 1, priority: run.priority, lane, ...slow });
}

/** Processes an input about the collection. The runs of the execution are not changed, and no result event is sent. */
export function applyCollectionInput(step: Step, input: LaterInput): RefusalOrNull {
  if (input.kind === "claim") return claimCollection(step, input);
  if (input.kind === "settle") return settleCollection(step, input.run, input.outcome);
  if (input.kind === "undeliverable") return loseCollection(step);
  const message = "the collector of a reconciler starts automatically; it cannot be started or retried as a run";
  return refuse({
    code: "run_not_startable",
    message,
    hint: "Send an observation, or wait for the collector's next observation.",
  });
}

type LaterInput = Exclude<Input, { kind: "start" }>;

/** Claims the collection like any run: its config is rendered and stored, and it gets a deadline. */
function claimCollection(
  step: Step,
  { run: id, attempt, lane, by: claimant }: Extract<Input, { kind: "claim" }>,
): RefusalOrNull {
  const { run, reconciling, collecting } = currentCollection(step);
  if (attempt !== 1) return refuseStale(id);
  if (run.status === "running" && claimant !== undefined && run.claimedBy?.arrival === claimant.arrival) return null;
  if (run.status !== "queued") return refuseStale(id);
  const action = actionOf(step, run.action);
  const scope = scopeFor(step, { message: null, previousState: null, currentState: currentState(step.state) });
  const config = render(action.config, scope, step.work);
  if (!config.ok) {
    failCollection(step, collecting, config.error);
    return null;
  }
  const value = config.value as JsonObject; // The rendering of an object is an object.
  const running = runInAttempt(step, run, action, { attempt, lane, by: claimant, config: value });
  changeReconciling(step, reconciling, { collecting: { ...collecting, run: running } });
  step.hasUnjournaledChange = true;
  return null;
}

function settleCollection(step: Step, id: string, outcome: Outcome): RefusalOrNull {
  const found = currentCollection(step);
  if (found.run.status !== "running") return refuseStale(id);
  if (outcome.ok) finishCollection(step, found, outcome.result);
  else if (outcome.held) postponeCollection(step, found, outcome.held);
  else failCollection(step, found.collecting, outcome.error, outcome.retryAfterMs);
  return null;
}

/**
 * Starts the collection again because its attempt was lost: it could not be claimed or settled, or the object
 * restarted.
 */
export function loseCollection(step: Step): null {
  collectAgain(step, currentCollection(step).collecting);
  return null;
}

function finishCollection(step: Step, { run, collecting, by }: Collection, result: Json): void {
  const observed = observationIn(step, by, result);
  if ("error" in observed) return failCollection(step, collecting, observed.error);
  if (collecting.failures > 0) addEntry(step, { kind: "collector_recovered", failures: collecting.failures });
  const began = Number(run.claimedAt); // The run is settled, so it was claimed, and `claimedAt` is not null.
  storeObservation(step, observed.value, began);
  const { actedAt } = reconcilingOf(step);
  // An action has ended after this observation began, so the observation may miss the action's result. The next
  // observation therefore starts immediately.
  const isTooEarly = actedAt !== null && began < actedAt;
  const dueAt = isTooEarly ? step.now : Math.max(began + by.everyMs, step.now);
  scheduleCollection(step, { dueAt, failures: 0, error: null });
}

function observationIn(
  step: Step,
  { observationRule }: Collector,
  result: Json,
): { value: JsonObject } | { error: ActionError } {
  const scope = scopeFor(step, { message: null, previousState: null, currentState: currentState(step.state) });
  const taken =
    observationRule === null
      ? ({ ok: true, value: result } as const)
      : evaluate(observationRule, { ...scope, result }, step.work);
  if (!taken.ok) return { error: notAnObservation(`/collector/observed: ${taken.message}`) };
  const { value } = taken;
  if (!isPlainObject(value)) return { error: notAnObservation("the collector's result is not an object") };
  const bytes = jsonBytes(value);
  const message = `the collector's result takes ${bytes} bytes; the limit is ${OBSERVED_BYTES_MAX} (OBSERVED_BYTES_MAX)`;
  return bytes > OBSERVED_BYTES_MAX ? { error: notAnObservation(message) } : { value: value as JsonObject }; // A property of a JSON object is JSON.
}

function notAnObservation(message: string): ActionError {
  return { type: "invalid_configuration", code: "not_an_observation", message, retryable: true };
}

/** Postpones the collection. No attempt was made, so the collector's failures are not counted up. */
function postponeCollection(step: Step, { collecting }: Collection, { until }: Hold): void {
  const dueAt = Math.min(Math.max(until, step.now + HOLD_MS_MIN), step.now + HOLD_MS_MAX);
  scheduleCollection(step, { dueAt, failures: collecting.failures, error: collecting.error });
}

function failCollection(step: Step, collecting: Collecting, error: ActionError, retryAfterMs = 0): void {
  const failures = collecting.failures + 1;
  const { baseMs, multiplier, maxMs } = collectorOf(step).backoff;
  const waitMs = Math.max(Math.min(baseMs * multiplier ** (failures - 1), maxMs), Math.min(retryAfterMs, HOLD_MS_MAX));
  const dueAt = step.now + Math.max(waitMs, 1);
  scheduleCollection(step, { dueAt, failures, error });
  // The same error is recorded only the first time, so that a long failure does not fill the journal.
  if (collecting.error?.type === error.type && collecting.error.code === error.code) return;
  addEntry(step, { kind: "collector_failed", failures, error, nextAt: dueAt });
}

function collectAgain(step: Step, { failures, error }: Collecting): void {
  scheduleCollection(step, { dueAt: step.now, failures, error });
}

function scheduleCollection(step: Step, part: Omit<Collecting, "run">): void {
  changeReconciling(step, reconcilingOf(step), { collecting: { run: null, ...part } });
  step.hasUnjournaledChange = true;
}

function refuseStale(id: string): RefusalOrNull {
  return refuse({ code: "run_stale", message: `the execution has no run ${id}, or no longer stores this run` });
}
