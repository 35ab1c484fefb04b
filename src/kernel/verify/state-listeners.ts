// Listeners of a machine by event type, and the transitions by which a state is left without an event.
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

/**
 * Finds the first state that listens for a type and can be active together with `start`: one of them is inside the
 * other, or they are in different regions. The time depends only on how deep the states are nested.
 */
export type FindActiveListener = (type: string, start: GraphNode) => GraphNode | undefined;

export function openActiveListeners(listeners: Listeners): FindActiveListener {
  const known = new Map<string, ListenerRanks>();
  return (type, start) => {
    const list = listeners.get(type);
    if (list === undefined) return undefined;
    const ranked = known.get(type) ?? ranksOf(list);
    known.set(type, ranked);
    return list[firstActiveRank(ranked, start)]?.at;
  };
}

/**
 * Listeners for one type, ranked in the order of the definition. `own`: the rank of each listening state. `inside`: for
 * each state, the lowest rank of a listener inside it.
 */
type ListenerRanks = { readonly own: ReadonlyMap<GraphNode, number>; readonly inside: ReadonlyMap<GraphNode, number> };

function ranksOf(list: readonly Listener[]): ListenerRanks {
  const own = new Map(list.map(({ at }, n) => [at, n]));
  const inside = new Map<GraphNode, number>();
  for (const [at, n] of own) for (const each of lineage(at)) if (!inside.has(each)) inside.set(each, n);
  return { own, inside };
}

/** The lowest rank of a listener that can be active together with `start`; -1 if there is none. */
function firstActiveRank({ own, inside }: ListenerRanks, start: GraphNode): number {
  const beside = lineage(start).flatMap((at) => {
    const { parent } = at;
    const others = parent?.node.type === "parallel" ? parent.children.filter((each) => each !== at) : [];
    return [own.get(at), ...others.map((each) => inside.get(each))];
  });
  const ranks = [inside.get(start), ...beside].filter((rank) => rank !== undefined);
  return ranks.length === 0 ? -1 : Math.min(...ranks);
}

/**
 * Whether a delay leaves a state, cached by state. Thousands of actions may start inside one state with many delays.
 */
const leftByDelay = new WeakMap<GraphNode, boolean>();

export function isLeftByDelay(start: GraphNode): boolean {
  const known = leftByDelay.get(start);
  if (known !== undefined) return known;
  const { node, parent } = start;
  const leads = Object.values(node.after ?? {}).some((list) =>
    transitionList(list).some(({ target }) => target !== undefined),
  );
  const found = leads || (parent !== null && isLeftByDelay(parent));
  leftByDelay.set(start, found);
  return found;
}

/** Whether the state is left by an event whose type starts with none of the given prefixes. */
export function isLeftByOtherEvent(start: GraphNode, types: readonly string[]): boolean {
  return lineage(start).some(({ node }) =>
    Object.entries(node.on ?? {}).some(
      ([type, list]) =>
        !types.some((each) => type.startsWith(each)) && transitionList(list).some(({ target }) => target !== undefined),
    ),
  );
}
