// The turn of a failure into a success before any node after it started: its `onFailed` edges die, its `next` edges are
// taken, and nodes that were skipped only because of the dead edges are open again.
import { markOf, putMark, type Draft } from "./move-draft.ts";
import { NEXT, nodeOf, type PlanNode } from "./journey-plan.ts";
import { countEnded, readinessOf, isUnreached } from "./tokens.ts";

export function turnToNext(draft: Draft, node: PlanNode, planned: number): void {
  for (const edge of node.out) {
    // A node with an action has only these two ways.
    const taken = edge.ways.includes(NEXT);
    takeBackEdge(draft, edge.to, taken ? "dead" : "taken");
    draft.tokens.push({ edge, taken, planned });
  }
}

/** Takes back one incoming edge of a node, which may reopen the node. */
function takeBackEdge(draft: Draft, name: string, as: "taken" | "dead"): void {
  const mark = markOf(draft, name);
  const isSkipped = isUnreached(mark);
  if (mark.status !== "pending" && !isSkipped) return;
  // the edge had ended and was counted
  const counted = putMark(draft, name, { ...mark, [as]: Number(mark[as]) - 1 });
  const node = nodeOf(draft.plan, name);
  if (!isSkipped || readinessOf(node, counted) !== "open") return;
  const { reason: _reason, ended: _ended, way: _way, ...rest } = counted;
  putMark(draft, name, { ...rest, status: "pending" });
  countEnded(draft, node, "skipped", -1);
  for (const { to } of node.out) takeBackEdge(draft, to, "dead");
}
