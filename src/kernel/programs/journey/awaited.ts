// Nodes that wait for an answer: such a node ends when the person, child or provider that its action addressed has
// answered. Only answers to its own run count.
import { childEvent } from "#schema/engine/child.ts";
import type { EventMessage } from "#schema/engine/event.ts";
import type { JourneyPosition } from "#schema/engine/state.ts";
import type { Json } from "#schema/json.ts";
import { isPlainObject } from "../../language/json-values.ts";
import { assignAll, markOf, putMark, runsWord, type Draft } from "./draft.ts";
import { CHILD_ENDS, expressionOf, FAILED, heardBy, NEXT, placeOf, timeoutTimer, type PlanNode } from "./layout.ts";
import { finish } from "./walk.ts";

/** Whether the node is still waiting after its action succeeded. */
export function isAsking({ is }: PlanNode): boolean {
  return is.kind === "journey" || (is.kind === "acting" && is.node.await !== undefined);
}

/** The action is done. The answer may have arrived before this was known. */
export function beginAwait(draft: Draft, node: PlanNode): void {
  const { name, is } = node;
  putMark(draft, name, { ...markOf(draft, name), awaits: runsWord(draft).run });
  draft.keptMayGo = true;
  const early = draft.kept.find((message) => answers(draft, node, message));
  if (early !== undefined) return;
  const after = is.kind === "acting" ? is.node.await?.timeout : undefined;
  if (after === undefined) return;
  const expression = expressionOf(after, name);
  const timer = timeoutTimer(name);
  // The time limit starts when the question was sent, so that its recipient has the full time. If it is past already,
  // the node does not wait.
  draft.commands.push({ kind: "arm", timer, state: name, expression, onSkip: timer });
}

/** Whether the event ends the node's wait. */
export function answers(draft: Draft, node: PlanNode, message: EventMessage): boolean {
  const { awaits } = markOf(draft, node.name);
  if (awaits === undefined || !heardBy(node.is).includes(message.type)) return false;
  if (!isOf(message, node.name, awaits)) return false;
  endByAnswer(draft, node, message);
  return true;
}

/** The event ends the node, whichever its sender. */
export function endByAnswer(draft: Draft, node: PlanNode, message: EventMessage): void {
  const { is } = node;
  const planned = draft.at.now;
  if (is.kind === "journey" && message.type !== childEvent(CHILD_ENDS[0])) {
    // A child that has ended cannot be retried, so the way to continue is decided here.
    const isTaken = node.out.some(({ ways }) => ways.includes(FAILED));
    finish(draft, node, { status: "failed", way: isTaken ? FAILED : null, planned, reason: message.type });
    return;
  }
  assignAll(draft, "assign" in is.node ? is.node.assign : undefined, placeOf(node.name), message);
  finish(draft, node, { status: "done", way: NEXT, planned });
}

/** The first node whose child did not complete, and that has no way for this. */
export function lostChild(nodes: JourneyPosition["nodes"]): string | null {
  const found = Object.entries(nodes).find(
    ([, { status, way, reason }]) => status === "failed" && way === undefined && reason?.startsWith(childEvent("")),
  );
  return found?.[0] ?? null;
}

/** An event that names a run or an action concerns only these; one that names neither matches by type. */
function isOf({ payload }: EventMessage, name: string, run: string): boolean {
  const [ofRun, ofAction] = [fieldOf(payload, "run"), fieldOf(payload, "actionId")];
  if (typeof ofRun === "string") return ofRun === run;
  return typeof ofAction !== "string" || ofAction === name;
}

/** The time limit has passed: without a way for failures, the node is skipped. */
export function giveUpWaiting(draft: Draft, node: PlanNode, planned: number): void {
  const isTaken = node.out.some(({ ways }) => ways.includes(FAILED));
  const [status, way] = isTaken ? (["failed", FAILED] as const) : (["skipped", NEXT] as const);
  finish(draft, node, { status, way, planned, reason: "not_done_in_time" });
  draft.commands.push({ kind: "leave", state: node.name });
}

function fieldOf(payload: Json, field: string): unknown {
  return isPlainObject(payload) && Object.hasOwn(payload, field) ? payload[field] : undefined;
}
