// The restart of a journey at one of its nodes. Nodes that had ended keep their result. Nodes before the chosen node
// that had not ended are skipped. The nodes after it start again, and so do nodes in parallel that were in progress.
import type { JourneyPosition, NodeMark } from "#schema/engine/state.ts";
import { beginNode } from "./begin-node.ts";
import { markOf, putMark, type Draft } from "./move-draft.ts";
import { NEXT, nodeOf, type Plan } from "./journey-plan.ts";
import { countEnded, EXITED, NOT_REACHED } from "./tokens.ts";

/** The nodes that start again: the node itself, the nodes after it, and nodes in parallel that had not ended. */
export function nodesStartingAgain(plan: Plan, position: JourneyPosition, name: string): ReadonlySet<string> {
  const below = reachableFrom(name, (each) => nodeOf(plan, each).out.map(({ to }) => to));
  const into = new Map<string, string[]>();
  for (const node of plan.nodes.values()) {
    for (const { to } of node.out) into.set(to, [...(into.get(to) ?? []), node.name]);
  }
  const above = reachableFrom(name, (each) => into.get(each) ?? []);
  const again = [...plan.nodes.keys()].filter(
    (each) => below.has(each) || (!above.has(each) && !hasEnded(markOf(position, each))),
  );
  return new Set(again);
}

export function restartAt(draft: Draft, before: JourneyPosition, name: string): void {
  const { plan, at } = draft;
  const again = nodesStartingAgain(plan, before, name);
  const stays = [...plan.nodes.keys()].filter((each) => !again.has(each));
  const passed = stays.filter((each) => !hasEnded(markOf(before, each)));
  for (const each of stays.toSorted((a, b) => endedAt(before, a) - endedAt(before, b))) {
    const mark = passed.includes(each) ? PASSED_MARK : markOf(before, each);
    draft.endings += 1;
    putMark(draft, each, { ...mark, ended: draft.endings });
    countEnded(draft, nodeOf(plan, each), mark.status, 1);
  }
  if (passed.length > 0) draft.skipped.set(BEFORE_RESTART, passed);
  draft.kept = before.kept;
  putMark(draft, name, { status: "waiting", since: at.now, planned: at.now });
  draft.states = [name];
  beginNode(draft, nodeOf(plan, name), at.now);
  const edges = [...plan.starts, ...stays.flatMap((each) => nodeOf(plan, each).out)];
  for (const edge of edges) {
    if (edge.to === name || !again.has(edge.to)) continue;
    const mark = edge.from === "" ? STARTED : markOf(draft, edge.from);
    const way = wayOf(mark);
    draft.tokens.push({ edge, taken: way !== null && edge.ways.includes(way), planned: mark.planned ?? at.now });
  }
}

const BEFORE_RESTART = "before_restart";
const PASSED_MARK: NodeMark = { status: "skipped", reason: BEFORE_RESTART };
const STARTED: NodeMark = { status: "done" };

/**
 * Whether a node had ended before the restart. A node that was active at an exit does not count, because it may have
 * been waiting.
 */
function hasEnded({ status, ended, reason }: NodeMark): boolean {
  return ended !== undefined && status !== "pending" && status !== "waiting" && reason !== EXITED;
}

function endedAt(position: JourneyPosition, name: string): number {
  return markOf(position, name).ended ?? Infinity;
}

/**
 * The way by which a node ended. A mark without a way means `next`. null if the node has not ended or was not reached,
 * so that its edges were not taken.
 */
function wayOf({ status, way, reason }: NodeMark): string | null {
  if (way !== undefined) return way;
  if (status === "done") return NEXT;
  return status === "skipped" && reason !== NOT_REACHED && reason !== BEFORE_RESTART ? NEXT : null;
}

function reachableFrom(from: string, next: (name: string) => readonly string[]): ReadonlySet<string> {
  const found = new Set([from]);
  for (const name of found) for (const each of next(name)) found.add(each);
  return found;
}
