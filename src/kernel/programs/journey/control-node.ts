// Operator control of nodes: skips a node, or ends its wait. A node that is not reached yet gets a mark, and is skipped
// when it is reached. If a node waits for its run, the operator must control that run instead.
import type { EventMessage } from "#schema/engine/event.ts";
import type { NodeMark } from "#schema/engine/state.ts";
import type { Refusal } from "#schema/refusal.ts";
import { didYouMean } from "#schema/suggest.ts";
import type { NodeRequest } from "../../execution/program.ts";
import { endByAnswer, giveUpWaiting, awaitsAnswer } from "./await-answer.ts";
import { endByOperator } from "./begin-node.ts";
import { isOpenFailure, markOf, putMark, recordWay, type Draft } from "./move-draft.ts";
import {
  delayTimer,
  forWay,
  awaitedEventTypes,
  NEXT,
  TIMEOUT,
  waysOf,
  type Plan,
  type PlanNode,
} from "./journey-plan.ts";
import { endEarly } from "./repeated-node.ts";
import { endNode } from "./tokens.ts";

/**
 * done: the draft contains the changed node. run: the draft is unchanged, because the operator must control the node's
 * run instead.
 */
export type NodeChange =
  | { readonly kind: "done"; readonly as: string; readonly message: EventMessage | null }
  | { readonly kind: "run" }
  | { readonly kind: "refused"; readonly refusal: Refusal };

export function controlDraft(draft: Draft, ask: NodeRequest): NodeChange {
  const { plan } = draft;
  const node = plan.nodes.get(ask.node);
  if (node === undefined) return { kind: "refused", refusal: unknownNodeRefusal(plan, ask.node) };
  if (draft.exit !== null) {
    return refuseVerb(
      `the journey has already ended early, because of ${draft.exit.by}`,
      "Wait until the actions in progress have ended. To stop all remaining work, cancel the execution.",
    );
  }
  const mark = markOf(draft, ask.node);
  if (mark.status !== "pending" && mark.status !== "waiting" && !isOpenFailure(mark)) {
    const why = mark.reason === undefined ? "" : ` (${mark.reason})`;
    return refuseVerb(
      `the node ${ask.node} is already ${mark.status}${why}`,
      "Skip or complete a later node instead. GET /v1/executions/{id} shows the current position.",
    );
  }
  return ask.kind === "skip" ? skipNode(draft, node, mark, ask.hasResult) : endWait(draft, node, mark, ask);
}

const BY_OPERATOR = "by_operator";

function skipNode(draft: Draft, node: PlanNode, mark: NodeMark, hasResult: boolean): NodeChange {
  const { name, is, out } = node;
  if (mark.status !== "pending" && isControlledByRun(node, mark)) return { kind: "run" };
  if (hasResult)
    return refuseVerb(
      `the node ${name} cannot have a result yet`,
      awaitsAnswer(node) ? COMPLETE : "Skip the node without a result.",
    );
  if (out.length > 0 && !out.some(({ ways }) => ways.includes(NEXT))) {
    const ways = out.map((edge) => edge.ways.join(", ")).join(", ");
    return refuseVerb(
      `the node ${name} continues in one of several ways (${ways}) and has no "next". A skip would also skip everything after the node`,
      is.kind === "branch" || is.kind === "split" ? DECIDE : COMPLETE,
    );
  }
  if (mark.status === "pending") return markForSkipping(draft, name, mark);
  if (is.kind === "delay") draft.commands.push({ kind: "disarm", timer: delayTimer(name) });
  endNode(draft, node, { status: "skipped", way: NEXT, planned: draft.at.now, reason: BY_OPERATOR });
  // The node has been waiting for an answer. Leaving its state withdraws a task that was to give the answer.
  if (mark.awaits !== undefined) draft.commands.push({ kind: "leave", state: name });
  return changed(NEXT);
}

/**
 * Whether an operator must control the node's run instead of the node. A reached node with an action or a child
 * continues when its run ends, unless it then waits for an answer.
 */
function isControlledByRun({ is }: PlanNode, { awaits }: NodeMark): boolean {
  return awaits === undefined && (is.kind === "acting" || is.kind === "journey");
}

const COMPLETE = "Complete the node while it is waiting, and choose the way with `as`.";
const DECIDE = "Complete the node before it is reached, and choose the way with `as`.";

function markForSkipping(draft: Draft, name: string, mark: NodeMark): NodeChange {
  if (mark.unwanted)
    return refuseVerb(
      `the node ${name} is already marked: it is skipped when it is reached`,
      "No action is needed: the node is skipped when it is reached.",
    );
  const { decided: _decided, ...rest } = mark;
  putMark(draft, name, { ...rest, unwanted: true });
  return changed(NEXT);
}

