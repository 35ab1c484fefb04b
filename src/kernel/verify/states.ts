// Errors in a machine's states that the schema of definitions cannot express: in targets, initial states, kinds of
// states and loops.
import type { MachineDefinition } from "#schema/definition/definition.ts";
import { MACHINE_STATES_MAX, REGIONS_MAX, STATE_DEPTH_MAX } from "#schema/limits/definition-sizes.ts";
import type { Finding } from "#schema/refusal.ts";
import {
  graphOf,
  lineage,
  nodeAt,
  resolveTarget,
  ROOT,
  targetList,
  transitionList,
  transitionsOf,
  type Graph,
  type GraphNode,
} from "../programs/machine/graph.ts";
import { didYouMean, openGuesses } from "#schema/suggest.ts";
import { pointer, statePointer, transitionPointer } from "../programs/machine/pointers.ts";
import { tooManyStates } from "./count-findings.ts";
import { finding } from "./finding.ts";
import { historyTargetFindings, historyLoopFindings } from "./history.ts";

export function stateFindings(definition: MachineDefinition): readonly Finding[] {
  const graph = graphOf(definition);
  const size = graph.size - 1;
  if (size > MACHINE_STATES_MAX) return [tooManyStates(size)];
  const meant = openIntendedStates(graph);
  return [
    ...regionFindings(nodeAt(graph, ROOT)),
    ...[...graph.values()].flatMap((at) => [...kindFindings(at), ...targetFindings(graph, at, meant)]),
    ...historyLoopFindings(graph),
  ];
}

/**
 * Errors about too many parallel regions. If regions are nested, their numbers multiply. The number of regions that are
 * active together is therefore limited.
 */
function regionFindings(root: GraphNode): readonly Finding[] {
  const most = regionsIn(root);
  if (most <= REGIONS_MAX) return [];
  const message = `${most} regions can be active at once; the limit is ${REGIONS_MAX} (REGIONS_MAX)`;
  return [finding(regionsAt(root, most), "limit_exceeded", message, "Move some regions into child executions.")];
}

function regionsIn({ node, children }: GraphNode): number {
  // A history state is never active, because entering it enters other states instead.
  const inner = children.filter((child) => child.node.type !== "history").map(regionsIn);
  return node.type === "parallel" ? inner.reduce((sum, each) => sum + each, 0) : Math.max(1, ...inner);
}

/** The pointer of the innermost state that still contains all these regions. */
function regionsAt(at: GraphNode, most: number): string {
  const within = at.children.find((child) => regionsIn(child) === most);
  return within && at.node.type !== "parallel" ? regionsAt(within, most) : pointer(statePointer(at.path), "states");
}

function kindFindings(at: GraphNode): readonly Finding[] {
  const { node, path, depth, children } = at;
  const here = statePointer(path);
  const out: Finding[] = [];
  const say = (field: string, code: string, message: string, hint?: string): void => {
    out.push(finding(pointer(here, field), code, message, hint));
  };
  const kind = node.type ?? (children.length > 0 ? "compound" : "atomic");
  if (depth > STATE_DEPTH_MAX)
    say(
      "",
      "limit_exceeded",
      `the state is nested ${depth} levels deep; the limit is ${STATE_DEPTH_MAX} (STATE_DEPTH_MAX)`,
    );
  const nested = kind === "compound" || kind === "parallel";
  if (nested && children.length === 0) say("states", "states_missing", `a ${kind} state must have states`);
  if (!nested && children.length > 0) say("states", "states_unexpected", `a ${kind} state cannot have states`);
  if (kind === "compound" && children.length > 0) initialFindings(at, say);
  else if (node.initial !== undefined)
    say("initial", "initial_unexpected", `a ${kind} state cannot have an initial state`);
  if (kind === "final" || kind === "history") {
    for (const field of ["on", "after", "always", "onDone"] as const) {
      if (node[field] !== undefined) say(field, "transition_unexpected", `a ${kind} state cannot have transitions`);
    }
  }
  if (path === ROOT && node.onDone !== undefined) {
    say(
      "onDone",
      "transition_unexpected",
      "the machine itself cannot have onDone, because the execution ends when the machine is done",
    );
  }
  if (kind !== "history" && node.history !== undefined)
    say("history", "history_unexpected", "only a state of type history can have this field");
  if (kind !== "history" && node.target !== undefined) {
    say(
      "target",
      "target_unexpected",
      "only a state of type history can have a target",
      'Put the transition under "on", "after" or "always".',
    );
  }
  if (kind !== "final" && node.outcome !== undefined)
    say("outcome", "outcome_unexpected", "only a final state can have an outcome");
  return out;
}

