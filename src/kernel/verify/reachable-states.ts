// States that cannot be reached, and states that cannot be left.
import type { MachineDefinition } from "#schema/definition/definition.ts";
import type { Warning } from "#schema/refusal.ts";
import {
  graphOf,
  lineage,
  nodeAt,
  resolveTarget,
  ROOT,
  targetList,
  transitionList,
  transitionsOf,
  type Graph,
  type GraphNode,
} from "../programs/machine/graph.ts";
import { pointer, statePointer } from "../programs/machine/pointers.ts";
import { warning } from "./finding.ts";

export function reachWarnings(definition: MachineDefinition): readonly Warning[] {
  const graph = graphOf(definition);
  const reached = reachableStates(graph);
  const isMovedBeside = openRegions(graph);
  const leading = new Set([...graph.values()].filter(canLeadOn));
  const scheduled = new Set((definition.actions ?? []).flatMap((each) => (each.schedule ? [each.triggerState] : [])));
  const isOpen = (at: GraphNode): boolean => {
    const line = lineage(at);
    if (line.some((each) => leading.has(each) || scheduled.has(each.path))) return true;
    return (at.node.type === "final" && isEndHandled(at)) || line.some(isMovedBeside);
  };
  return [...graph.values()].flatMap((at) => {
    if (reached.has(at)) return isEnd(at) || isOpen(at) ? [] : [deadEndWarning(at)];
    const isOutermost = at.parent !== null && reached.has(at.parent);
    return isOutermost && at.node.type !== "history" ? [unreachableWarning(at)] : [];
  });
}

/**
 * The states that can be reached if every guard may be true. A history state leads to all states inside its parent, and
 * to its default target.
 */
export function reachableStates(graph: Graph): ReadonlySet<GraphNode> {
  const active = new Set<GraphNode>();
  const entered = new Set<GraphNode>();
  const work: GraphNode[] = [];
  const activate = (at: GraphNode): void => {
    if (active.has(at)) return;
    active.add(at);
    work.push(at);
    if (at.parent === null) return;
    activate(at.parent);
    if (at.parent.node.type === "parallel") at.parent.children.filter((other) => other !== at).forEach(enter);
  };
  const enter = (at: GraphNode): void => {
    if (entered.has(at)) return;
    entered.add(at);
    activate(at);
    const { initial, type, target } = at.node;
    if (type === "parallel") at.children.forEach(enter);
    const first = at.children.find(({ key }) => key === initial);
    if (first) enter(first);
    const past =
      type === "history" ? (target === undefined ? at.parent?.path : resolveTarget(graph, at, target)) : null;
    if (typeof past === "string") enter(nodeAt(graph, past));
  };
  enter(nodeAt(graph, ROOT));
  for (let at = work.pop(); at !== undefined; at = work.pop()) {
    for (const path of targetsOf(graph, at)) enter(nodeAt(graph, path));
  }
  return active;
}

function targetsOf(graph: Graph, at: GraphNode): readonly string[] {
  return transitionsOf(at.node)
    .flatMap(({ list }) => transitionList(list).flatMap(targetList))
    .map((target) => resolveTarget(graph, at, target))
    .filter((path) => path !== null);
}

function unreachableWarning(at: GraphNode): Warning {
  const fix = `Name the state as a transition's target ("#${at.path}" works anywhere) or as an initial state, or remove the state.`;
  return warning(statePointer(at.path), "unreachable_state", `no transition leads to the state ${at.path}`, { fix });
}

/** True if this state needs no way out, because the execution ends in it or never waits in exactly this state. */
function isEnd({ node, parent, children }: GraphNode): boolean {
  return (
    node.type === "history" ||
    children.length > 0 ||
    parent === null ||
    (node.type === "final" && parent.parent === null)
  );
}

/**
 * Whether a transition of the state can be taken more than once. A transition that only records an action's result is
 * taken once.
 */
function canLeadOn({ node }: GraphNode): boolean {
  return transitionsOf(node).some(({ field, key, list }) => {
    if (field === "onDone") return false;
    const isOnce = key?.startsWith("action.") === true;
    return (
      !isOnce || transitionList(list).some(({ target, actions = [] }) => target !== undefined || actions.length > 0)
    );
  });
}

/**
 * Whether the end of a nested final state has a listener. The parent may listen. If the parent is a region, the
 * parallel state may listen for the end of all its regions.
 */
function isEndHandled({ parent }: GraphNode): boolean {
  if (!parent?.parent || parent.node.onDone !== undefined) return true;
  return parent.parent.node.type === "parallel" && isEndHandled(parent);
}

/**
 * Returns a function about a region of a parallel state: whether another region leaves the parallel state, or moves the
 * given region. Each region is searched once.
 */
function openRegions(graph: Graph): (region: GraphNode) => boolean {
  const known = new Map<GraphNode, boolean>();
  const targets = new Map<GraphNode, readonly string[]>();
  const targetsIn = (child: GraphNode): readonly string[] => {
    const found = targets.get(child) ?? [...new Set(allWithin(child).flatMap((each) => targetsOf(graph, each)))];
    targets.set(child, found);
    return found;
  };
  const look = (region: GraphNode, around: GraphNode): boolean => {
    const moves = (path: string): boolean => isInside(region, path) || !isInside(around, path);
    return around.children.some((child) => child !== region && targetsIn(child).some(moves));
  };
  return (region) => {
    if (region.parent?.node.type !== "parallel") return false;
    const isMoved = known.get(region) ?? look(region, region.parent);
    known.set(region, isMoved);
    return isMoved;
  };
}

function isInside(around: GraphNode, path: string): boolean {
  return around.path === ROOT || path === around.path || path.startsWith(`${around.path}.`);
}

function allWithin(at: GraphNode): readonly GraphNode[] {
  return [at, ...at.children.flatMap(allWithin)];
}

function deadEndWarning(at: GraphNode): Warning {
  const where = statePointer(at.path);
  if (at.node.type === "final") {
    const around = String(at.parent?.path);
    const message = `the final state ${at.path} ends ${around}, but ${around} has no onDone: the execution waits there until it is canceled`;
    return warning(where, "dead_end", message, { fix: `Add an onDone to ${around}.` });
  }
  const message = `no transition leaves the state ${at.path}: an execution that reaches it fails as stuck, or waits until it is canceled`;
  const isOnTop = at.parent?.parent === null && transitionsOf(at.node).length === 0;
  const fix = isOnTop
    ? 'Make the state final ({ "type": "final" }), or add a transition for an event or a delay.'
    : "Add a transition for an event or a delay.";
  const patch = isOnTop ? [{ op: "add", path: pointer(where, "type"), value: "final" } as const] : null;
  return warning(where, "dead_end", message, { fix, patch });
}
