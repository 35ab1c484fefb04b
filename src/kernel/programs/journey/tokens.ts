// Token propagation: each edge ends exactly once, either taken or dead. A node starts when enough of its incoming edges
// are taken. It is skipped when too few can still be taken. begin-node.ts starts a node.
import type { NodeMark } from "#schema/engine/state.ts";
import { charge, workOf } from "../../computing/work.ts";
import { markOf, putMark, recordWay, type Draft, type Token } from "./move-draft.ts";
import { everyTimer, NEXT, nodeOf, timeoutTimer, type PlanNode } from "./journey-plan.ts";

export type BeginNode = (draft: Draft, node: PlanNode, planned: number) => void;

/**
 * Processes all tokens, including those that are added during the loop. The time is linear in the number of edges that
 * end.
 */
export function propagateTokens(draft: Draft, begin: BeginNode): void {
  // The loop body may append tokens to this list. The iteration then includes them.
  for (const token of draft.tokens) {
    if (draft.exit !== null) break;
    applyToken(draft, token, begin);
  }
  draft.tokens.length = 0;
}

function applyToken(draft: Draft, token: Token, begin: BeginNode): void {
  const { edge, taken } = token;
  charge(draft.work, workOf.token);
  const mark = markOf(draft, edge.to);
  if (mark.status !== "pending" && taken) {
    draft.commands.push({ kind: "say", entry: { kind: "token_absorbed", node: edge.to, from: edge.from } });
  }
  // A node that was skipped because too few edges were taken may become active again. Its edges are therefore still
  // counted.
  if (mark.status !== "pending" && !isUnreached(mark)) return;
  const counted = putMark(draft, edge.to, taken ? withTakenEdge(mark, token) : { ...mark, dead: (mark.dead ?? 0) + 1 });
  if (mark.status === "pending") startOrSkip(draft, nodeOf(draft.plan, edge.to), counted, begin);
}

function withTakenEdge(mark: NodeMark, { planned, isPast = false }: Token): NodeMark {
  const { isPast: wasPast, taken = 0, ...rest } = mark;
  const counted = { ...rest, taken: taken + 1, planned: Math.max(mark.planned ?? planned, planned) };
  return isPast && (taken === 0 || wasPast) ? { ...counted, isPast: true } : counted;
}

/** Whether the node was skipped because too few incoming edges were taken. */
export function isUnreached({ status, reason }: NodeMark): boolean {
  return status === "skipped" && reason === NOT_REACHED;
}

/** Starts the node if enough edges are taken. Skips it if too few edges can still be taken. */
export function startOrSkip(draft: Draft, node: PlanNode, mark: NodeMark, begin: BeginNode): void {
  switch (readinessOf(node, mark)) {
    case "begins": {
      if (mark.unwanted) return skipByOperator(draft, node, mark);
      if (mark.decided !== undefined) return takeDecidedWay(draft, node, mark, mark.decided);
      const planned = Number(mark.planned); // At least one edge was taken, and a taken edge sets the planned instant.
      putMark(draft, node.name, { ...mark, status: "waiting", since: draft.at.now, planned });
      draft.states = [...draft.states, node.name];
      begin(draft, node, planned);
      return;
    }
    case "never":
      endNode(draft, node, {
        status: "skipped",
        reason: NOT_REACHED,
        way: null,
        planned: mark.planned ?? draft.at.now,
      });
      return;
    case "open":
      return;
  }
}

/** An operator has skipped this node before it was reached. Skips it now that it is reached. */
function skipByOperator(draft: Draft, node: PlanNode, { planned }: NodeMark): void {
  // At least one edge was taken, and a taken edge sets the planned instant.
  endNode(draft, node, { status: "skipped", reason: "by_operator", way: NEXT, planned: Number(planned) });
}

/** An operator has chosen the way of this node before it was reached. Takes the way now that it is reached. */
function takeDecidedWay(draft: Draft, node: PlanNode, { planned }: NodeMark, way: string): void {
  recordWay(draft, node.name, way);
  // At least one edge was taken, and a taken edge sets the planned instant.
  endNode(draft, node, { status: "done", way, planned: Number(planned) });
}

