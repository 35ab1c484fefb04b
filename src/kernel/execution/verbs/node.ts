// Operator verbs for a journey's node: the program computes the move, which is applied like any other.
import type { NodeAsk } from "../../programs/program.ts";
import type { Refused } from "../control.ts";
import { currentState, scopeFor, type Step } from "../current-step.ts";
import { applyMove } from "../drive.ts";
import { notApplicable } from "./standing.ts";

/** The run whose answer this node waits for; null if it waits for none. */
export function awaitedBy({ state: { position } }: Step, node: string): string | null {
  if (position.kind !== "journey" || !Object.hasOwn(position.nodes, node)) return null;
  return position.nodes[node]?.awaits ?? null;
}

/**
 * `said` records the verb in the journal before its consequences. "run": the caller must use the run instead, and
 * nothing is recorded.
 */
export function steerNode(step: Step, ask: NodeAsk, said: (as: string) => void): Refused | "run" {
  const { steer, definition } = step.program;
  if (steer === undefined) return noNodes(step, definition.kind, ask.kind);
  const { position, variables } = step.state;
  const previous = currentState(step.state);
  const seen = { message: null, previousState: previous, currentState: previous };
  const at = { now: step.now, planned: step.now };
  const steered = steer(position, variables, ask, scopeFor(step, seen), step.work, at);
  switch (steered.kind) {
    case "run":
      return "run";
    case "refused":
      return { ok: false, refusal: steered.refusal };
    case "moved":
      said(steered.as);
      applyMove(step, steered.move, steered.message, previous, ask.kind);
      return null;
  }
}

/** A machine's state can only be left by its events. */
function noNodes({ state, program }: Step, kind: string, verb: NodeAsk["kind"]): Exclude<Refused, null> {
  const events = program.waitsFor(state.position).join(", ") || "none";
  const how =
    verb === "skip"
      ? `Skip one of its runs, or send an event that the execution accepts: ${events}.`
      : `It waits for an event: send one of ${events}.`;
  return notApplicable(`a ${kind} has no nodes`, how);
}
