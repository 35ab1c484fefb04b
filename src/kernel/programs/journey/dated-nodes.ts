// Nodes of a journey that depend on a delay, with the outcome of each that has ended. A moved date may make an ended
// node run again.
import type { JourneyDefinition } from "#schema/definition/journey.ts";
import type { JourneyPosition } from "#schema/engine/state.ts";
import type { EndedNode } from "../../execution/program.ts";
import { markOf } from "./move-draft.ts";
import { kindOf } from "./journey-plan.ts";

export type DatedNode = Pick<EndedNode, "node" | "action" | "delay">;

export function datedNodes(definition: JourneyDefinition): readonly DatedNode[] {
  return Object.entries(definition.nodes).flatMap(([node, written]): readonly DatedNode[] => {
    const is = kindOf(written);
    if (is.kind === "acting" && is.node.delay !== undefined) return [{ node, action: node, delay: is.node.delay }];
    return is.kind === "delay" && is.node.until !== undefined ? [{ node, action: null, delay: is.node.until }] : [];
  });
}

/** The position after a moved date has started the node's action again. */
export function reactivateNode(position: JourneyPosition, node: string): JourneyPosition {
  const before = markOf(position, node);
  const { status, reason: _reason, way: _way, ended: _ended, awaits: _awaits, isPast: _isPast, ...mark } = before;
  if (status !== "done" && status !== "skipped") return position;
  const counts = { ...position.counts };
  counts[status] -= 1;
  const nodes = { ...position.nodes, [node]: { ...mark, status: "waiting" as const, isBack: true as const } };
  return { ...position, nodes, counts, states: [...position.states, node], done: false };
}

export function endedNodesOf(anchored: readonly DatedNode[], position: JourneyPosition): readonly EndedNode[] {
  return anchored.flatMap((one) => {
    const { status, reason = null } = markOf(position, one.node);
    return status === "done" || status === "failed" || status === "skipped" ? [{ ...one, how: status, reason }] : [];
  });
}
