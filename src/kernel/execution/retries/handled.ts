// Handled failures: a failure whose event the program accepted and acted on. It waits for no operator, and is not
// retried unless forced. While the program stays and listens for the same action's success, it waits for an operator's
// retry; once it has moved on, the failure is handled.
import { childEvent } from "#schema/engine/child.ts";
import type { EventMessage } from "#schema/engine/event.ts";
import { waitsForPerson, type Heard, type Run } from "#schema/engine/run.ts";
import { currentState, changeRun, note, runOf, type Step } from "../current-step.ts";

/** The program accepted a result event. Recorded for failures only. */
export function noteHeard(step: Step, { id, type }: EventMessage, took: readonly string[]): void {
  const run = runOf(step, runIn(step, id));
  if (!run?.deadLetter || step.verdict !== null) return;
  changeRun(step, run, { heard: { event: type, state: currentState(step.state), at: step.now, took } });
}

/** The format of result event ids: `<execution>/<run>/<type>`. */
function runIn({ state }: Step, message: string): string {
  const from = state.id.length + 1;
  return message.slice(from, message.indexOf("/", from));
}

/** At the end of a step: marks the failures that nothing waits for any more. */
export function concludeHandled(step: Step): void {
  for (const run of step.state.runs) {
    if (!waitsForPerson(run) || !run.heard || isAwaited(step, run, run.heard)) continue;
    handle(step, run, run.heard);
  }
}

/**
 * A failed child's dead letter is its parent's to handle, once the parent, now in `state`, has accepted the child's
 * failure.
 */
export function leaveToParent(step: Step, by: string, state: string): void {
  const { status, finishedAt, runs } = step.state;
  for (const run of status === "failed" ? runs : []) {
    const isCause = run.finishedAt === finishedAt && step.program.actions.get(run.action)?.onExhausted === "fail";
    if (isCause && waitsForPerson(run)) handle(step, run, { event: childEvent(status), state, at: step.now, by });
  }
}

function handle(step: Step, run: Run, heard: Heard): void {
  changeRun(step, run, { heard, handledAt: step.now });
  const { event, state, by } = heard;
  const whose = by === undefined ? {} : { by };
  note(step, { kind: "run_handled", run: run.id, action: run.action, event, state, ...whose });
}

/**
 * Whether its success is awaited where the failure was accepted, or where the run was started. Parallel regions do not
 * count, because they do not know what was done instead. A newer run of the action replaces it.
 */
function isAwaited({ program, state }: Step, { action, id }: Run, { took }: Heard): boolean {
  const newest = state.runs.findLast((run) => run.action === action);
  if (state.status === "canceled" || newest?.id !== id) return false;
  const begun = program.actions.get(action)?.triggerState;
  const near = took === undefined ? null : begun === undefined ? took : [...took, begun];
  return program.awaits(state.position, `action.${action}.ok`, near);
}

/** Fields that a run loses when it is retried or succeeds. */
export function unheard({ heard }: Run): Partial<Run> {
  return heard ? { heard: null, handledAt: null } : {};
}
