// A failure that has turned into a success before anything began of what was to follow it: its `onFailed` dies after all, and
// its `next` is taken. What was skipped only because that had died is open again.
import { markOf, putMark, type Draft } from "./draft.ts";
import { FAILED, NEXT, nodeOf, type PlanNode } from "./layout.ts";
import { count, fateOf, NOT_REACHED } from "./walk.ts";

export function turnToNext(draft: Draft, node: PlanNode, planned: number): void {
  for (const edge of node.out) {
    const taken = edge.ways.includes(NEXT);
    if (!taken && !edge.ways.includes(FAILED)) continue;
    open(draft, edge.to, taken ? "dead" : "taken");
    draft.tokens.push({ edge, taken, planned });
  }
}

/** One of the ways in has not ended after all. */
function open(draft: Draft, name: string, as: "taken" | "dead"): void {
  const mark = markOf(draft, name);
  const isUnreached = mark.status === "skipped" && mark.reason === NOT_REACHED;
  if (mark.status !== "pending" && !isUnreached) return;
  const counted = putMark(draft, name, { ...mark, [as]: Math.max(0, (mark[as] ?? 0) - 1) });
  const node = nodeOf(draft.plan, name);
  if (!isUnreached || fateOf(node, counted) !== "open") return;
  const { reason: _reason, ended: _ended, way: _way, ...rest } = counted;
  putMark(draft, name, { ...rest, status: "pending" });
  count(draft, node, "skipped", -1);
  for (const { to } of node.out) open(draft, to, "dead");
}
