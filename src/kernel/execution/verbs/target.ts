// The target of an operator's verb: a run, a node, or the whole execution. Refuses the verb if the execution is not in
// the state that the operator expects.
import { isFinalRun, isHandled, type Run } from "#schema/engine/run.ts";
import { NODES_NAMED_MAX } from "#schema/limits/definition-sizes.ts";
import { refuse, type Refusal } from "#schema/refusal.ts";
import type { NodeRequest } from "../program.ts";
import type { RefusalOrNull } from "../control.ts";
import { currentState, type Step, iso, runOf, scopeFor } from "../current-step.ts";
import { applyMove } from "../drive.ts";
import { isInState } from "../tasks/open-tasks.ts";
import { overdueAt } from "../../waiting/deadlines.ts";

export function refuseOtherState(step: Step, ifState: string | undefined): RefusalOrNull {
  const { position, status } = step.state;
  // An empty name means the root, which is always active.
  const isThere = (ifState ?? "").split(",").every((path) => isInState(position, path.trim()));
  if (isThere) return null;
  const where = currentState(step.state) || "no state";
  return refuse({
    code: "state_changed",
    message: `the execution is in ${where} (${status}), not in ${ifState}`,
    hint: "Nothing was changed. Read the execution again, and send its current state in If-State, or omit the header.",
    details: { states: position.states.slice(0, NODES_NAMED_MAX), status },
  });
}

/**
 * The refusal of a verb that does not apply to this kind of execution or to its status. `hint`: what the operator can
 * do instead.
 */
export function notApplicable(message: string, hint: string): Extract<RefusalOrNull, object> {
  const refusal: Refusal = { code: "verb_not_applicable", message, hint };
  return refuse(refusal);
}

export type FoundRun = { readonly ok: true; readonly run: Run } | Exclude<RefusalOrNull, null>;

export function findRun(step: Step, id: string): FoundRun {
  const run = runOf(step, id);
  if (run) return { ok: true, run };
  const hint = `GET /v1/executions/${step.state.id}/runs lists the stored runs.`;
  return refuse({ code: "not_found", message: `the execution has no run ${id}`, hint });
}

/**
 * Finds a run that has neither ended nor is in flight. `done`: the verb as a participle for the refusal's message, such
 * as "skipped".
 */
export function findWaiting(step: Step, id: string, done: string): FoundRun {
  const found = findRun(step, id);
  if (!found.ok) return found;
  return refuseBusy(found.run, done) ?? found;
}

function refuseBusy(run: Run, done: string): Exclude<RefusalOrNull, null> | null {
  if (run.status === "running") return refuseInFlight(run, done);
  return isFinalRun(run.status)
    ? notApplicable(`run ${run.id} has the status ${run.status}, so it cannot be ${done}`, hintAfterEnd(run))
    : null;
}

export function refuseInFlight(run: Run, done: string): Exclude<RefusalOrNull, null> {
  const message = `run ${run.id} is in progress and may take effect at any moment, so it cannot be ${done}`;
  return notApplicable(
    message,
    `Wait for the outcome of the run, until ${iso(overdueAt(run))} at the latest, or give up the call with cancel-action.`,
  );
}

/** The hint for an operator's verb on a run that has ended. */
export function hintAfterEnd(run: Run): string {
  if (isHandled(run))
    return 'The definition has handled the failure of the run. Archive the dead letter, or retry it with "force": true.';
  if (run.deadLetter) return "The run is a dead letter: retry, skip or archive it.";
  return "The run has ended. To start its action again, use run-now.";
}

/** The id of the run whose answer this node waits for; null if the node waits for no answer. */
export function awaitedRunOf({ state: { position } }: Step, node: string): string | null {
  if (!("nodes" in position) || !Object.hasOwn(position.nodes, node)) return null;
  return position.nodes[node]?.awaits ?? null;
}

/**
 * Skips or completes a node. `record` writes the verb to the journal before the consequences follow. Returns "run" if
 * the node waits for its run; the caller then applies the verb to that run, and nothing is recorded here.
 */
export function controlNode(step: Step, ask: NodeRequest, record: (as: string) => void): RefusalOrNull | "run" {
  const { nodes } = step.program;
  if (nodes === undefined) return refuseWithoutNodes(step, ask.kind);
  const { position, variables } = step.state;
  const previous = currentState(step.state);
  const seen = { message: null, previousState: previous, currentState: previous };
  const at = { now: step.now, planned: step.now };
  const controlled = nodes.controlNode(position, variables, ask, scopeFor(step, seen), step.work, at);
  switch (controlled.kind) {
    case "run":
      return "run";
    case "refused":
      return { ok: false, refusal: controlled.refusal };
    case "moved":
      record(controlled.as);
      applyMove(step, controlled.move, controlled.message, previous, ask.kind);
      return null;
  }
}

/**
 * The refusal of a verb on a node if the program has no nodes. The state of a machine can be left only by its events.
 */
function refuseWithoutNodes({ state, program }: Step, verb: NodeRequest["kind"]): Exclude<RefusalOrNull, null> {
  const events = program.waitsFor(state.position).join(", ") || "none";
  const how =
    verb === "skip"
      ? `Skip one of the execution's runs, or send an event that the execution accepts: ${events}.`
      : `The node waits for an event: send one of ${events}.`;
  return notApplicable(`the definition ${program.definition.name} has no nodes`, how);
}
