// A failure that the definition took is handled: it waits for nobody, and nobody sends it again unasked. Taken is what the
// program heard and acted on. Where it stands afterwards and listens for the same action's success, it waits for a person
// to send the action again; once it stands there no more, it has gone on without it.
import { childEvent } from "#schema/engine/child.ts";
import type { EventMessage } from "#schema/engine/event.ts";
import { waitsForPerson, type Heard, type Run } from "#schema/engine/run.ts";
import { currentState, changeRun, note, runOf, type Step } from "../current-step.ts";

/** The program has taken what a run said. Only a failure that stands is remembered. */
export function noteHeard(step: Step, { id, type }: EventMessage, took: readonly string[]): void {
  const run = runOf(step, runIn(step, id));
  if (!run?.deadLetter || step.verdict !== null) return;
  changeRun(step, run, { heard: { event: type, state: currentState(step.state), at: step.now, took } });
}

/** `<execution>/<run>/<type>`, as what a run says is called. */
function runIn({ state }: Step, message: string): string {
  const from = state.id.length + 1;
  return message.slice(from, message.indexOf("/", from));
}

/** At the end of a step: which of the failures that were heard nobody waits for any more. */
export function concludeHandled(step: Step): void {
  for (const run of step.state.runs) {
    if (!waitsForPerson(run) || !run.heard || isAwaited(step, run, run.heard)) continue;
    handle(step, run, run.heard);
  }
}

/** What failed a child is its parent's to make good: that has taken the child's failure, and stands at `state` now. */
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
 * Whether its success is waited for: where the failure was taken, or where the run was begun. Regions beside these may be
 * curious about it, and cannot know what was done instead. What was begun anew meanwhile is waited for in its place.
 */
function isAwaited({ program, state }: Step, { action, id }: Run, { took }: Heard): boolean {
  const newest = state.runs.findLast((run) => run.action === action);
  if (state.status === "canceled" || newest?.id !== id) return false;
  const begun = program.actions.get(action)?.triggerState;
  const near = took === undefined ? null : begun === undefined ? took : [...took, begun];
  return program.awaits(state.position, `action.${action}.ok`, near);
}

/** What a run no longer is, once it is sent again or has turned out well; nothing where it never was. */
export function unheard({ heard }: Run): Partial<Run> {
  return heard ? { heard: null, handledAt: null } : {};
}
