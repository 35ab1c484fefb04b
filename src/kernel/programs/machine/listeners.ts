// The listeners of a machine at its position: every transition with its guard. No rule is evaluated here.
import type { Transition, Transitions } from "#schema/definition/definition.ts";
import type { Listener } from "../../execution/program.ts";
import { activeNodes, ROOT, targetList, targetNode, transitionList, type Graph, type GraphNode } from "./graph.ts";
import { transitionPointer } from "./pointers.ts";

/** Lists the listeners in the order in which XState evaluates transitions: from the innermost states outwards. */
export function listenersOf(graph: Graph, leaves: readonly string[]): readonly Listener[] {
  return [...activeNodes(graph, leaves)].toSorted((a, b) => b.depth - a.depth).flatMap((at) => listenersAt(graph, at));
}

function listenersAt(graph: Graph, at: GraphNode): readonly Listener[] {
  const { path, node } = at;
  const list = (transitions: Transitions, field: string, key: string | null, on: Listener["on"]): Listener[] =>
    transitionList(transitions).map((transition: Transition, index) => {
      const place = transitionPointer(path, field, key, transitions, index);
      const to = targetList(transition).map((target) => targetNode(graph, at, target).path);
      const { guard } = transition;
      if (guard === undefined) return { on, state: path, guard: null, at: place, to };
      return { on, state: path, guard, at: `${place}/guard`, to };
    });
  return [
    ...Object.entries(node.on ?? {}).flatMap(([type, each]) => list(each, "on", type, { kind: "event", type })),
    ...Object.entries(node.after ?? {}).flatMap(([delay, each]) =>
      list(each, "after", delay, { kind: "timer", timer: timerId(path, delay) }),
    ),
    ...(node.always === undefined ? [] : list(node.always, "always", null, { kind: "always" })),
  ];
}

/** The id of the timer of an `after` transition. */
export function timerId(path: string, expression: string): string {
  return `${path === ROOT ? "(root)" : path}/after/${expression}`;
}
