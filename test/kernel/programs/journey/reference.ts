// What a journey's marks must be once some of its nodes have ended: worked out from nothing by looking at all nodes and all
// ways again and again until nothing changes. It knows the table of joins, and nothing of how the planner goes about it.
import { type Graph, type Planned, wayOf } from "./random-journeys.ts";

export type Mark = "pending" | "waiting" | "ended" | "skipped";
type Edge = "open" | "taken" | "dead";

export type Past = {
  /** Actions, waits and delays that have ended as they are fated to; what decides by itself does so at once. */
  readonly ended: ReadonlySet<string>;
  /** Failures that have become successes before anything began of what was to follow them. */
  readonly turned: ReadonlySet<string>;
  /** What has begun stays begun, whatever becomes of the ways that led to it. */
  readonly begun: ReadonlySet<string>;
};

export function marksAfter(graph: Graph, past: Past): { readonly [name: string]: Mark } {
  const marks: Record<string, Mark> = Object.fromEntries(graph.nodes.map(({ name }) => [name, "pending"]));
  let hasChanged = true;
  while (hasChanged) {
    hasChanged = false;
    for (const node of graph.nodes) {
      const mark = markOf(node, edgesInto(graph, node.name, marks, past), past);
      if (marks[node.name] === mark) continue;
      marks[node.name] = mark;
      hasChanged = true;
    }
  }
  return marks;
}

type Marks = { readonly [name: string]: Mark };

function edgesInto(graph: Graph, name: string, marks: Marks, { turned }: Past): readonly Edge[] {
  const into = graph.ways
    .filter(({ to }) => to === name)
    .map(({ from, on }): Edge => {
      const mark = marks[from];
      if (mark === "skipped") return "dead";
      if (mark !== "ended") return "open";
      const node = graph.nodes.find((each) => each.name === from);
      const way = node === undefined ? null : turned.has(from) ? "next" : wayOf(node);
      return way === on ? "taken" : "dead";
    });
  return graph.first.includes(name) ? [...into, "taken"] : into;
}

function markOf({ name, shape, join }: Planned, edges: readonly Edge[], { ended, begun }: Past): Mark {
  const count = (state: Edge): number => edges.filter((edge) => edge === state).length;
  const [taken, open] = [count("taken"), count("open")];
  const begins = begun.has(name) || isEnough(join, taken, open);
  if (begins) return ended.has(name) || shape === "branch" || shape === "split" ? "ended" : "waiting";
  const never = join === "all" ? open === 0 : taken + open < (join === "any" ? 1 : join.of);
  return never ? "skipped" : "pending";
}

function isEnough(join: Planned["join"], taken: number, open: number): boolean {
  if (join === "all") return open === 0 && taken > 0;
  return taken >= (join === "any" ? 1 : join.of);
}
