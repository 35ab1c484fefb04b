// A node whose action has failed for good, and what a person may yet make of that.
import type { JourneyPosition, NodeMark } from "#schema/engine/state.ts";
import { markOf, putMark, type Draft } from "./draft.ts";
import { FAILED, type PlanNode } from "./layout.ts";
import { count, finish } from "./walk.ts";

export type Result = "ok" | "failed" | "skipped" | "archived";

/** For good: its `onFailed` is taken, or it is open until a person decides. */
export function fail(draft: Draft, node: PlanNode, planned: number): void {
  if (node.out.some(({ ways }) => ways.includes(FAILED))) {
    finish(draft, node, { status: "failed", way: FAILED, planned });
    draft.took.push(node.name);
    return;
  }
  putMark(draft, node.name, { ...markOf(draft, node.name), status: "failed" });
  count(draft, node, "failed", 1);
}

/** A person has sent it again: it stands there once more. */
export function reopen(draft: Draft, node: PlanNode, mark: NodeMark): void {
  putMark(draft, node.name, { ...mark, status: "waiting" });
  count(draft, node, "failed", -1);
}

/** It has failed, and nothing has begun of what was to follow that. */
export function mayTurn(position: Pick<JourneyPosition, "nodes">, node: PlanNode, mark: NodeMark): boolean {
  const isAhead = node.out.every(({ ways, to }) => !ways.includes(FAILED) || markOf(position, to).status === "pending");
  return mark.status === "failed" && mark.way === FAILED && isAhead;
}
