// The states of a machine as a table by path, and the states that can be reached from each. Guards are not evaluated,
// so each transition counts as possible.
import type { MachineDefinition, StateNode, Transition, Transitions } from "#schema/definition/definition.ts";
import { PREDICTIONS_CACHED_MAX } from "#schema/limits/isolates/compiled-caches.ts";
import { assert } from "../../assert.ts";
import type { EventTiming } from "../../execution/program.ts";

export type GraphNode = {
  readonly path: string;
  readonly key: string;
  readonly parent: GraphNode | null;
  readonly depth: number;
  readonly node: StateNode;
  readonly children: readonly GraphNode[];
};

export type Graph = ReadonlyMap<string, GraphNode>;

/** The path of the root is the empty string. The path of a nested state is its keys joined by dots. */
export const ROOT = "";

export function graphOf(definition: MachineDefinition): Graph {
  const nodes = new Map<string, GraphNode>();
  const visit = (key: string, parent: GraphNode | null, node: StateNode): GraphNode => {
    const children: GraphNode[] = [];
    const path = parent === null ? ROOT : join(parent.path, key);
    const at = { path, key, parent, depth: parent === null ? 0 : parent.depth + 1, node, children };
    nodes.set(path, at);
    for (const [name, child] of Object.entries(node.states ?? {})) children.push(visit(name, at, child));
    return at;
  };
  const { initial, states, on, after, always, onDone, entry, exit, type } = definition;
  visit(ROOT, null, { initial, states, on, after, always, onDone, entry, exit, type });
  return nodes;
}

export function nodeAt(graph: Graph, path: string): GraphNode {
  const node = graph.get(path);
  assert(
    node,
    `the state ${path} must be in the definition, because verify refuses definitions that name other states`,
  );
  return node;
}

export function join(path: string, key: string): string {
  return path === ROOT ? key : `${path}.${key}`;
}

export function transitionList(transitions: Transitions): readonly Transition[] {
  if (typeof transitions === "string") return [{ target: transitions }];
  return Array.isArray(transitions) ? transitions : [transitions];
}

export function targetList(transition: Transition): readonly string[] {
  if (transition.target === undefined) return [];
  return typeof transition.target === "string" ? [transition.target] : transition.target;
}

/**
 * The path that a target means; null if no such state exists. "#a.b" is a path from the root, ".b" is a child, and "b"
 * is a sibling. In a transition of the root, "b" is a child of the root.
 */
export function resolveTarget(graph: Graph, from: GraphNode, target: string): string | null {
  const path = target.startsWith("#")
    ? target.slice(1)
    : target.startsWith(".")
      ? join(from.path, target.slice(1))
      : join((from.parent ?? from).path, target);
  return graph.has(path) && path !== ROOT ? path : null;
}

/** The target of a transition. The definition was verified, so the target exists. */
export function targetNode(graph: Graph, from: GraphNode, target: string): GraphNode {
  return nodeAt(graph, resolveTarget(graph, from, target) ?? target);
}

/** Every transition of a state, with the field that contains it. */
export function transitionsOf(node: StateNode): readonly { field: string; key: string | null; list: Transitions }[] {
  const out: { field: string; key: string | null; list: Transitions }[] = [];
  for (const [key, list] of Object.entries(node.on ?? {})) out.push({ field: "on", key, list });
  for (const [key, list] of Object.entries(node.after ?? {})) out.push({ field: "after", key, list });
  if (node.always !== undefined) out.push({ field: "always", key: null, list: node.always });
  if (node.onDone !== undefined) out.push({ field: "onDone", key: null, list: node.onDone });
  return out;
}

/** The state itself, followed by its ancestors up to the root. */
export function lineage(node: GraphNode): readonly GraphNode[] {
  return node.parent === null ? [node] : [node, ...lineage(node.parent)];
}

/** Every active state: the given innermost states and their ancestors. */
export function activeNodes(graph: Graph, leaves: readonly string[]): ReadonlySet<GraphNode> {
  return new Set(leaves.flatMap((path) => lineage(nodeAt(graph, path))));
}

