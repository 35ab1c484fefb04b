// What a journey's marks must be once some of its nodes have ended: worked out from nothing by looking at all nodes and all
// ways again and again until nothing changes. It knows the table of joins, and nothing of how the planner goes about it.
import type { Graph, Planned } from "./random-journeys.ts";
import { wayOf } from "./random-journeys.ts";

export type Mark = "pending" | "waiting" | "ended" | "skipped";
type Edge = "open" | "taken" | "dead";

/** `ended`: actions, waits and delays that have ended as they are fated to; what decides by itself does so at once. */
export function marksAfter(graph: Graph, ended: ReadonlySet<string>): { readonly [name: string]: Mark } {
  const marks: Record<string, Mark> = Object.fromEntries(graph.nodes.map(({ name }) => [name, "pending"]));
  let hasChanged = true;
  while (hasChanged) {
    hasChanged = false;
    for (const node of graph.nodes) {
      const mark = markOf(node, edgesInto(graph, node.name, marks), ended);
      if (marks[node.name] === mark) continue;
      marks[node.name] = mark;
      hasChanged = true;
    }
  }
  return marks;
}

function edgesInto(graph: Graph, name: string, marks: { readonly [name: string]: Mark }): readonly Edge[] {
  const into = graph.ways
    .filter(({ to }) => to === name)
    .map(({ from, on }): Edge => {
      const mark = marks[from];
      if (mark === "skipped") return "dead";
      if (mark !== "ended") return "open";
      const node = graph.nodes.find((each) => each.name === from);
      return node !== undefined && wayOf(node) === on ? "taken" : "dead";
    });
  return graph.first.includes(name) ? [...into, "taken"] : into;
}

function markOf({ name, shape, join }: Planned, edges: readonly Edge[], ended: ReadonlySet<string>): Mark {
  const count = (state: Edge): number => edges.filter((edge) => edge === state).length;
  const [taken, open] = [count("taken"), count("open")];
  const begins = join === "all" ? open === 0 && taken > 0 : taken >= (join === "any" ? 1 : join.of);
  if (begins) return ended.has(name) || shape === "branch" || shape === "split" ? "ended" : "waiting";
  const never = join === "all" ? open === 0 : taken + open < (join === "any" ? 1 : join.of);
  return never ? "skipped" : "pending";
}