type AddFinding = (field: string, code: string, message: string, hint?: string) => void;

function initialFindings({ node, children }: GraphNode, say: AddFinding): void {
  const keys = children.map(({ key }) => key);
  if (node.initial === undefined) {
    say(
      "initial",
      "initial_missing",
      "a state with states must name its initial state",
      `Use one of: ${keys.join(", ")}.`,
    );
  } else if (!keys.includes(node.initial)) {
    const guess = didYouMean(node.initial, keys);
    say(
      "initial",
      "unknown_state",
      `the state ${node.initial} does not exist inside this state`,
      guess ? `Did you mean ${guess}?` : `Use one of: ${keys.join(", ")}.`,
    );
  }
}

function targetFindings(graph: Graph, at: GraphNode, meant: IntendedState): readonly Finding[] {
  const out: Finding[] = [];
  const check = (target: string, where: string): void => {
    if (resolveTarget(graph, at, target) !== null) return;
    const guess = meant(target.replace(/^[#.]/, ""));
    const hint = guess
      ? `Did you mean #${guess}?`
      : 'Write a sibling state as "name", a child state as ".name", and a path from the top as "#a.b".';
    out.push(finding(where, "unknown_state", `the state ${target} does not exist, or cannot be a target here`, hint));
  };
  if (at.node.target !== undefined) check(at.node.target, pointer(statePointer(at.path), "target"));
  for (const { field, key, list } of transitionsOf(at.node)) {
    transitionList(list).forEach((transition, index) => {
      const base = transitionPointer(at.path, field, key, list, index);
      const where = typeof list === "string" ? base : pointer(base, "target");
      for (const target of targetList(transition)) check(target, where);
      out.push(...targetClashFindings(graph, at, targetList(transition), where));
      out.push(...historyTargetFindings(graph, at, targetList(transition), where));
    });
  }
  return out;
}

type IntendedState = (target: string) => string | null;

/**
 * Returns a function that finds the state which a wrong target probably means. It is a state with that path, or a state
 * in another place with the same or a similar name.
 */
function openIntendedStates(graph: Graph): IntendedState {
  const paths = [...graph.keys()].filter((path) => path !== ROOT);
  const own = (path: string): string => path.slice(path.lastIndexOf(".") + 1);
  const named = Map.groupBy(paths, own);
  const [near, nearOwn] = [openGuesses(paths), openGuesses([...named.keys()])];
  return (target) => {
    const same = named.get(own(target)) ?? [];
    const [first] = same;
    if (first !== undefined) return didYouMean(target, same) ?? first;
    return near(target) ?? named.get(nearOwn(own(target)) ?? "")?.[0] ?? null;
  };
}

/**
 * Errors about targets that cannot be active together. Only one state of a region can be active, so several targets
 * must be in different regions.
 */
function targetClashFindings(
  graph: Graph,
  from: GraphNode,
  targets: readonly string[],
  where: string,
): readonly Finding[] {
  const paths = targets.map((target) => resolveTarget(graph, from, target)).filter((path) => path !== null);
  const nodes = paths.map((path) => nodeAt(graph, path));
  const clash = nodes.some((a, index) =>
    nodes.slice(index + 1).some((b) => commonAncestor(a, b)?.node.type !== "parallel"),
  );
  if (!clash) return [];
  const hint = "Name exactly one target state for each region of the same parallel state.";
  return [finding(where, "targets_clash", "these target states cannot be active at the same time", hint)];
}

function commonAncestor(a: GraphNode, b: GraphNode): GraphNode | undefined {
  const above = new Set(lineage(a));
  return lineage(b).find((at) => above.has(at));
}
