// The reference marks of a journey after some of its nodes have ended: recomputed from scratch by visiting all nodes
// and edges until nothing changes. It uses the table of joins, and nothing of the planner.
import { type Graph, type Planned, wayOf } from "./random-journeys.ts";

export type Mark = "pending" | "waiting" | "ended" | "skipped";
type Edge = "open" | "taken" | "dead";

export type Past = {
  /** Actions, waits and delays that have ended; nodes that need no input end at once. */
  readonly ended: ReadonlySet<string>;
  /** Failures that became successes before a node after them had started. */
  readonly turned: ReadonlySet<string>;
  /** A started node stays started, whatever happens to the edges that led to it. */
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
