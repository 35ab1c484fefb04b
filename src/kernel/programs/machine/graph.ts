// A machine's states as a flat table of paths, and what can be reached from where. Pure structure: no guard is asked.
import type { MachineDefinition, StateNode, Transition, Transitions } from "#schema/definition.ts";
import type { Outlook } from "../../program.ts";

export type GraphNode = {
  readonly path: string;
  readonly parent: string | null;
  readonly depth: number;
  readonly node: StateNode;
  readonly children: readonly string[];
};

export type Graph = ReadonlyMap<string, GraphNode>;

/** The root's path is the empty string; a nested state's path joins its keys with dots. */
export const ROOT = "";

export function graphOf(definition: MachineDefinition): Graph {
  const nodes = new Map<string, GraphNode>();
  const visit = (path: string, parent: string | null, depth: number, node: StateNode): void => {
    const children = Object.keys(node.states ?? {}).map((key) => join(path, key));
    nodes.set(path, { path, parent, depth, node, children });
    for (const [key, child] of Object.entries(node.states ?? {})) visit(join(path, key), path, depth + 1, child);
  };
  const { initial, states, on, after, always, onDone, entry, exit, type } = definition;
  visit(ROOT, null, 0, { initial, states, on, after, always, onDone, entry, exit, type });
  return nodes;
}

export function join(path: string, key: string): string {
  return path === ROOT ? key : `${path}.${key}`;
}

export function transitionList(transitions: Transitions | undefined): readonly Transition[] {
  if (transitions === undefined) return [];
  if (typeof transitions === "string") return [{ target: transitions }];
  return Array.isArray(transitions) ? transitions : [transitions];
}

export function targetList(transition: Transition): readonly string[] {
  if (transition.target === undefined) return [];
  return typeof transition.target === "string" ? [transition.target] : transition.target;
}

/** "#a.b" is a path from the top, ".b" a child, "b" a sibling (of the root: one of its states). */
export function resolveTarget(graph: Graph, from: GraphNode, target: string): string | null {
  const path = target.startsWith("#")
    ? target.slice(1)
    : target.startsWith(".")
      ? join(from.path, target.slice(1))
      : join(from.parent ?? ROOT, target);
  return graph.has(path) && path !== ROOT ? path : null;
}

/** Every transition a node has, with the name of the field it stands in. */
export function transitionsOf(node: StateNode): readonly { field: string; key: string | null; list: Transitions }[] {
  const out: { field: string; key: string | null; list: Transitions }[] = [];
  for (const [key, list] of Object.entries(node.on ?? {})) out.push({ field: "on", key, list });
  for (const [key, list] of Object.entries(node.after ?? {})) out.push({ field: "after", key, list });
  if (node.always !== undefined) out.push({ field: "always", key: null, list: node.always });
  if (node.onDone !== undefined) out.push({ field: "onDone", key: null, list: node.onDone });
  return out;
}

export function ancestors(graph: Graph, path: string): readonly GraphNode[] {
  const out: GraphNode[] = [];
  for (let node = graph.get(path); node; node = node.parent === null ? undefined : graph.get(node.parent)) {
    out.push(node);
  }
  return out;
}

/** Paths of the innermost active states of an XState value. */
export function leavesOf(value: unknown, path: string = ROOT): readonly string[] {
  if (typeof value === "string") return [join(path, value)];
  const entries = Object.entries(value as Record<string, unknown>); // a state value is a string or a record of them
  return entries.length === 0 ? [path] : entries.flatMap(([key, inner]) => leavesOf(inner, join(path, key)));
}

/** Where an event stands: an event for a state ahead is early and worth keeping, one for a state behind is late. */
export function outlook(graph: Graph, active: readonly string[], type: string): Outlook {
  const handles = ({ node }: GraphNode): boolean => node.on?.[type] !== undefined || node.on?.["*"] !== undefined;
  if (active.some((path) => ancestors(graph, path).some(handles))) return "now";
  for (const path of reachable(graph, active)) if (ancestors(graph, path).some(handles)) return "later";
  for (const node of graph.values()) if (handles(node)) return "late";
  return "unknown";
}

function reachable(graph: Graph, from: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const work = [...from];
  for (let path = work.pop(); path !== undefined; path = work.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    for (const at of ancestors(graph, path)) {
      for (const { list } of transitionsOf(at.node)) {
        for (const transition of transitionList(list)) {
          for (const target of targetList(transition)) work.push(...within(graph, resolveTarget(graph, at, target)));
        }
      }
    }
  }
  return seen;
}

/** Entering a state may enter any state below it: history and initial states are not told apart here. */
function within(graph: Graph, path: string | null): readonly string[] {
  const node = path === null ? undefined : graph.get(path);
  return node ? [node.path, ...node.children.flatMap((child) => within(graph, child))] : [];
}
