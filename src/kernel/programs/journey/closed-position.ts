// The position of a journey whose execution has failed or was canceled. Nodes in progress are skipped. A call in flight still ends, and
// its success is recorded in its node. No node starts any more.
import type { JourneyPosition, NodeMark } from "#schema/engine/state.ts";
import { awaitsAnswer } from "./await-answer.ts";
import type { Plan } from "./journey-plan.ts";
import { isOpenFailure, markOf } from "./move-draft.ts";
import { resultIn } from "./run-outcomes.ts";

/** Skips the nodes in progress, with this reason. Only nodes that have failed stay active. */
export function closePosition(position: JourneyPosition, reason: string): JourneyPosition {
  const open = position.states.filter((name) => markOf(position, name).status === "waiting");
  const closed = open.map((name): [string, NodeMark] => [
    name,
    { ...markOf(position, name), status: "skipped", reason },
  ]);
  const states = position.states.filter((name) => !open.includes(name));
  const counts = { ...position.counts, skipped: position.counts.skipped + open.length };
  const nodes = { ...position.nodes, ...Object.fromEntries(closed) };
  return { ...position, nodes, states, counts, done: position.done || states.length === 0 };
}

/**
 * Records the success of a node that was in progress when the journey ended, or that had failed. null if the event is no
 * such success.
 */
export function recordLateResult(plan: Plan, position: JourneyPosition, type: string): JourneyPosition | null {
  const found = resultIn(plan, type);
  if (found?.result !== "ok" || awaitsAnswer(found.node)) return null;
  const { name } = found.node;
  const mark = markOf(position, name);
  if (mark.each !== undefined || !(isClosed(mark) || isOpenFailure(mark))) return null;
  const { reason: _reason, ...rest } = mark;
  const [endings, counts] = [position.endings + 1, { ...position.counts }];
  counts[isClosed(mark) ? "skipped" : "failed"] -= 1;
  return {
    ...position,
    nodes: { ...position.nodes, [name]: { ...rest, status: "done", ended: endings } },
    states: position.states.filter((each) => each !== name),
    endings,
    counts: { ...counts, done: counts.done + 1 },
  };
}

/** Whether the node was skipped because the journey ended. All other skipped nodes have a position among the endings. */
function isClosed({ status, ended }: NodeMark): boolean {
  return status === "skipped" && ended === undefined;
}
