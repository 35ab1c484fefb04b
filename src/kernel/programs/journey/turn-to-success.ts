// The change of a failure into a success, possible while no node after the failure has started. The node's `onFailed`
// edges become dead, and its `next` edges are taken. A node that was skipped because of the dead edges becomes active
// again.
import { markOf, putMark, type Draft } from "./move-draft.ts";
import { NEXT, nodeOf, type PlanNode } from "./journey-plan.ts";
import { countEnded, readinessOf, isUnreached } from "./tokens.ts";

export function turnToNext(draft: Draft, node: PlanNode, planned: number): void {
  for (const edge of node.out) {
    // A node with an action has only the ways "next" and "failed".
    const taken = edge.ways.includes(NEXT);
    takeBackEdge(draft, edge.to, taken ? "dead" : "taken");
    draft.tokens.push({ edge, taken, planned });
  }
}

/**
 * Removes one ended incoming edge from a node's counts. A node that was skipped as not reached may then become active
 * again.
 */
function takeBackEdge(draft: Draft, name: string, as: "taken" | "dead"): void {
  const mark = markOf(draft, name);
  const isSkipped = isUnreached(mark);
  if (mark.status !== "pending" && !isSkipped) return;
  // The edge has ended before, so the mark contains its count.
  const counted = putMark(draft, name, { ...mark, [as]: Number(mark[as]) - 1 });
  const node = nodeOf(draft.plan, name);
  if (!isSkipped || readinessOf(node, counted) !== "open") return;
  const { reason: _reason, ended: _ended, way: _way, ...rest } = counted;
  putMark(draft, name, { ...rest, status: "pending" });
  countEnded(draft, node, "skipped", -1);
  for (const { to } of node.out) takeBackEdge(draft, to, "dead");
}