function endWait(
  draft: Draft,
  node: PlanNode,
  mark: NodeMark,
  ask: Extract<NodeRequest, { kind: "complete" }>,
): NodeChange {
  const { name } = node;
  if (mark.status === "pending" && (node.is.kind === "branch" || node.is.kind === "split")) {
    return decideWay(draft, node, mark, ask.as);
  }
  if (mark.status === "pending")
    return refuseVerb(
      `the node ${name} has not been reached`,
      "Complete the node while it is waiting, or skip the node in advance.",
    );
  if (isControlledByRun(node, mark)) return { kind: "run" };
  const ways = waysOutOf(node);
  if (ways.length === 0)
    return refuseVerb(`the node ${name} waits for its timer`, "Skip the node, or start its timer now with run-now.");
  const only = ways.length === 1 ? ways[0] : undefined;
  const named = ask.as === null ? only : ways.find(({ way, type }) => way === ask.as || type === ask.as);
  if (named === undefined) {
    const known = ways.map(({ type, way }) => type ?? way);
    return { kind: "refused", refusal: unknownWayRefusal(name, known) };
  }
  const message = named.type === null ? null : ask.eventFor(named.type, mark.awaits ?? null);
  endByWay(draft, node, named, message);
  return changed(named.type ?? named.way, message);
}

/** Stores the way that a branch or split takes when it is reached. The way is named by its name or by its next node. */
function decideWay(draft: Draft, { name, is }: PlanNode, mark: NodeMark, as: string | null): NodeChange {
  const ways = waysOf(is).filter((each) => each.ways.some((way) => way !== NEXT));
  const named = as === null ? undefined : ways.find((each) => each.ways.includes(as) || each.to.includes(as));
  const way = as !== null && named?.ways.includes(as) ? as : named?.ways.find((each) => each !== NEXT);
  if (way === undefined) {
    const known = ways.flatMap((each) => [...each.ways.filter((one) => one !== NEXT), ...each.to]);
    return { kind: "refused", refusal: unknownWayRefusal(name, known) };
  }
  const { unwanted: _unwanted, ...rest } = mark;
  putMark(draft, name, { ...rest, decided: way });
  return changed(way);
}

/**
 * A possible end of a wait. `way`: the name of the end in the journal. `type`: the event type that causes it; null if
 * it is not caused by an event.
 */
type WayOut = { readonly way: string; readonly type: string | null; readonly alternative: number };

function waysOutOf(node: PlanNode): readonly WayOut[] {
  const { is } = node;
  const heard = awaitedEventTypes(is).map((type, alternative): WayOut => {
    return {
      way: is.kind === "wait" ? forWay(alternative) : is.kind === "each" ? "until" : NEXT,
      type: type ?? null,
      alternative,
    };
  });
  const isTimed = is.kind === "wait" ? is.node.timeout : is.kind === "acting" ? is.node.await?.timeout : undefined;
  return isTimed === undefined ? heard : [...heard, { way: TIMEOUT, type: null, alternative: -1 }];
}

function endByWay(draft: Draft, node: PlanNode, { way, alternative }: WayOut, message: EventMessage | null): void {
  const { now } = draft.at;
  if (node.is.kind === "each") return endEarly(draft, node);
  if (node.is.kind !== "wait") {
    return message === null ? giveUpWaiting(draft, node, now) : endByAnswer(draft, node, message);
  }
  if (way !== TIMEOUT) return endByOperator(draft, node, alternative, message);
  recordWay(draft, node.name, way);
  endNode(draft, node, { status: "done", way, planned: now });
}

function unknownWayRefusal(name: string, known: readonly string[]): Refusal {
  const message = `the node ${name} continues in one of several ways: ${known.join(", ")}`;
  return {
    code: "invalid_input",
    message,
    errors: [{ pointer: "/as", code: "unknown_way", message, hint: "Choose one of the ways with `as`." }],
  };
}

function unknownNodeRefusal(plan: Plan, name: string): Refusal {
  const guess = didYouMean(name, [...plan.nodes.keys()]);
  const message = `the journey has no node ${name}`;
  return { code: "not_found", message, ...(guess ? { hint: `Did you mean ${guess}?` } : {}) };
}

function changed(as: string, message: EventMessage | null = null): NodeChange {
  return { kind: "done", as, message };
}

function refuseVerb(message: string, hint: string): NodeChange {
  return { kind: "refused", refusal: { code: "verb_not_applicable", message, hint } };
}
