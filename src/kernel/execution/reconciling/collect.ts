// The collector of a reconciler: an action that observes repeatedly. Its run is created and claimed like other runs,
// but stored beside them: it may run every second, so it writes no journal entry, is in no list and has no dead letter.
// It changes nothing outside, so a lost collection is repeated, and a failed collection is repeated without end at
// growing intervals.
import type { Input } from "#schema/engine/input.ts";
import type { Run } from "#schema/engine/run.ts";
import type { ActionError, Hold, Outcome } from "#schema/engine/outcome.ts";
import type { Collecting, Reconciling } from "#schema/engine/reconciling.ts";
import { isFinalStatus } from "#schema/engine/state.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { OBSERVED_BYTES_MAX } from "#schema/limits/definitions/reconciler-times.ts";
import { HOLD_MS_MAX, HOLD_MS_MIN } from "#schema/limits/retry-waits.ts";
import { refuse } from "#schema/refusal.ts";
import { assert } from "../../assert.ts";
import { isPlainObject, jsonBytes } from "../../language/json-values.ts";
import { evaluate } from "../../language/logic.ts";
import { render } from "../../language/render.ts";
import type { Collector } from "../program.ts";
import type { RefusalOrNull } from "../control.ts";
import { overdueAt, resendAt } from "../../waiting/deadlines.ts";
import { laneFor, slowness } from "../attempts.ts";
import { actionOf, currentState, isHeldUp, note, scopeFor, type Step } from "../current-step.ts";
import { newRun, runInAttempt } from "../new-run.ts";
import { ownOf, reconcile, takeObservation } from "./revisions.ts";

type InHand = {
  readonly reconciling: Reconciling;
  readonly collecting: Collecting;
  readonly run: Run;
  readonly by: Collector;
};

/** The collection in progress. Only called if `isCollecting` is true. */
function inHand(step: Step): InHand {
  const reconciling = ownOf(step);
  const { collecting } = reconciling;
  assert(collecting?.run, "an observation is in progress");
  return { reconciling, collecting, run: collecting.run, by: collectorOf(step) };
}

function collectorOf({ program }: Step): Collector {
  const by = program.ticks?.collector;
  assert(by, "a definition whose execution collects has a collector");
  return by;
}

export function isCollecting({ state: { reconciling } }: Step, run: string): boolean {
  return reconciling?.collecting?.run?.id === run;
}

/** Called in each step: gives up a lost collection, and starts one that is due. */
export function collectWhenDue(step: Step): void {
  const { status, position } = step.state;
  const { collecting } = ownOf(step);
  if (collecting === null || isFinalStatus(status) || position.done) return;
  if (collecting.run !== null) giveUp(step, collecting, collecting.run);
  const rested = ownOf(step);
  const isDue = rested.collecting?.run === null && rested.collecting.dueAt <= step.now;
  if (isDue && !isHeldUp(step)) send(step, rested, { ...collecting, ...rested.collecting });
}

function giveUp(step: Step, collecting: Collecting, run: Run): void {
  if (run.status === "queued" && resendAt(run) <= step.now) again(step, collecting);
  if (run.status === "running" && overdueAt(run) <= step.now) fail(step, collecting, NO_ANSWER);
}

/** Ends observation, because the execution ends. A run in flight is aborted. */
export function stopCollecting(step: Step): void {
  const { reconciling } = step.state;
  if (!reconciling?.collecting) return;
  const { run } = reconciling.collecting;
  if (run?.status === "running") step.effects.push({ kind: "abort", run: run.id, attempt: run.attempt });
  reconcile(step, reconciling, { collecting: null });
}

const NO_ANSWER: ActionError = {
  type: "timeout",
  message: "the action got no response before its deadline",
  retryable: true,
};

function send(step: Step, reconciling: Reconciling, collecting: Collecting): void {
  const by = collectorOf(step);
  const action = actionOf(step, by.action);
  const lane = laneFor(step, action, []);
  if (lane === "direct") step.room -= 1;
  const run: Run = { ...newRun(step, action, 0), status: "queued", dueAt: null, attempt: 1, lane, sentAt: step.now };
  reconcile(step, reconciling, { collecting: { ...collecting, run } });
  const slow = lane === "queue" ? slowness(action) : {};
  step.effects.push({ kind: "dispatch", run: run.id, attempt: 1, priority: run.priority, lane, ...slow });
}

/** Processes an input about the collection, separately from the execution's runs and without their consequences. */
export function takeCollection(step: Step, input: Given): RefusalOrNull {
  if (input.kind === "claim") return claimCollection(step, input);
  if (input.kind === "settle") return settleCollection(step, input.run, input.outcome);
  if (input.kind === "undeliverable") return loseCollection(step);
  const message = "the collector of a reconciler starts automatically, so it cannot be started or retried as a run";
  return refuse({ code: "run_not_startable", message, hint: "Send an observation, or wait for the next one." });
}

type Given = Exclude<Input, { kind: "start" }>;

