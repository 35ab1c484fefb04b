// The entry point of the kernel: applies an input to a state. The result is a new state, effects and journal entries,
// or a refusal that changes nothing. The same arguments give the same bytes. Simulation, preview, replay and the live
// object all call it.
import type { Effect } from "#schema/engine/effect.ts";
import type { Command, Input } from "#schema/engine/input.ts";
import type { RepeatedRun, JournalEntry, UnmovedItem, TimerMove } from "#schema/engine/journal.ts";
import { PROJECT_BUSY_AFTER_MS } from "#schema/limits/executions.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import { refuse, type Refusal } from "#schema/refusal.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import { canArmWake } from "../waiting/next-instants.ts";
import { passTime } from "./clock.ts";
import { conclude } from "./conclude.ts";
import { begin, type StartInput, type StepSettings } from "./begin.ts";
import { cancel, patch, pause, resume, type RefusalOrNull } from "./control.ts";
import { processPending } from "./drive.ts";
import { receiveEvent } from "./early-events.ts";
import type { Pauses } from "../computing/work.ts";
import type { Program } from "./program.ts";
import { refuseUnknown } from "../known-inputs.ts";
import { keepReceipt, leavesReceipt, receiptOf, refuseForgetting, repeatOf, type Repeat } from "./receipts/receipts.ts";
import { erase, expireHistory } from "./erase.ts";
import { beginWhenAdmitted, refuseBeforeFirstMove } from "./limits/start-place.ts";
import { decide } from "./retries/decision.ts";
import { runNow } from "./verbs/dates.ts";
import { isCollecting, applyCollectionInput } from "./reconciling/collect.ts";
import { changeDesired, acceptObservation } from "./reconciling/revisions.ts";
import { deriveDesired } from "./reconciling/derived-desired.ts";
import { runDueTick, reconcileDue } from "./reconciling/due-ticks.ts";
import { wakeRun } from "./limits/wake-run.ts";
import { claim, recoverOrphaned, settle, undeliverable } from "./settle.ts";
import { isUnawaitedTaskEnd } from "./tasks/open-tasks.ts";
import { refuseEnding } from "./children/children-on-end.ts";
import { confirm } from "./outbox/outbox.ts";
import { applyVerb } from "./verbs/apply-verb.ts";
import { refuseOtherState } from "./verbs/target.ts";
import { withoutResult, addsToState, isSurelySmall, makeRoom, rowSizeError, refuseFull } from "./state-bytes.ts";
import { changeState, iso, openStep, runOf, TOO_COSTLY, type Step, requestVerdict } from "./current-step.ts";

export type AcceptedStep = {
  readonly ok: true;
  readonly state: ExecutionState;
  readonly effects: readonly Effect[];
  readonly entries: readonly JournalEntry[];
  readonly moves: readonly TimerMove[];
  readonly notMoved: readonly UnmovedItem[];
  readonly cameBack: readonly RepeatedRun[];
  /** True if the same input was accepted before. Nothing has changed, and the caller returns the earlier response. */
  readonly repeated: boolean;
  /**
   * The sequence number of the input's journal entries; for an input that was accepted before, the number of the first
   * time. null if the input wrote no entries, or if only a digest of its receipt is stored.
   */
  readonly seq: number | null;
  /** The cost units that the step used. */
  readonly work: number;
};
export type StepResult = AcceptedStep | { readonly ok: false; readonly refusal: Refusal };

/**
 * Applies one input. `pauses`: if given, a long computation may pause, and the step then starts again with the results
 * computed so far.
 */
export function step(
  program: Program,
  state: ExecutionState | null,
  input: Input,
  pauses: Pauses | null = null,
): StepResult {
  const unknown = refuseUnknown(input);
  if (unknown) return unknown;
  if (input.kind === "start") return state ? repeatStart(state, input) : beginAndClose({ program, pauses }, input);
  if (!state) return refuse({ code: "not_found", message: "the execution does not exist" });
  const repeat = "inputId" in input ? repeatOf(state, input) : null;
  if (repeat) return repeat.ok ? unchanged(state, repeat) : repeat;
  const isLiveCancel = input.kind === "cancel" && !isFinalStatus(state.status);
  const stepping = { program, pauses };
  return isLiveCancel ? cancelAlways(stepping, state, input) : applyAndClose(stepping, state, input);
}

