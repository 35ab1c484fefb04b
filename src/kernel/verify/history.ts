// History states: finds transitions to a history state that change nothing, and default targets that XState cannot
// enter correctly.
import type { Finding } from "#schema/refusal.ts";
import { assert } from "../assert.ts";
import { lineage, nodeAt, resolveTarget, ROOT, type Graph, type GraphNode } from "../programs/machine/graph.ts";
import { pointer, statePointer } from "../programs/machine/pointers.ts";
import { finding } from "./finding.ts";

/** Errors of transitions to history states. `where`: the pointer of the field with the targets. */
export function historyTargetFindings(
  graph: Graph,
  from: GraphNode,
  targets: readonly string[],
  where: string,
): readonly Finding[] {
  return targets.flatMap((target) => {
    const path = resolveTarget(graph, from, target);
    const history = path === null ? null : nodeAt(graph, path);
    if (history?.node.type !== "history") return [];
    const found = fromInside(from, history, where) ?? defaultOutside(graph, { from, history, where });
    return found === null ? [] : [found];
  });
}

/**
 * An error for a transition from inside a parallel state to the history of this state. All regions are already active,
 * so the transition changes nothing.
 */
function fromInside(from: GraphNode, history: GraphNode, where: string): Finding | null {
  const { parent, path } = history;
  if (parent?.node.type !== "parallel" || !lineage(from).includes(parent)) return null;
  const hint = "Name the target states, or move the transition to a state outside the parallel state.";
  return finding(where, "history_from_inside", `every state that #${path} leads to is already active`, hint);
}

type HistoryTarget = { readonly from: GraphNode; readonly history: GraphNode; readonly where: string };

/**
 * An error for a default target outside the parent of the history state. XState would enter all ancestors of that
 * target, even active ones. After a transition from inside the parent, no state would be active.
 */
function defaultOutside(graph: Graph, { from, history, where }: HistoryTarget): Finding | null {
  const { parent: around } = history;
  assert(around, "a history state must be inside another state");
  const to = defaultOf(graph, history);
  if (to === null || isInside(to, around)) return null;
  const line = lineage(from);
  const meeting = lineage(to).find((at) => line.includes(at));
  const isApart = meeting?.path === ROOT && meeting.node.type !== "parallel" && meeting.node.entry === undefined;
  if (!line.includes(around) && (to === around || isApart)) return null;
  const message = `while the history state #${history.path} has no history, it leads to ${to.path}, which is not inside ${around.path}`;
  const hint = `Let #${history.path} have a target inside ${around.path}, or add a separate transition to #${to.path}.`;
  return finding(where, "history_leads_out", message, hint);
}

function isInside(at: GraphNode, around: GraphNode): boolean {
  return at !== around && lineage(at).includes(around);
}

/**
 * Errors for history states whose default targets lead back to themselves. With no recorded history, no state could be
 * entered.
 */
export function historyLoopFindings(graph: Graph): readonly Finding[] {
  const out: Finding[] = [];
  const open = new Set<GraphNode>();
  const done = new Set<GraphNode>();
  const enter = (at: GraphNode): void => {
    if (done.has(at)) return;
    if (open.has(at)) {
      const line = [...open];
      const history = line.slice(line.indexOf(at)).find(({ node }) => node.type === "history");
      assert(history, "a state that is entered by default must be nested deeper than the state that enters it");
      out.push(historyLoop(history));
      return;
    }
    open.add(at);
    enteredWith(graph, at).forEach(enter);
    open.delete(at);
    done.add(at);
  };
  for (const at of graph.values()) enter(at);
  return out;
}

function enteredWith(graph: Graph, at: GraphNode): readonly GraphNode[] {
  const { node, children } = at;
  if (node.type === "history") return [defaultOf(graph, at) ?? at.parent].filter((to) => to !== null);
  if (node.type === "parallel") return children.filter((child) => child.node.type !== "history");
  return children.filter(({ key }) => key === node.initial);
}

/** The default target of a history state. null if it has none; the parent's initial state is then entered. */
function defaultOf(graph: Graph, history: GraphNode): GraphNode | null {
  const { target } = history.node;
  const path = target === undefined ? null : resolveTarget(graph, history, target);
  return path === null ? null : nodeAt(graph, path);
}

function historyLoop({ path, node }: GraphNode): Finding {
  const where = pointer(statePointer(path), node.target === undefined ? "" : "target");
  const hint = "Give the history state a target that does not depend on this history.";
  return finding(
    where,
    "history_loop",
    `the history state ${path} leads back to itself as long as it has no history`,
    hint,
  );
}