/**
 * Whether an active state listens for this exact type; a wildcard does not count. `near`: searches only states that
 * contain these states, or that are in the same regions; null: all active states.
 */
export function awaits(graph: Graph, leaves: readonly string[], type: string, near: readonly string[] | null): boolean {
  const listening = [...activeNodes(graph, leaves)].filter(({ node }) => Object.hasOwn(node.on ?? {}, type));
  const isNear = (at: GraphNode): boolean =>
    near?.some((path) => !areInDifferentRegions(at, nodeAt(graph, path))) ?? true;
  return listening.some(isNear);
}

/** Whether the two states are in different regions of one parallel state. */
function areInDifferentRegions(one: GraphNode, other: GraphNode): boolean {
  const above = new Set(lineage(other));
  const meeting = lineage(one).find((at) => above.has(at));
  return meeting !== one && meeting !== other && meeting?.node.type === "parallel";
}

/** Paths of the innermost active states, from a state value of XState. */
export function leavesOf(value: unknown, path: string = ROOT): readonly string[] {
  if (typeof value === "string") return [join(path, value)];
  const entries = Object.entries(value as Record<string, unknown>); // A state value of XState is a string, or an object whose fields are state values.
  return entries.length === 0 ? [path] : entries.flatMap(([key, inner]) => leavesOf(inner, join(path, key)));
}

type Types = ReadonlySet<string>;
type Seen = { readonly now: Types; readonly later: Types };

/**
 * Classifies an event at a position. The event is early if a state ahead listens for it, and late if only states behind
 * do. The result is cached by position, because many executions share a position.
 */
export function openEventTiming(graph: Graph): (leaves: readonly string[], type: string) => EventTiming {
  const anywhere = typesOf(graph.values());
  const known = new Map<string, Seen>();
  const look = (leaves: readonly string[]): Seen => {
    const active = activeNodes(graph, leaves);
    return { now: typesOf(active), later: typesOf(reachable(graph, active)) };
  };
  return (leaves, type) => {
    const key = leaves.join(",");
    const seen = known.get(key) ?? look(leaves);
    if (known.size >= PREDICTIONS_CACHED_MAX) known.clear();
    known.set(key, seen);
    if (listensFor(seen.now, type)) return "now";
    if (listensFor(seen.later, type)) return "later";
    return listensFor(anywhere, type) ? "late" : "unknown";
  };
}

/** The event types for which at least one of these states listens, including the wildcard. */
export function typesOf(nodes: Iterable<GraphNode>): Types {
  return new Set([...nodes].flatMap(({ node }) => Object.keys(node.on ?? {})));
}

function listensFor(types: Types, type: string): boolean {
  return types.has(type) || types.has("*");
}

function reachable(graph: Graph, active: ReadonlySet<GraphNode>): ReadonlySet<GraphNode> {
  const seen = new Set<GraphNode>();
  const work = [...active];
  for (let at = work.pop(); at !== undefined; at = work.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    const targets = transitionsOf(at.node).flatMap(({ list }) => transitionList(list).flatMap(targetList));
    // If a history state has recorded nothing, its default target is entered.
    if (at.node.target !== undefined) targets.push(at.node.target);
    for (const target of targets) work.push(...enterableStates(at, targetNode(graph, at, target)));
  }
  return seen;
}

/**
 * The states that a transition may enter: the target, its ancestors and descendants, and all regions of the parallel
 * states on the way.
 */
function enterableStates(from: GraphNode, target: GraphNode): readonly GraphNode[] {
  const above = new Set(lineage(from));
  const opened = lineage(target).filter((at) => !above.has(at) && at.node.type === "parallel");
  // A history state may lead to any state inside its parent.
  const history = target.node.type === "history" ? lineage(target).slice(1, 2) : [];
  return [...lineage(target), ...[target, ...history, ...opened].flatMap(withDescendants)];
}

function withDescendants(at: GraphNode): readonly GraphNode[] {
  return [at, ...at.children.flatMap(withDescendants)];
}
