// Handled failures: decides which dead letters need no operator. A failure is handled if the program accepted its event
// and no longer listens for a success of the same action. A dead letter may also be retried automatically after its
// provider has recovered.
import type { ProgramAction } from "#schema/definition/action.ts";
import { isOutage } from "#schema/engine/outage.ts";
import { childEvent } from "#schema/engine/child.ts";
import type { EventMessage } from "#schema/engine/event.ts";
import type { Command } from "#schema/engine/input.ts";
import { waitsForPerson, type FailureReaction, type Run } from "#schema/engine/run.ts";
import { AUTO_RETRIES } from "#schema/limits/run-attempts.ts";
import { refuse } from "#schema/refusal.ts";
import type { RefusalOrNull } from "../control.ts";
import { currentState, changeRun, addEntry, runOf, type Step, actionOf } from "../current-step.ts";

/** Stores in a failed run which states accepted its result event. Called when the program has used a result event. */
export function storeAcceptingStates(step: Step, { id, type }: EventMessage, took: readonly string[]): void {
  const run = runOf(step, runIn(step, id));
  if (!run?.deadLetter || step.verdict !== null) return;
  changeRun(step, run, { heard: { event: type, state: currentState(step.state), at: step.now, took } });
}

/** The id of the run that sent a result event. The event's id has the format `<execution>/<run>/<type>`. */
function runIn({ state }: Step, message: string): string {
  const from = state.id.length + 1;
  return message.slice(from, message.indexOf("/", from));
}

/** Called at the end of a step: marks failures as handled if no state waits for a success of their action any more. */
export function concludeHandled(step: Step): void {
  for (const run of step.state.runs) {
    if (!waitsForPerson(run) || !run.heard || isSuccessAwaited(step, run, run.heard)) continue;
    markHandled(step, run, run.heard);
  }
}

/**
 * Marks a failed child's dead letter as handled by its parent. Called when the parent, which is now in `state`, has
 * accepted the child's failure.
 */
export function handleByParent(step: Step, by: string, state: string): void {
  const { status, finishedAt, runs } = step.state;
  for (const run of status === "failed" ? runs : []) {
    const isCause = run.finishedAt === finishedAt && step.program.actions.get(run.action)?.onExhausted === "fail";
    if (isCause && waitsForPerson(run)) markHandled(step, run, { event: childEvent(status), state, at: step.now, by });
  }
}

function markHandled(step: Step, run: Run, heard: FailureReaction): void {
  changeRun(step, run, { heard, handledAt: step.now });
  const { event, state, by } = heard;
  const whose = by === undefined ? {} : { by };
  addEntry(step, { kind: "run_handled", run: run.id, action: run.action, event, state, ...whose });
}

/**
 * Whether the program still waits for a success of the run. Only states that accepted the failure, and the state that
 * started the run, are searched. A parallel region may wait without seeing the reaction to the failure, so it does not
 * count. False if the action has a newer run.
 */
function isSuccessAwaited({ program, state }: Step, { action, id }: Run, { took }: FailureReaction): boolean {
  const newest = state.runs.findLast((run) => run.action === action);
  if (state.status === "canceled" || newest?.id !== id) return false;
  const begun = program.actions.get(action)?.triggerState;
  // null: the accepting states are not stored, so the whole position is searched.
  const searchedStates = took === undefined ? null : begun === undefined ? took : [...took, begun];
  return program.awaits(state.position, `action.${action}.ok`, searchedStates);
}

/** The fields of a run that reset its mark "handled", because the run is retried or has succeeded. */
export function withoutHandling({ heard }: Run): Partial<Run> {
  return heard ? { heard: null, handledAt: null } : {};
}

/**
 * The number of automatic retries that the action allows. It is stored in the run, because lists select runs by this
 * number.
 */
export function autoRetryOf({ selfHeal }: Pick<ProgramAction, "selfHeal">): Pick<Run, "heals"> {
  if (selfHeal === undefined) return {};
  return { heals: selfHeal === false ? 0 : (selfHeal.times ?? AUTO_RETRIES) };
}

/**
 * Refuses an automatic retry whose conditions are not met; otherwise returns null. Always null if an operator requested
 * the retry. The refusal's details name the condition, so that the sender of automatic retries stops.
 */
export function refuseAutoRetry(step: Step, run: Run, { heal }: Extract<Command, { kind: "retry" }>): RefusalOrNull {
  if (heal === undefined) return null;
  // The action's own number of retries takes precedence over the connection's number.
  const times = autoRetryOf(actionOf(step, run.action)).heals ?? heal.times ?? 0;
  const healed = run.redriven?.healed ?? 0;
  if (times === 0)
    return refuseRetry(run, "self_heal_not_set", 'neither the action nor its connection sets "selfHeal"');
  if (healed >= times)
    return refuseRetry(
      run,
      "self_heal_exhausted",
      `the run was retried automatically ${healed} times, and the limit is ${times}`,
    );
  if (!isOutage(run.error))
    return refuseRetry(run, "no_outage", "the run failed for a reason other than an unavailable provider");
  return null;
}

function refuseRetry({ id }: Run, heal: string, why: string): RefusalOrNull {
  const message = `run ${id} is not retried automatically: ${why}`;
  return refuse({ code: "run_not_startable", message, details: { heal } });
}