/** Claims the collection like any run: its config is rendered and stored, and it gets a deadline. */
function claimCollection(
  step: Step,
  { run: id, attempt, lane, by: claimant }: Extract<Input, { kind: "claim" }>,
): RefusalOrNull {
  const { run, reconciling, collecting } = inHand(step);
  if (attempt !== 1) return stale(id);
  if (run.status === "running" && claimant !== undefined && run.claimedBy?.arrival === claimant.arrival) return null;
  if (run.status !== "queued") return stale(id);
  const action = actionOf(step, run.action);
  const scope = scopeFor(step, { message: null, previousState: null, currentState: currentState(step.state) });
  const config = render(action.config, scope, step.work);
  if (!config.ok) {
    fail(step, collecting, config.error);
    return null;
  }
  const value = config.value as JsonObject; // the config is an object, so its rendering is one
  const running = runInAttempt(step, run, action, { attempt, lane, by: claimant, config: value });
  reconcile(step, reconciling, { collecting: { ...collecting, run: running } });
  step.keeps = true;
  return null;
}

function settleCollection(step: Step, id: string, outcome: Outcome): RefusalOrNull {
  const found = inHand(step);
  if (found.run.status !== "running") return stale(id);
  if (outcome.ok) succeed(step, found, outcome.result);
  else if (outcome.held) hold(step, found, outcome.held);
  else fail(step, found.collecting, outcome.error, outcome.retryAfterMs);
  return null;
}

/** Starts the collection again, because it could not be claimed or settled, or its object restarted. */
export function loseCollection(step: Step): null {
  again(step, inHand(step).collecting);
  return null;
}

function succeed(step: Step, { run, collecting, by }: InHand, result: Json): void {
  const observed = observationIn(step, by, result);
  if ("error" in observed) return fail(step, collecting, observed.error);
  if (collecting.failures > 0) note(step, { kind: "collector_recovered", failures: collecting.failures });
  const began = Number(run.claimedAt); // a settled run has been claimed
  takeObservation(step, observed.value, began);
  const { actedAt } = ownOf(step);
  // The observation does not show the result of an action that ended meanwhile, so the next one starts at once.
  const isTooEarly = actedAt !== null && began < actedAt;
  const dueAt = isTooEarly ? step.now : Math.max(began + by.everyMs, step.now);
  rest(step, { dueAt, failures: 0, error: null });
}

function observationIn(step: Step, { takes }: Collector, result: Json): { value: JsonObject } | { error: ActionError } {
  const scope = scopeFor(step, { message: null, previousState: null, currentState: currentState(step.state) });
  const taken =
    takes === null ? ({ ok: true, value: result } as const) : evaluate(takes, { ...scope, result }, step.work);
  if (!taken.ok) return { error: notAnObservation(`/collector/observed: ${taken.message}`) };
  const { value } = taken;
  if (!isPlainObject(value)) return { error: notAnObservation("the collector's result is not an object") };
  const bytes = jsonBytes(value);
  const message = `the collector's result takes ${bytes} bytes; the limit is ${OBSERVED_BYTES_MAX} (OBSERVED_BYTES_MAX)`;
  return bytes > OBSERVED_BYTES_MAX ? { error: notAnObservation(message) } : { value: value as JsonObject }; // a part of plain JSON
}

function notAnObservation(message: string): ActionError {
  return { type: "invalid_configuration", code: "not_an_observation", message, retryable: true };
}

/** Postpones the collection. No attempt was made, so it is not counted as a failure. */
function hold(step: Step, { collecting }: InHand, { until }: Hold): void {
  const dueAt = Math.min(Math.max(until, step.now + HOLD_MS_MIN), step.now + HOLD_MS_MAX);
  rest(step, { dueAt, failures: collecting.failures, error: collecting.error });
}

function fail(step: Step, collecting: Collecting, error: ActionError, retryAfterMs = 0): void {
  const failures = collecting.failures + 1;
  const { baseMs, multiplier, maxMs } = collectorOf(step).backoff;
  const waitMs = Math.max(Math.min(baseMs * multiplier ** (failures - 1), maxMs), Math.min(retryAfterMs, HOLD_MS_MAX));
  const dueAt = step.now + Math.max(waitMs, 1);
  rest(step, { dueAt, failures, error });
  // Recorded once, so that a failure that lasts for days does not fill the journal.
  if (collecting.error?.type === error.type && collecting.error.code === error.code) return;
  note(step, { kind: "collector_failed", failures, error, nextAt: dueAt });
}

function again(step: Step, { failures, error }: Collecting): void {
  rest(step, { dueAt: step.now, failures, error });
}

function rest(step: Step, part: Omit<Collecting, "run">): void {
  reconcile(step, ownOf(step), { collecting: { run: null, ...part } });
  step.keeps = true;
}

function stale(id: string): RefusalOrNull {
  return refuse({ code: "run_stale", message: `the execution has no run ${id}, or no longer stores it` });
}
