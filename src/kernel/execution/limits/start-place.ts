// Start place: delays the first move of an execution until the limits on its start admit it, and releases its place
// after its end. The limits' objects decide; this file applies their answers.
import type { KeyLimit } from "#schema/definition/key-limit.ts";
import type { Command, StartCommand } from "#schema/engine/input.ts";
import type { Confirmation } from "#schema/engine/outbox.ts";
import { isBeforeFirstMove, type StartHold, type StartPlace, type StartSkip } from "#schema/key-limits/start-place.ts";
import { isFinalStatus } from "#schema/engine/state.ts";
import { refuse } from "#schema/refusal.ts";
import { assert } from "../../assert.ts";
import { endOpenWork, type RefusalOrNull } from "../control.ts";
import { addEntry, changeState, requestVerdict, scopeFor, type Step } from "../current-step.ts";
import { addToOutbox, outboxOf } from "../outbox/own-outbox.ts";
import { beginReconciling } from "../reconciling/due-ticks.ts";
import { deriveFirstDesired } from "../reconciling/derived-desired.ts";
import { firstMove } from "../restart/first-move.ts";
import { programAt } from "./before-first-move.ts";
import { keysOf, type UnusableKey } from "./key-limits.ts";

const ENGINE = { kind: "engine", id: "engine" } as const;

/** Makes the first move of an execution. */
export function makeFirstMove(
  step: Step,
  { desired = {}, restart, trigger }: Pick<StartCommand, "desired" | "restart" | "trigger">,
): RefusalOrNull {
  beginReconciling(step, desired);
  const input = { ...(restart === undefined ? {} : { restart }), ...(trigger === undefined ? {} : { trigger }) };
  return deriveFirstDesired(step) ?? firstMove(step, input);
}

/** Stores the limits on the start instead of making the first move. Refuses the start if a key is unusable. */
export function deferFirstMove(
  step: Step,
  { desired, restart, trigger }: StartCommand,
  written: readonly KeyLimit[],
): RefusalOrNull {
  const { name } = step.program.definition;
  const scope = scopeFor(step, { message: null, previousState: null, currentState: "" });
  const found = keysOf(written, scope, step.work, (limit, n) => limit.name ?? `${name}/${n}`);
  if (!found.ok) return refuseKey(found);
  const limits = found.limits.map((limit) => ({ ...limit, terms: { ...limit.terms, of: "starts" as const } }));
  const deferred = { ...(desired && { desired }), ...(restart && { restart }), ...(trigger && { trigger }) };
  changeState(step, { startPlace: { limits, places: [], hold: null, admittedAt: null, deferred } });
  step.program = programAt(step.program, step.state);
  if (restart) {
    const { execution, incarnation, from, made } = restart;
    changeState(step, { restartOf: { execution, incarnation, from, made } });
  }
  // The caller of the start asks the limits. The message is sent only if that caller is lost.
  addToOutbox(step, "start_place", String(step.seq), "caller");
  return null;
}

function refuseKey({ why, position, rule }: UnusableKey): RefusalOrNull {
  const hint = `Send the variables that the rule "limit/${position}/key" of the definition reads: ${JSON.stringify(rule).slice(0, 200)}.`;
  const errors = [{ pointer: "/variables", code: "no_limit_key", message: why, hint }];
  return refuse({ code: "invalid_input", message: `The execution cannot start: ${why}.`, hint, errors });
}

/** Adds a message to the limits if the execution should ask again now. */
export function askForPlaceWhenDue(step: Step): void {
  const { startPlace } = step.state;
  if (startPlace?.deferred === undefined || startPlace.hold === null || startPlace.hold.until > step.now) return;
  if (outboxOf(step.state).some(({ kind }) => kind === "start_place")) return;
  addToOutbox(step, "start_place", String(step.seq));
  step.hasUnjournaledChange = true;
}

/** Called when the execution has ended: adds a message that releases its slots and places. */
export function releasePlace(step: Step): void {
  if (step.state.startPlace) addToOutbox(step, "start_place", String(step.seq));
}

