// What becomes of a node when its action's run has ended: done, failed for good, skipped; and when a person has come to a
// failure later.
import type { JourneyPosition, NodeMark } from "#schema/engine/state.ts";
import { placeOf } from "./begin.ts";
import { assignAll, isOpenFailure, markOf, putMark, type Draft } from "./draft.ts";
import { FAILED, NEXT, type Plan, type PlanNode } from "./layout.ts";
import { acts, count, finish } from "./walk.ts";
import { turnToNext } from "./turn.ts";

export type Result = "ok" | "failed" | "skipped" | "archived";

/** `action.<node>.<result>`, if that is what it is, of a node that acts. */
export function resultIn(plan: Plan, type: string): { readonly node: PlanNode; readonly result: Result } | null {
  const found = /^action\.([^.]+)\.(ok|failed|skipped|archived)$/.exec(type);
  const node = found?.[1] === undefined ? undefined : plan.nodes.get(found[1]);
  return node === undefined || !acts(node) ? null : { node, result: found?.[2] as Result }; // the pattern has these four
}

/** False: it makes no difference any more. */
export function end(draft: Draft, node: PlanNode, result: Result): boolean {
  const mark = markOf(draft, node.name);
  if (mark.status === "pending") return false;
  const { planned } = draft.at;
  const isOpen = mark.status === "waiting" || isOpenFailure(mark);
  switch (result) {
    case "ok":
      return succeed(draft, node, mark, planned);
    case "failed":
      if (mark.status !== "waiting") return false;
      fail(draft, node, planned);
      return true;
    case "skipped":
      if (!isOpen) return false;
      finish(draft, node, { status: "skipped", way: NEXT, planned, reason: reasonIn(draft) });
      return true;
    case "archived":
      if (!isOpenFailure(mark)) return false;
      finish(draft, node, { status: "failed", way: null, planned, reason: "archived" });
      return true;
  }
}

function succeed(draft: Draft, node: PlanNode, mark: NodeMark, planned: number): boolean {
  if (mark.status === "done") return false;
  assignAll(draft, "assign" in node.is.node ? node.is.node.assign : undefined, placeOf(node.name));
  if (mark.status === "waiting" || isOpenFailure(mark)) {
    finish(draft, node, { status: "done", way: NEXT, planned });
    return true;
  }
  // Late: what its edges came to stays, but where nothing has begun yet of what was to follow its failure.
  const turns = mayTurn(draft, node, mark);
  count(draft, node, mark.status, -1);
  count(draft, node, "done", 1);
  const { reason: _reason, way: _way, ...rest } = mark;
  draft.endings += 1;
  putMark(draft, node.name, { ...rest, status: "done", ended: draft.endings });
  if (turns) turnToNext(draft, node, planned);
  return true;
}

/** For good: its `onFailed` is taken, or it is open until a person decides. */
function fail(draft: Draft, node: PlanNode, planned: number): void {
  if (node.out.some(({ ways }) => ways.includes(FAILED))) {
    finish(draft, node, { status: "failed", way: FAILED, planned });
    draft.took.push(node.name);
    return;
  }
  putMark(draft, node.name, { ...markOf(draft, node.name), status: "failed" });
  count(draft, node, "failed", 1);
}

/** It has failed, and nothing has begun of what was to follow that. */
export function mayTurn(position: Pick<JourneyPosition, "nodes">, node: PlanNode, mark: NodeMark): boolean {
  const isAhead = node.out.every(({ ways, to }) => !ways.includes(FAILED) || markOf(position, to).status === "pending");
  return mark.status === "failed" && mark.way === FAILED && isAhead;
}

/** What the engine itself says of a run, or of a timer, has its reason with it. */
export function reasonIn({ scope }: Draft): string {
  const { payload } = scope["message"] as { readonly payload: { readonly reason?: string } | null };
  return payload?.reason ?? "skipped";
}
