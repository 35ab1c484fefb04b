// Token propagation: each edge ends exactly once, either taken or dead. A node starts when enough incoming edges are
// taken, and is skipped when that has become impossible. begin-node.ts starts a node.
import type { NodeMark } from "#schema/engine/state.ts";
import { charge, workOf } from "../../computing/work.ts";
import { markOf, putMark, type Draft, type Token } from "./move-draft.ts";
import { everyTimer, NEXT, nodeOf, timeoutTimer, type PlanNode } from "./journey-plan.ts";

export type BeginNode = (draft: Draft, node: PlanNode, planned: number) => void;

/**
 * Processes all tokens, including the tokens that are added meanwhile. The time is linear in the number of edges that
 * end.
 */
export function propagateTokens(draft: Draft, begin: BeginNode): void {
  // The loop also reaches tokens that are appended while it runs.
  for (const token of draft.tokens) {
    if (draft.exit !== null) break;
    applyToken(draft, token, begin);
  }
  draft.tokens.length = 0;
}

function applyToken(draft: Draft, { edge, taken, planned }: Token, begin: BeginNode): void {
  charge(draft.work, workOf.token);
  const mark = markOf(draft, edge.to);
  if (mark.status !== "pending" && taken) {
    draft.commands.push({ kind: "say", entry: { kind: "token_absorbed", node: edge.to, from: edge.from } });
  }
  // A node that was skipped because too few edges were taken may open again. Its edges are therefore still counted.
  if (mark.status !== "pending" && !isUnreached(mark)) return;
  const counted = putMark(draft, edge.to, {
    ...mark,
    ...(taken ? { taken: (mark.taken ?? 0) + 1 } : { dead: (mark.dead ?? 0) + 1 }),
    ...(taken ? { planned: Math.max(mark.planned ?? planned, planned) } : {}),
  });
  if (mark.status === "pending") startOrSkip(draft, nodeOf(draft.plan, edge.to), counted, begin);
}

/** Whether the node was skipped because too few incoming edges were taken. */
export function isUnreached({ status, reason }: NodeMark): boolean {
  return status === "skipped" && reason === NOT_REACHED;
}

/** Starts the node if enough edges are taken, or skips it if it can never start. */
export function startOrSkip(draft: Draft, node: PlanNode, mark: NodeMark, begin: BeginNode): void {
  switch (readinessOf(node, mark)) {
    case "begins": {
      if (mark.unwanted) return skipByOperator(draft, node, mark);
      const planned = Number(mark.planned); // At least one edge was taken, so the mark has a planned instant.
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

/** Skips a node now that it is reached, because an operator skipped it earlier. */
function skipByOperator(draft: Draft, node: PlanNode, { planned }: NodeMark): void {
  // At least one edge was taken, so the mark has a planned instant.
  endNode(draft, node, { status: "skipped", reason: "by_hand", way: NEXT, planned: Number(planned) });
}

export const NOT_REACHED = "not_reached";
/** The reason of a node that was active when the journey was exited. */
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
  /** The way by which the node ends. Edges with this way are taken, and all other edges die. null: all edges die. */
  readonly way: string | null;
  readonly planned: number;
} & (
  | { readonly status: "done" | "failed"; readonly reason?: string }
  | { readonly status: "skipped"; readonly reason: string }
);

/** Ends a node: its edges end too, and its own work in progress is canceled. */
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
  // A skipped run has its own journal entry, so its node is not recorded too.
  const isSaid = hasAction(node) && mark.status !== "pending";
  if (ending.status === "skipped" && !isSaid) recordSkipped(draft, name, ending.reason);
  for (const edge of out) {
    const taken = way !== null && edge.ways.includes(way);
    draft.tokens.push({ edge, taken, planned });
  }
}

/** The timers to disarm when the node ends. A delay node ends by its own timer, so it has none to disarm. */
function timersOf({ name, is }: PlanNode): readonly string[] {
  if (is.kind === "wait" && is.node.timeout) return [timeoutTimer(name)];
  if (is.kind === "acting" && is.node.await?.timeout !== undefined) return [timeoutTimer(name)];
  return is.kind === "each" && is.node.every !== undefined ? [everyTimer(name)] : [];
}

export function hasAction({ is }: PlanNode): boolean {
  return is.kind === "acting" || is.kind === "each" || is.kind === "journey";
}

/** Changes the count of nodes with this status. Exits, and nodes that have not ended, are not counted. */
export function countEnded(draft: Draft, { is }: PlanNode, status: NodeMark["status"], by: 1 | -1): void {
  if (is.kind === "exit" || status === "pending" || status === "waiting") return;
  draft.counts[status] += by;
}

function recordSkipped({ skipped }: Draft, name: string, reason: string): void {
  const others = skipped.get(reason);
  if (others) others.push(name);
  else skipped.set(reason, [name]);
}