function beginAndClose(stepping: StepSettings, input: StartInput): StepResult {
  const begun = begin(stepping, input);
  return "program" in begun ? close(begun, input) : begun;
}

type LaterInput = Exclude<Input, { kind: "start" }>;

/**
 * Cancels a live execution; this always succeeds. Due work is processed first, as for every input. If the due work
 * throws or ends the execution, it is left out. Due work throws if the engine has a bug, or if the state or definition
 * is unusable.
 */
function cancelAlways(
  stepping: StepSettings,
  state: ExecutionState,
  input: Extract<Input, { kind: "cancel" }>,
): StepResult {
  let fault: string | null = null;
  try {
    const result = applyAndClose(stepping, state, input);
    if (!result.ok && result.refusal.code === "state_changed") return result;
    const isCanceled = result.ok && result.state.status === "canceled";
    if (result.ok && result.state.ending && canArmWake(result.state, input.now)) return result;
    if (isCanceled && canArmWake(result.state, input.now)) return result;
    if (isCanceled) fault = "the next wake-up of the execution cannot be computed";
  } catch (broken) {
    if (stepping.pauses?.isPausing === true) throw broken;
    fault = String(broken); // The journal entry of the cancellation records the fault.
  }
  const current = open(stepping, state, input);
  const elsewhere = refuseOtherState(current, input.ifState);
  if (elsewhere) return elsewhere;
  cancel(current, input, fault);
  return close(current, input);
}

function applyAndClose(stepping: StepSettings, state: ExecutionState, input: LaterInput): StepResult {
  const current = applied(stepping, state, input);
  if (!("program" in current)) return current;
  beginWhenAdmitted(current);
  processPending(current);
  reconcileDue(current);
  const isSmall = isSurelySmall(current);
  if (!isSmall) makeRoom(current);
  const full = refuseLostReceipt(state, input) ?? (!isSmall && addsToState(input) ? refuseFull(current) : null);
  if (full) return full;
  const isSilent = current.entries.length === 0 && current.effects.length === 0;
  const isQuiet = isSilent && current.verdict === null && !current.hasUnjournaledChange;
  if (isQuiet && !isProjectionDue(current)) return unchanged(state, null);
  const closed = close(current, input);
  const error = isSmall ? null : rowSizeError(current);
  return error ? failInsteadOf(stepping, state, input, error) : closed;
}

/** Discards a step whose state exceeds a row, and fails the execution. An attempt's outcome is still recorded. */
function failInsteadOf(stepping: StepSettings, state: ExecutionState, input: Input, error: ActionError): StepResult {
  const current = open(stepping, state, input);
  if (input.kind === "settle") settle(current, input.run, input.attempt, withoutResult(input.outcome));
  requestVerdict(current, { kind: "fail", error, atOnce: true });
  return close(current, input);
}

function open({ program, pauses }: StepSettings, state: ExecutionState, input: Input): Step {
  return openStep(program, state, input, pauses);
}

function applied(stepping: StepSettings, state: ExecutionState, input: LaterInput): Step | NonNullable<RefusalOrNull> {
  const current = open(stepping, state, input);
  const refused = applyInput(current, input) ?? deriveDesired(current);
  if (!refused) return current;
  if (input.kind !== "pause" || current.state.error?.type !== TOO_COSTLY || isFinalStatus(state.status)) return refused;
  // The due work exceeds the step's budget. An operator must still be able to pause, so the pause comes before it.
  const again = open(stepping, state, input);
  return refuseOtherState(again, input.ifState) ?? pause(again, input) ?? again;
}

