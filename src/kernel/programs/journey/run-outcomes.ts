// Outcomes of a node whose run has ended: done, permanently failed or skipped. Also applies the result of a run that an
// operator has retried.
import type { NodeMark } from "#schema/engine/state.ts";
import { beginAwait, awaitsAnswer } from "./await-answer.ts";
import { assignAll, isOpenFailure, markOf, putMark, type Draft } from "./move-draft.ts";
import { archivedReason, exhaust, failNode, canTurnToSuccess, reopenNode, type RunResult } from "./failed-node.ts";
import { NEXT, nodePointer, type Plan, type PlanNode } from "./journey-plan.ts";
import { applyItemResult } from "./repeated-node.ts";
import { keepResult } from "./compensation.ts";
import { hasAction, countEnded, EXITED, endNode } from "./tokens.ts";
import { turnToNext } from "./turn-to-success.ts";

/**
 * Parses an event type of the form `action.<node>.<result>`. Returns null for any other type, and for a node without an
 * action.
 */
export function resultIn(plan: Plan, type: string): { readonly node: PlanNode; readonly result: RunResult } | null {
  const found = /^action\.([^.]+)\.(ok|failed|skipped|archived)$/.exec(type);
  const node = found?.[1] === undefined ? undefined : plan.nodes.get(found[1]);
  return node === undefined || !hasAction(node) ? null : { node, result: found?.[2] as RunResult }; // The regular expression allows only these four results.
}

/** Applies the result of a run to its node. Returns false if the result has no effect any more. */
export function applyRunResult(draft: Draft, node: PlanNode, result: RunResult): boolean {
  const mark = markOf(draft, node.name);
  if (mark.status === "pending") return false;
  const { planned } = draft.at;
  if (node.is.kind === "each") return applyItemResult(draft, node, node.is, result);
  const isOpen = mark.status === "waiting" || isOpenFailure(mark);
  switch (result) {
    case "ok":
      return applySuccess(draft, node, mark, planned);
    case "failed":
      if (!isOpen) return false;
      // An operator has retried the action of a failed node, and it has failed again.
      if (mark.status === "failed") exhaust(draft);
      else failNode(draft, node, planned);
      return true;
    case "skipped":
      if (!isOpen) return false;
      endNode(draft, node, { status: "skipped", way: NEXT, planned, reason: reasonIn(draft) });
      return true;
    case "archived":
      if (!isOpenFailure(mark)) return false;
      endNode(draft, node, { status: "failed", way: null, planned, reason: archivedReason(draft) });
      return true;
  }
}

/**
 * Records the success of a call that was in flight when the journey was exited. A single success does not end a
 * repeated node, or a node that waits for an answer.
 */
export function recordLateSuccess(draft: Draft, node: PlanNode): boolean {
  const mark = markOf(draft, node.name);
  if (mark.reason !== EXITED || awaitsAnswer(node) || mark.each !== undefined) return false;
  markDone(draft, node, mark);
  return true;
}

/** Marks a node as done, but does not start the nodes after it. */
function markDone(draft: Draft, node: PlanNode, mark: NodeMark): void {
  const { reason: _reason, way: _way, ...rest } = mark;
  countEnded(draft, node, mark.status, -1);
  countEnded(draft, node, "done", 1);
  draft.endings += 1;
  putMark(draft, node.name, { ...rest, status: "done", ended: draft.endings });
}

function applySuccess(draft: Draft, node: PlanNode, before: NodeMark, planned: number): boolean {
  if (before.status === "done") return false;
  const mark = keepResult(draft, node, before);
  if (awaitsAnswer(node) && (mark.status === "waiting" || isOpenFailure(mark))) {
    if (isOpenFailure(mark)) reopenNode(draft, node, mark);
    beginAwait(draft, node);
    return true;
  }
  assignAll(draft, "assign" in node.is.node ? node.is.node.assign : undefined, nodePointer(node.name));
  if (mark.status === "waiting" || isOpenFailure(mark)) {
    endNode(draft, node, { status: "done", way: NEXT, planned });
    return true;
  }
  // The failure has already ended the node's edges, and a late success does not change them. An exception is a failure
  // after which no node has started: its edges change to those of a success.
  const turns = canTurnToSuccess(draft, node, mark);
  markDone(draft, node, mark);
  if (turns) turnToNext(draft, node, planned);
  return true;
}

/** The `reason` field of an event that the engine sends about a run or a timer. */
export function reasonIn({ scope }: Draft): string {
  const { payload } = scope["message"] as { readonly payload: { readonly reason: string } };
  return payload.reason;
}
