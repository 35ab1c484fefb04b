// Nodes that wait for an answer after their action: the node ends when the person, child or provider has answered. Only
// answers to the node's own run count.
import { childEvent } from "#schema/engine/child.ts";
import type { EventMessage } from "#schema/engine/event.ts";
import type { JourneyPosition } from "#schema/engine/state.ts";
import type { Json } from "#schema/json.ts";
import { isPlainObject } from "../../language/json-values.ts";
import { assignAll, markOf, putMark, resultFields, type Draft } from "./move-draft.ts";
import {
  CHILD_ENDS,
  expressionOf,
  FAILED,
  awaitedEventTypes,
  NEXT,
  nodePointer,
  timeoutTimer,
  type PlanNode,
} from "./journey-plan.ts";
import { endNode } from "./tokens.ts";

/** Whether the node still waits for an answer after its action has succeeded. */
export function awaitsAnswer({ is }: PlanNode): boolean {
  return is.kind === "journey" || (is.kind === "acting" && is.node.await !== undefined);
}

/**
 * Called when the node's action has succeeded: starts the wait for the answer. If the answer has arrived already and
 * was kept, the node ends immediately.
 */
export function beginAwait(draft: Draft, node: PlanNode): void {
  const { name, is } = node;
  putMark(draft, name, { ...markOf(draft, name), awaits: resultFields(draft).run });
  draft.mayDropKept = true;
  const early = draft.kept.find((message) => endIfAnswered(draft, node, message));
  if (early !== undefined) return;
  const after = is.kind === "acting" ? is.node.await?.timeout : undefined;
  if (after === undefined) return;
  const expression = expressionOf(after, name);
  const timer = timeoutTimer(name);
  // The time limit starts when the action has succeeded, so that the recipient has the full time. If the limit is
  // already past, its event is sent instead, which ends the wait.
  draft.commands.push({ kind: "arm", timer, state: name, expression, onSkip: timer });
}

/** Ends the node's wait if the event is its answer. Returns true if the node has ended. */
export function endIfAnswered(draft: Draft, node: PlanNode, message: EventMessage): boolean {
  const { awaits } = markOf(draft, node.name);
  if (awaits === undefined || !awaitedEventTypes(node.is).includes(message.type)) return false;
  if (!isAnswerTo(message, node.name, awaits)) return false;
  endByAnswer(draft, node, message);
  return true;
}

/**
 * Ends the node's wait with this event. The caller has decided that the event is the answer, so its sender is not
 * checked.
 */
export function endByAnswer(draft: Draft, node: PlanNode, message: EventMessage): void {
  const { is } = node;
  const planned = draft.at.now;
  if (is.kind === "journey" && message.type !== childEvent(CHILD_ENDS[0])) {
    // A child that has ended cannot be retried. A node with a failed child therefore ends as failed, even without an
    // edge for failures.
    const isTaken = node.out.some(({ ways }) => ways.includes(FAILED));
    endNode(draft, node, { status: "failed", way: isTaken ? FAILED : null, planned, reason: message.type });
    return;
  }
  assignAll(draft, "assign" in is.node ? is.node.assign : undefined, nodePointer(node.name), message);
  endNode(draft, node, { status: "done", way: NEXT, planned });
}

/**
 * The first node whose child did not complete and that has no edge for failures; the journey then fails. null if there
 * is no such node.
 */
export function failedChildNode(nodes: JourneyPosition["nodes"]): string | null {
  const found = Object.entries(nodes).find(
    ([, { status, way, reason }]) => status === "failed" && way === undefined && reason?.startsWith(childEvent("")),
  );
  return found?.[0] ?? null;
}

/**
 * True if the event answers this run or this action. An event that names neither a run nor an action is accepted
 * because of its type.
 */
function isAnswerTo({ payload }: EventMessage, name: string, run: string): boolean {
  const [ofRun, ofAction] = [fieldOf(payload, "run"), fieldOf(payload, "actionId")];
  if (typeof ofRun === "string") return ofRun === run;
  return typeof ofAction !== "string" || ofAction === name;
}

/** Ends a wait after its time limit. If the node has an edge for failures, the node fails; otherwise it is skipped. */
export function giveUpWaiting(draft: Draft, node: PlanNode, planned: number): void {
  const isTaken = node.out.some(({ ways }) => ways.includes(FAILED));
  const [status, way] = isTaken ? (["failed", FAILED] as const) : (["skipped", NEXT] as const);
  endNode(draft, node, { status, way, planned, reason: "await_timed_out" });
  draft.commands.push({ kind: "leave", state: node.name });
}

function fieldOf(payload: Json, field: string): unknown {
  return isPlainObject(payload) && Object.hasOwn(payload, field) ? payload[field] : undefined;
}