/** Applies an answer of the limits, to a message of the execution or after a slot became free. */
export function applyStartPlace(step: Step, item: Extract<Confirmation, { kind: "start_place" }>): void {
  const { startPlace, status } = step.state;
  if (startPlace === undefined) return;
  const { answer, places, key } = item;
  const pending = outboxOf(step.state).find(({ kind }) => kind === "start_place");
  if (isFinalStatus(status)) {
    if (pending?.key === key) dropMessage(step);
    // The limits may have given a place after the release, so the execution releases it again.
    if (answer.kind === "released") return;
    step.hasUnjournaledChange = true;
    return releasePlace(step);
  }
  if (!isBeforeFirstMove(step.state) || startPlace.admittedAt !== null || answer.kind === "released") return;
  if (pending) dropMessage(step);
  switch (answer.kind) {
    case "admitted":
      addEntry(step, { kind: "start_admitted", waitedMs: step.now - step.state.createdAt });
      changeState(step, { startPlace: { ...startPlace, places, hold: null, admittedAt: step.now } });
      return;
    case "held": {
      const { kind: _kind, ...hold } = answer;
      return holdStart(step, { ...startPlace, places }, hold);
    }
    case "skipped": {
      const { kind: _kind, ...skipped } = answer;
      return skipStart(step, { ...startPlace, places }, skipped);
    }
  }
}

function dropMessage(step: Step): void {
  changeState(step, { outbox: outboxOf(step.state).filter(({ kind }) => kind !== "start_place") });
  step.hasUnjournaledChange = true;
}

/** Only a new reason is written to the journal, because an execution may ask many times. */
function holdStart(step: Step, startPlace: StartPlace, hold: StartHold): void {
  const { hold: before } = startPlace;
  if (before?.limit !== hold.limit || before.reason !== hold.reason) addEntry(step, { kind: "start_held", ...hold });
  changeState(step, { startPlace: { ...startPlace, hold } });
  step.hasUnjournaledChange = true;
}

function skipStart(step: Step, startPlace: StartPlace, skipped: StartSkip): void {
  const { reason } = skipped;
  addEntry(step, { kind: "start_skipped", ...skipped });
  addEntry(step, { kind: "canceled", actor: ENGINE, reason });
  changeState(step, {
    startPlace: { ...startPlace, hold: null, skipped },
    status: "canceled",
    pausedAt: null,
    error: null,
    reason,
  });
  endOpenWork(step, "execution_canceled");
}

/** Before the first move, there is nothing that most commands could change. */
export function refuseBeforeFirstMove({ state }: Step, { kind }: { readonly kind: Command["kind"] }): RefusalOrNull {
  if (!isBeforeFirstMove(state) || POSSIBLE.has(kind)) return null;
  const message = "the execution waits for its place at a limit on starts, so this command is not possible yet";
  const hint = "Wait until the execution begins, or cancel it. GET /v1/executions/{id}/explain shows its place.";
  return refuse({ code: "verb_not_applicable", message, hint });
}

const POSSIBLE: ReadonlySet<Command["kind"]> = new Set(["event", "patch", "pause", "resume", "cancel"]);

/** Makes the deferred first move of an admitted execution. A paused execution makes it after its resume. */
export function beginWhenAdmitted(step: Step): void {
  const { startPlace, status } = step.state;
  if (startPlace?.deferred === undefined || startPlace.admittedAt === null) return;
  if (status === "paused" || isFinalStatus(status)) return;
  const { deferred, ...place } = startPlace;
  const { whole } = step.program;
  assert(whole, "an execution before its first move must have the program that makes this move");
  step.program = whole;
  changeState(step, { startPlace: place });
  const refused = makeFirstMove(step, deferred);
  if (refused === null) return;
  const { code, message } = refused.refusal;
  requestVerdict(step, { kind: "fail", error: { type: code, message, retryable: false }, atOnce: true });
}
