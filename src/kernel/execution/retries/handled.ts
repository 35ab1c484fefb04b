// A failure that the definition took is handled: it waits for nobody, and nobody sends it again unasked. Taken is what the
// program heard and acted on. Where it stands afterwards and listens for the same action's success, it waits for a person
// to send the action again; once it stands there no more, it has gone on without it.
import type { EventMessage } from "#schema/engine/event.ts";
import { waitsForPerson, type Run } from "#schema/engine/run.ts";
import { currentState, changeRun, note, runOf, type Step } from "../current-step.ts";

/** Whether a handler stands where the execution is: what is heard there and moves something, is taken. */
export function listens({ program, state }: Step, type: string): boolean {
  return program.outlook(state.position, type) === "now";
}

/** The program has taken what a run said. Only a failure that stands is remembered. */
export function noteHeard(step: Step, { id, type }: EventMessage): void {
  const run = runOf(step, runIn(step, id));
  if (!run?.deadLetter || step.verdict !== null) return;
  changeRun(step, run, { heard: { event: type, state: currentState(step.state), at: step.now } });
}

/** `<execution>/<run>/<type>`, as what a run says is called. */
function runIn({ state }: Step, message: string): string {
  const from = state.id.length + 1;
  return message.slice(from, message.indexOf("/", from));
}

/** At the end of a step: which of the failures that were heard nobody waits for any more. */
export function concludeHandled(step: Step): void {
  for (const run of step.state.runs) {
    if (!waitsForPerson(run) || !run.heard || listens(step, `action.${run.action}.ok`)) continue;
    changeRun(step, run, { handledAt: step.now });
    const { event, state } = run.heard;
    note(step, { kind: "run_handled", run: run.id, action: run.action, event, state });
  }
}

/** What a run no longer is, once it is sent again or has turned out well; nothing where it never was. */
export function unheard({ heard }: Run): Partial<Run> {
  return heard ? { heard: null, handledAt: null } : {};
}
