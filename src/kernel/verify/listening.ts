// Listeners by state, and the other ways to leave a state.
import type { Transitions } from "#schema/definition/definition.ts";
import { lineage, transitionList, type Graph, type GraphNode } from "../programs/machine/graph.ts";

export type Listener = { readonly at: GraphNode; readonly list: Transitions };
export type Listeners = ReadonlyMap<string, readonly Listener[]>;

export function listenersIn(graph: Graph): Listeners {
  const found = new Map<string, Listener[]>();
  for (const at of graph.values()) {
    for (const [type, list] of Object.entries(at.node.on ?? {})) {
      const others = found.get(type) ?? [];
      others.push({ at, list });
      found.set(type, others);
    }
  }
  return found;
}

/** Both can be active at once: one is inside the other, or they are in different regions. */
export function areTogether(a: GraphNode, b: GraphNode): boolean {
  const above = lineage(a);
  const below = new Set(lineage(b));
  const meeting = above.find((each) => below.has(each));
  return meeting === a || meeting === b || meeting?.node.type === "parallel";
}

export function isTimed(start: GraphNode): boolean {
  return lineage(start).some(({ node }) =>
    Object.values(node.after ?? {}).some((list) => transitionList(list).some(({ target }) => target !== undefined)),
  );
}

/** An event whose type starts with none of these leaves the state. */
export function isLeftOtherwise(start: GraphNode, types: readonly string[]): boolean {
  return lineage(start).some(({ node }) =>
    Object.entries(node.on ?? {}).some(
      ([type, list]) =>
        !types.some((each) => type.startsWith(each)) && transitionList(list).some(({ target }) => target !== undefined),
    ),
  );
}
