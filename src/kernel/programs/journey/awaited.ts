// A node whose action is only the beginning: it is done when the person, the child or the provider that it has asked is. What
// counts is the word of its own run.
import { childEvent } from "#schema/engine/child.ts";
import type { EventMessage } from "#schema/engine/event.ts";
import type { JourneyPosition } from "#schema/engine/state.ts";
import type { Json } from "#schema/json.ts";
import { isPlainObject } from "../../language/equality.ts";
import { assignAll, markOf, putMark, runsWord, type Draft } from "./draft.ts";
import { CHILD_ENDS, expressionOf, FAILED, heardBy, NEXT, placeOf, timeoutTimer, type PlanNode } from "./layout.ts";
import { finish } from "./walk.ts";

/** Whether its action's success is not yet its end. */
export function isAsking({ is }: PlanNode): boolean {
  return is.kind === "journey" || (is.kind === "acting" && is.node.await !== undefined);
}

/** Its action is done. What it waits for may have come before that was known. */
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
  // From when it has been asked, however late that was: whoever is to answer has the whole time. Past already, nobody waits.
  draft.commands.push({ kind: "arm", timer, state: name, expression, onSkip: timer });
}

/** Whether the node goes on with this event. */
export function answers(draft: Draft, node: PlanNode, message: EventMessage): boolean {
  const { awaits } = markOf(draft, node.name);
  if (awaits === undefined || !heardBy(node.is).includes(message.type)) return false;
  if (!isOf(message, node.name, awaits)) return false;
  answered(draft, node, message);
  return true;
}

/** It ends with this, whoever says it. */
export function answered(draft: Draft, node: PlanNode, message: EventMessage): void {
  const { is } = node;
  const planned = draft.at.now;
  if (is.kind === "journey" && message.type !== childEvent(CHILD_ENDS[0])) {
    // Nobody can send a child again that has ended: what follows it is decided here.
    const isTaken = node.out.some(({ ways }) => ways.includes(FAILED));
    finish(draft, node, { status: "failed", way: isTaken ? FAILED : null, planned, reason: message.type });
    return;
  }
  assignAll(draft, "assign" in is.node ? is.node.assign : undefined, placeOf(node.name), message);
  finish(draft, node, { status: "done", way: NEXT, planned });
}

/** The first node whose child has ended otherwise than was hoped for, with nothing to follow that. */
export function lostChild(nodes: JourneyPosition["nodes"]): string | null {
  const found = Object.entries(nodes).find(
    ([, { status, way, reason }]) => status === "failed" && way === undefined && reason?.startsWith(childEvent("")),
  );
  return found?.[0] ?? null;
}

/** An event that names a run or an action speaks of these alone; one that names neither is taken at its type. */
function isOf({ payload }: EventMessage, name: string, run: string): boolean {
  const [ofRun, ofAction] = [fieldOf(payload, "run"), fieldOf(payload, "actionId")];
  if (typeof ofRun === "string") return ofRun === run;
  return typeof ofAction !== "string" || ofAction === name;
}

/** It was not done in time: where nothing follows a failure, it is passed over. */
export function giveUpWaiting(draft: Draft, node: PlanNode, planned: number): void {
  const isTaken = node.out.some(({ ways }) => ways.includes(FAILED));
  const [status, way] = isTaken ? (["failed", FAILED] as const) : (["skipped", NEXT] as const);
  finish(draft, node, { status, way, planned, reason: "not_done_in_time" });
  draft.commands.push({ kind: "leave", state: node.name });
}

function fieldOf(payload: Json, field: string): unknown {
  return isPlainObject(payload) && Object.hasOwn(payload, field) ? payload[field] : undefined;
}