function applyInput(current: Step, input: LaterInput): RefusalOrNull {
  runDueTick(current);
  // Inputs about a single run are applied before due timers fire; all other inputs are applied afterwards.
  if ("run" in input && isCollecting(current, String(input.run))) return applyCollectionInput(current, input);
  if (input.kind === "claim") return claim(current, input);
  if (input.kind === "settle") return settle(current, input.run, input.attempt, input.outcome);
  if (input.kind === "undeliverable") return undeliverable(current, input);
  if (input.kind === "orphaned") return recoverOrphaned(current, input.runs);
  if (input.kind === "confirmed") return confirm(current, input);
  if (input.kind === "fail") return requestVerdict(current, { kind: "fail", error: input.error, atOnce: true });
  passTime(current);
  if (input.kind === "tick") return expireHistory(current);
  if (input.kind === "wakeRun") return wakeRun(current, input);
  const elsewhere = refuseOtherState(current, input.ifState);
  if (elsewhere) return elsewhere;
  const { status, finishedAt } = current.state;
  // A dead letter can be retried even after its execution has ended.
  if (input.kind === "retry" || input.kind === "archive") return decide(current, input);
  if (input.kind === "erase") return erase(current, input);
  if (isFinalStatus(status)) {
    if (input.kind === "event" && isUnawaitedTaskEnd(current, input.event)) return null;
    return refuse({
      code: "execution_final",
      message: `the execution has been ${status} since ${iso(finishedAt ?? current.now)}`,
    });
  }
  const { ending } = current.state;
  if (ending && input.kind !== "cancel") return refuseEnding(ending);
  const early = refuseBeforeFirstMove(current, input);
  if (early) return early;
  switch (input.kind) {
    case "event":
      return receiveEvent(current, input);
    case "patch":
      return patch(current, input) ?? passTime(current);
    case "pause":
      return pause(current, input);
    case "resume":
      return resume(current, input) ?? passTime(current);
    case "cancel":
      return cancel(current, input);
    case "desire":
      return changeDesired(current, input);
    case "observe":
      return acceptObservation(current, input);
    case "runNow":
      return runNow(current, input) ?? passTime(current);
    case "skip":
      return decide(current, input);
    case "cancelAction":
    case "reschedule":
    case "hold":
    case "release":
    case "complete":
      return applyVerb(current, input);
  }
}

/**
 * Refuses an input whose receipt would remove the digest of another input too early. A cancellation is never refused;
 * an execution is canceled only once, so at most one digest is affected.
 */
function refuseLostReceipt(state: ExecutionState, input: Input): RefusalOrNull {
  return "inputId" in input && input.kind !== "cancel" ? refuseForgetting(state, input, input.now) : null;
}

function close(current: Step, input: Command): AcceptedStep {
  conclude(current);
  if ("inputId" in input && leavesReceipt(input))
    changeState(current, keepReceipt(current.state, receiptOf(input, current.seq), current.now));
  const { state, seq, entries, moves, notMoved, cameBack } = current;
  // A run may be dispatched and canceled in the same step. Its message is then not sent.
  const effects = current.effects.filter((each) => each.kind !== "dispatch" || isQueued(current, each.run));
  const beside = { moves, notMoved, cameBack };
  return { ok: true, state, effects, entries, ...beside, repeated: false, seq, work: current.work.used };
}

function isQueued(current: Step, id: string): boolean {
  return isCollecting(current, id) || runOf(current, id)?.status === "queued";
}

function repeatStart(state: ExecutionState, input: Extract<Input, { kind: "start" }>): StepResult {
  const repeat = repeatOf(state, input);
  if (repeat) return repeat.ok ? unchanged(state, repeat) : repeat;
  return refuse({
    code: "already_exists",
    message: `the execution ${state.id} already exists; it was started at ${iso(state.createdAt)}`,
    hint: "To start another execution, choose another id. To get the first response again, repeat the start with the same Idempotency-Key and body.",
  });
}

function unchanged(state: ExecutionState, repeat: Repeat | null): AcceptedStep {
  const nothing = { effects: [], entries: [], moves: [], notMoved: [], cameBack: [] };
  return { ok: true, state, ...nothing, repeated: repeat !== null, seq: repeat?.seq ?? null, work: 0 };
}

function isProjectionDue({ before, suspended, now }: Step): boolean {
  if (before.unprojectedSince === null) return false;
  return suspended || now >= before.unprojectedSince + PROJECT_BUSY_AFTER_MS;
}