export const NOT_REACHED = "not_reached";
/** The reason in the mark of a node whose instant was past, and whose delay skips it then. */
export const ALREADY_PAST = "already_past";
/** The reason in the mark of a node that follows a node skipped as past, and whose own instant is past too. */
export const PAST = "past";
/** The reason in the mark of a node that was active when the journey was exited. */
export const EXITED = "exited";

export function readinessOf(
  { needs, incoming }: PlanNode,
  { taken = 0, dead = 0 }: NodeMark,
): "begins" | "never" | "open" {
  const open = incoming - taken - dead;
  if (needs === null) return open > 0 ? "open" : taken > 0 ? "begins" : "never";
  if (taken >= needs) return "begins";
  return taken + open < needs ? "never" : "open";
}

export type NodeEnding = {
  /**
   * The way by which the node ends: edges with this way are taken, and all other edges are dead. null: all edges are
   * dead.
   */
  readonly way: string | null;
  readonly planned: number;
} & (
  | { readonly status: "done" | "failed"; readonly reason?: string }
  | { readonly status: "skipped"; readonly reason: string }
);

/** Ends a node: ends its outgoing edges, and cancels its work in progress. */
export function endNode(draft: Draft, node: PlanNode, ending: NodeEnding): void {
  const { name, out, is } = node;
  const { status, way, planned, reason } = ending;
  const { reason: _before, ...mark } = markOf(draft, name);
  countEnded(draft, node, mark.status, -1);
  countEnded(draft, node, status, 1);
  draft.endings += 1;
  putMark(draft, name, {
    ...mark,
    status,
    ...(reason === undefined ? {} : { reason }),
    ...(way === null || way === NEXT ? {} : { way }),
    planned,
    ended: draft.endings,
  });
  if (mark.status !== "pending") {
    draft.states = draft.states.filter((each) => each !== name);
    for (const timer of timersOf(node)) draft.commands.push({ kind: "disarm", timer });
    if (hasAction(node)) draft.commands.push({ kind: "leave", state: name, keepsTasks: true });
  }
  if (is.kind !== "delay" && is.kind !== "branch" && is.kind !== "split") draft.mayDropKept = true;
  // If the node was skipped because its run was skipped, the journal already has an entry about the run.
  const isSaid = hasAction(node) && mark.status !== "pending";
  if (ending.status === "skipped" && !isSaid) recordSkipped(draft, name, ending.reason);
  // The edges of a reactivated node have ended before.
  if (mark.isBack) return;
  const isPast = isPassedOver(draft, node, ending);
  for (const edge of out) {
    const taken = way !== null && edge.ways.includes(way);
    draft.tokens.push({ edge, taken, planned, isPast });
  }
}

/**
 * Whether the nodes that follow must be skipped too, unless their own instants are ahead. True for a node that was
 * skipped as past, and for a node without a duration that follows such a node.
 */
function isPassedOver(draft: Draft, { name, is }: PlanNode, { status, reason, planned }: NodeEnding): boolean {
  if (status === "skipped" && (reason === ALREADY_PAST || reason === PAST)) return true;
  const { isPast, since = draft.at.now } = markOf(draft, name);
  const isInstant = status === "skipped" || is.kind === "branch" || is.kind === "split";
  return isInstant && isPast === true && planned < since;
}

/** The timers to disarm when the node ends. A delay node ends when its timer fires, so it has none. */
function timersOf({ name, is }: PlanNode): readonly string[] {
  if (is.kind === "wait" && is.node.timeout) return [timeoutTimer(name)];
  if (is.kind === "acting" && is.node.await?.timeout !== undefined) return [timeoutTimer(name)];
  return is.kind === "each" && is.node.every !== undefined ? [everyTimer(name)] : [];
}

export function hasAction({ is }: PlanNode): boolean {
  return is.kind === "acting" || is.kind === "each" || is.kind === "journey";
}

/**
 * Changes the number of nodes with this status. Exits are not counted, and nodes that have not ended are not counted
 * either.
 */
export function countEnded(draft: Draft, { is }: PlanNode, status: NodeMark["status"], by: 1 | -1): void {
  if (is.kind === "exit" || status === "pending" || status === "waiting") return;
  draft.counts[status] += by;
}

function recordSkipped({ skipped }: Draft, name: string, reason: string): void {
  const others = skipped.get(reason);
  if (others) others.push(name);
  else skipped.set(reason, [name]);
}
