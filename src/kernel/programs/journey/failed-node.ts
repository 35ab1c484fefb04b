// Permanent failures of a node's action, and their repair by an operator.
import type { JourneyPosition, NodeMark } from "#schema/engine/state.ts";
import { markOf, putMark, resultFields, type Draft } from "./move-draft.ts";
import { NOT_DECIDED } from "../../waiting/deadlines.ts";
import { FAILED, type PlanNode } from "./journey-plan.ts";
import { countEnded, endNode } from "./tokens.ts";

export type RunResult = "ok" | "failed" | "skipped" | "archived";

/**
 * Ends a node whose action has failed permanently, and follows its `onFailed`. A node without `onFailed`, or whose edges
 * have ended before, stays open until an operator decides.
 */
export function failNode(draft: Draft, node: PlanNode, planned: number): void {
  const { isBack } = markOf(draft, node.name);
  if (!isBack && node.out.some(({ ways }) => ways.includes(FAILED))) {
    endNode(draft, node, { status: "failed", way: FAILED, planned });
    draft.took.push(node.name);
    return;
  }
  putMark(draft, node.name, { ...markOf(draft, node.name), status: "failed" });
  countEnded(draft, node, "failed", 1);
  exhaust(draft);
}

/** Applies `onExhausted` of the action whose failure caused the move. */
export function exhaust(draft: Draft): void {
  draft.commands.push({ kind: "exhausted", run: resultFields(draft).run });
}

/** The reason in the mark of a node whose dead letter was archived, by an operator or because it has expired. */
export function archivedReason({ scope }: Draft): string {
  const { payload } = scope["message"] as { readonly payload: { readonly expired?: true } }; // The event of an archived run.
  return payload.expired ? NOT_DECIDED : "archived";
}

/** Reopens a failed node because an operator retries its action. The node then waits for the action's result again. */
export function reopenNode(draft: Draft, node: PlanNode, mark: NodeMark): void {
  putMark(draft, node.name, { ...mark, status: "waiting" });
  countEnded(draft, node, "failed", -1);
}

/** Whether the node has failed and none of the nodes after its failure has started yet. */
export function canTurnToSuccess(position: Pick<JourneyPosition, "nodes">, node: PlanNode, mark: NodeMark): boolean {
  const isAhead = node.out.every(({ ways, to }) => !ways.includes(FAILED) || markOf(position, to).status === "pending");
  return mark.status === "failed" && mark.way === FAILED && isAhead;
}
