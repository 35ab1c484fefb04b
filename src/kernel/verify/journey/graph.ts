// The graph of a journey: finds unknown names, cycles, nodes that cannot be reached, and joins that never have enough
// edges.
import type { JourneyDefinition } from "#schema/definition/journey.ts";
import type { Next } from "#schema/definition/journey/node-parts.ts";
import type { JourneyNode } from "#schema/definition/journey/nodes.ts";
import { JOURNEY_EDGES_MAX, JOURNEY_NODES_MAX } from "#schema/limits/definition-sizes.ts";
import type { Finding } from "#schema/refusal.ts";
import { openGuesses } from "#schema/suggest.ts";
import { kindOf, targetList, nodeOf, planOf, type Plan } from "../../programs/journey/journey-plan.ts";
import { pointer } from "../../programs/machine/pointers.ts";
import { tooManyNodes } from "../count-findings.ts";
import { finding } from "../finding.ts";

export function graphFindings(definition: JourneyDefinition): readonly Finding[] {
  const { nodes, initial } = definition;
  const names = Object.keys(nodes);
  if (names.length === 0) return [finding("/nodes", "nodes_missing", "a journey must have nodes")];
  if (names.length > JOURNEY_NODES_MAX) {
    return [tooManyNodes(names.length)];
  }
  const known = { names: new Set(names), guess: openGuesses(names) };
  const named = [
    ...nextFindings(initial, "/initial", known),
    ...Object.entries(nodes).flatMap(([name, node]) => nodeFindings(node, pointer("/nodes", name), known)),
  ];
  if (named.length > 0) return named;
  const plan = planOf(definition);
  const edges = plan.starts.length + [...plan.nodes.values()].reduce((sum, { out }) => sum + out.length, 0);
  if (edges > JOURNEY_EDGES_MAX) {
    const message = `the journey has ${edges} edges between nodes; the limit is ${JOURNEY_EDGES_MAX} (JOURNEY_EDGES_MAX)`;
    return [finding("/nodes", "limit_exceeded", message)];
  }
  return [...cycleFindings(plan), ...reachFindings(plan), ...joinFindings(plan)];
}

type KnownNodes = { readonly names: ReadonlySet<string>; readonly guess: (name: string) => string | null };

function nodeFindings(node: JourneyNode, where: string, known: KnownNodes): readonly Finding[] {
  return nextFieldsOf(node).flatMap(({ next, at }) => nextFindings(next, pointer(where, ...at), known));
}

type PlacedNext = { readonly next: Next; readonly at: readonly (string | number)[] };

/** Every field of a node that names other nodes. */
function nextFieldsOf(node: JourneyNode): readonly PlacedNext[] {
  const is = kindOf(node);
  const own = (next: Next): PlacedNext => ({ next, at: ["next"] });
  switch (is.kind) {
    case "delay":
      return [own(is.node.next)];
    case "acting":
    case "each":
    case "journey":
      return [own(is.node.next), { next: is.node.onFailed, at: ["onFailed"] }];
    case "branch":
      return is.node.cases.map(({ next }, n) => ({ next, at: ["cases", n, "next"] }));
    case "wait": {
      const alternatives = is.node.for.map(({ next }, n): PlacedNext => ({ next, at: ["for", n, "next"] }));
      return [own(is.node.next), ...alternatives, { next: is.node.timeout?.next, at: ["timeout", "next"] }];
    }
    case "split":
      return [own(is.node.next), ...is.node.ways.map(({ next }, n): PlacedNext => ({ next, at: ["ways", n, "next"] }))];
    case "exit":
      return [];
  }
}

function nextFindings(next: Next, where: string, { names, guess: guessed }: KnownNodes): readonly Finding[] {
  const list = targetList(next);
  return list.flatMap((name, n) => {
    const at = Array.isArray(next) ? pointer(where, n) : where;
    if (!names.has(name)) {
      const guess = guessed(name);
      return [
        finding(at, "unknown_node", `the node ${name} does not exist`, guess ? `Did you mean ${guess}?` : undefined),
      ];
    }
    if (list.indexOf(name) === n) return [];
    return [
      finding(
        at,
        "duplicate_edge",
        `the node ${name} is named twice here`,
        "A node starts only once. Name the node once.",
      ),
    ];
  });
}

/** An error for the first cycle found, with its nodes in order. Each node and edge is visited once. */
function cycleFindings(plan: Plan): readonly Finding[] {
  const seen = new Map<string, "open" | "over">();
  for (const start of plan.nodes.keys()) {
    const path = findCycle(plan, start, seen);
    const [first] = path;
    if (first === undefined) continue;
    const message = `a journey cannot have a cycle: ${[...path, first].join(" → ")}`;
    const hint = "To repeat steps, use a node of type each; to start over, start another journey.";
    return [finding(pointer("/nodes", first), "cycle", message, hint)];
  }
  return [];
}

type PathStep = { readonly name: string; readonly targets: readonly string[]; at: number };

/** The nodes of a cycle on the paths from `start`, in order. Empty if no path from `start` leads into a cycle. */
function findCycle(plan: Plan, start: string, seen: Map<string, "open" | "over">): readonly string[] {
  if (seen.has(start)) return [];
  const stack: PathStep[] = [openStep(plan, start, seen)];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const to = top.targets[top.at];
    top.at += 1;
    if (to === undefined) {
      seen.set(top.name, "over");
      stack.pop();
    } else if (seen.get(to) === "open") {
      return stack.slice(stack.findIndex(({ name }) => name === to)).map(({ name }) => name);
    } else if (!seen.has(to)) stack.push(openStep(plan, to, seen));
  }
  return [];
}

function openStep(plan: Plan, name: string, seen: Map<string, "open" | "over">): PathStep {
  seen.set(name, "open");
  return { name, targets: nodeOf(plan, name).out.map(({ to }) => to), at: 0 };
}

function reachFindings(plan: Plan): readonly Finding[] {
  const { nodes, starts } = plan;
  const reached = new Set(starts.map(({ to }) => to));
  // The loop body adds names to this set. The iteration then includes them.
  for (const name of reached) for (const { to } of nodeOf(plan, name).out) reached.add(to);
  return [...nodes.keys()].flatMap((name) => {
    if (reached.has(name)) return [];
    const hint = 'Name the node in a "next" or in "initial", or remove the node.';
    return [finding(pointer("/nodes", name), "unreachable_node", `no node leads to the node ${name}`, hint)];
  });
}

function joinFindings({ nodes }: Plan): readonly Finding[] {
  return [...nodes.values()].flatMap(({ name, needs, incoming }) => {
    if (needs === null || needs <= incoming) return [];
    const message = `the node needs ${needs} incoming edges, but the journey has only ${incoming}`;
    return [finding(pointer("/nodes", name, "join"), "join_impossible", message)];
  });
}
