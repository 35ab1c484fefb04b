// Loops of `always` that no guard ends: whatever comes into one fails the execution. That a start does is an error.
import type { MachineDefinition } from "#schema/definition/definition.ts";
import type { Warning } from "#schema/refusal.ts";
import { openWork, type Work } from "../language/work.ts";
import {
  graphOf,
  lineage,
  nodeAt,
  resolveTarget,
  targetList,
  transitionList,
  type Graph,
  type GraphNode,
} from "../programs/machine/graph.ts";
import { pointer, statePointer } from "../programs/machine/places.ts";
import { warning } from "./finding.ts";
import { alwaysComesTo } from "./verdict.ts";

export function loopWarnings(definition: MachineDefinition): readonly Warning[] {
  const graph = graphOf(definition);
  const work = openWork();
  const leaves = [...graph.values()].filter(({ children, node }) => children.length === 0 && node.type !== "history");
  const steps = new Map(leaves.flatMap((leaf) => stepsFrom(graph, leaf, work)).map((step) => [step.from, step]));
  const looked = new Set<Step>();
  return leaves.flatMap((leaf) => {
    const way = new Set<Step>();
    let step = steps.get(leaf);
    for (; step !== undefined && !looked.has(step); step = steps.get(step.to)) {
      looked.add(step);
      way.add(step);
    }
    return step !== undefined && way.has(step) ? [endless(step)] : [];
  });
}

/** What is surely taken where only `from` is active, in which state it stands, and where it leads. */
type Step = { readonly from: GraphNode; readonly by: GraphNode; readonly to: GraphNode };

/** None where guards decide. Beside other regions nobody can tell. */
function stepsFrom(graph: Graph, from: GraphNode, work: Work): readonly Step[] {
  const line = lineage(from);
  if (line.some(({ node }) => node.type === "parallel")) return [];
  const [innermost] = line.flatMap((by) => (by.node.always === undefined ? [] : [{ by, always: by.node.always }]));
  const [first] = innermost === undefined ? [] : transitionList(innermost.always);
  if (innermost === undefined || first === undefined) return [];
  if (first.guard !== undefined && alwaysComesTo(first.guard, work) !== true) return [];
  const { by } = innermost;
  const [target, another] = targetList(first);
  if (another !== undefined) return [];
  if (target === undefined) return first.assign === undefined ? [] : [{ from, by, to: from }];
  const path = resolveTarget(graph, by, target);
  const to = path === null ? null : leafOf(nodeAt(graph, path));
  return to === null ? [] : [{ from, by, to }];
}

function leafOf(at: GraphNode): GraphNode | null {
  if (at.node.type === "parallel" || at.node.type === "history") return null;
  if (at.children.length === 0) return at;
  const first = at.children.find(({ key }) => key === at.node.initial);
  return first === undefined ? null : leafOf(first);
}

function endless({ from, by }: Step): Warning {
  const message = `what comes into ${from.path} goes round for ever: no guard ends this loop, and the execution fails`;
  const fix = "Give one of the always transitions in the loop a guard, or let an event drive it.";
  return warning(pointer(statePointer(by.path), "always"), "always_loop", message, { fix });
}
