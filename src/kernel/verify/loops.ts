// Endless loops of `always`: an execution that enters such a loop fails. If the start enters the loop, it is an error;
// otherwise it is a warning. Also warns about an `always` to an active state, because it has no effect.
import type { MachineDefinition, Transitions } from "#schema/definition/definition.ts";
import type { Rule } from "#schema/json.ts";
import type { Change, Warning } from "#schema/refusal.ts";
import { openWork, type Work } from "../computing/work.ts";
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
import { pointer, statePointer, transitionPointer } from "../programs/machine/pointers.ts";
import { warning } from "./finding.ts";
import { constantResult } from "./constant-result.ts";

export function loopWarnings(definition: MachineDefinition): readonly Warning[] {
  const graph = graphOf(definition);
  const nodes = [...graph.values()];
  const leaves = nodes.filter(({ children, node }) => children.length === 0 && node.type !== "history");
  const guardOf = openGuards(openWork());
  const steps = leaves.flatMap((leaf) => stepsFrom(graph, leaf, guardOf));
  const found = new Map<GraphNode, Warning>();
  const guards = new Set(steps.flatMap(({ guard }) => guard ?? []));
  for (const held of [null, ...[...guards].slice(0, GUARDS_ASSUMED_MAX)]) {
    const touches = held === null ? null : openGuardChanges(held);
    const taken = steps.filter((step) => isTaken(step, held, touches)).map((step) => [step.from, step] as const);
    for (const { by, from } of loopsIn(leaves, new Map(taken))) {
      if (!found.has(by)) found.set(by, endlessLoop(from, by, held));
    }
  }
  return [...nodes.flatMap((at) => alwaysToItself(graph, at)), ...found.values()];
}

/**
 * The transition that is taken first if no state but `from` is considered: its target, and the variables that it sets.
 */
type LoopStep = {
  readonly from: GraphNode;
  readonly by: GraphNode;
  readonly to: GraphNode;
  readonly sets: readonly string[];
  /** The states that the transition leaves or enters. Their exit and entry actions may also set variables. */
  readonly past: readonly GraphNode[];
  /** The guard as a text; null if the transition has no guard, or if its guard is always true. */
  readonly guard: string | null;
};

/**
 * The number of guards for which loops are searched. For each, this guard alone is assumed to be true, in all states.
 */
const GUARDS_ASSUMED_MAX = 30;

type GuardOf = (list: Transitions, guard: Rule | undefined) => string | null;

/**
 * Returns a function that gives a transition's guard as a text, or null if the guard is always true. The texts are
 * cached by list of transitions, because all states inside a state share its list.
 */
function openGuards(work: Work): GuardOf {
  const known = new Map<Transitions, string | null>();
  return (list, guard) => {
    const before = known.get(list);
    if (before !== undefined) return before;
    const isFree = guard === undefined || constantResult(guard, work) === true;
    const text = isFree ? null : JSON.stringify(guard);
    known.set(list, text);
    return text;
  };
}

type GuardChanges = {
  readonly bySetting: (names: readonly string[]) => boolean;
  readonly byPassing: (at: GraphNode) => boolean;
};

/**
 * Whether the transition is taken while the guard `held` is true. `held` stays true if the transition sets no variable
 * that it reads.
 */
function isTaken({ guard, sets, past }: LoopStep, held: string | null, touches: GuardChanges | null): boolean {
  if (guard !== null && guard !== held) return false;
  return touches === null || !(touches.bySetting(sets) || past.some(touches.byPassing));
}

/**
 * Returns a function that decides whether a transition sets a variable that `held` reads. The result for each state is
 * cached.
 */
function openGuardChanges(held: string): GuardChanges {
  // The guard reads all variables at once or reads from inside a loop. Any assignment may then change its result.
  const isWide = /"execution(?:\.variables)?"|"var":""|\.\.\//.test(held);
  const looked = new Set(held.match(VARIABLE_NAMES));
  const bySetting = (names: readonly string[]): boolean => names.some((name) => isWide || looked.has(name));
  const known = new Map<GraphNode, boolean>();
  const byPassing = (at: GraphNode): boolean => {
    const found = known.get(at) ?? bySetting(variablesSetBy(at));
    known.set(at, found);
    return found;
  };
  return { bySetting, byPassing };
}

const VARIABLE_NAMES = /(?<=variables\.)[^."\\]+/g;

/** One transition of each loop. The warning about the loop points to it. */
function loopsIn(leaves: readonly GraphNode[], steps: ReadonlyMap<GraphNode, LoopStep>): readonly LoopStep[] {
  const looked = new Set<LoopStep>();
  return leaves.flatMap((leaf) => {
    const way = new Set<LoopStep>();
    let step = steps.get(leaf);
    for (; step !== undefined && !looked.has(step); step = steps.get(step.to)) {
      looked.add(step);
      way.add(step);
    }
    return step !== undefined && way.has(step) ? [step] : [];
  });
}

/**
 * The transitions that are taken from a state; parallel regions are not considered. A transition that sets no variable
 * and stays in its state closes no loop, so it is left out.
 */
function stepsFrom(graph: Graph, from: GraphNode, guardOf: GuardOf): readonly LoopStep[] {
  const line = lineage(from);
  if (line.some(({ node }) => node.type === "parallel")) return [];
  const [innermost] = line.flatMap((by) => (by.node.always === undefined ? [] : [{ by, always: by.node.always }]));
  const [first] = innermost === undefined ? [] : transitionList(innermost.always);
  if (innermost === undefined || first === undefined) return [];
  const { by, always } = innermost;
  const [target, another] = targetList(first);
  if (another !== undefined) return [];
  const path = target === undefined ? from.path : resolveTarget(graph, by, target);
  const to = path === null ? null : leafOf(nodeAt(graph, path));
  if (to === null) return [];
  const sets = Object.keys(first.assign ?? {});
  if (to === from && sets.length === 0) return [];
  const past = to === from ? [] : [...line, ...lineage(to)];
  return [{ from, by, to, sets, past, guard: guardOf(always, first.guard) }];
}

/** The variables that the entry or exit actions of a state may set. */
function variablesSetBy({ node }: GraphNode): readonly string[] {
  const behaviours = [...(node.entry ?? []), ...(node.exit ?? [])];
  return behaviours.flatMap((each) => (typeof each === "string" ? [] : Object.keys(each.assign)));
}

function leafOf(at: GraphNode): GraphNode | null {
  if (at.node.type === "parallel" || at.node.type === "history") return null;
  if (at.children.length === 0) return at;
  const first = at.children.find(({ key }) => key === at.node.initial);
  return first === undefined ? null : leafOf(first);
}

function endlessLoop(from: GraphNode, by: GraphNode, held: string | null): Warning {
  const when = held === null ? "" : `once ${held.slice(0, 100)} is true, `;
  const ends = held === null ? "no guard ends this loop" : "no action in the loop changes what the guards read";
  const message = `${when}an execution that enters ${from.path} loops endlessly and fails: ${ends}`;
  const fix =
    held === null
      ? "Add a guard to one of the always transitions in the loop, or replace one of them by a transition for an event."
      : "Change the guard of one of the always transitions in the loop, or replace one of them by a transition for an event.";
  return warning(pointer(statePointer(by.path), "always"), "always_loop", message, { fix });
}

/**
 * Warnings about an `always` whose target is its own state. The state is already active, so only the actions of the
 * transition have an effect.
 */
function alwaysToItself(graph: Graph, at: GraphNode): readonly Warning[] {
  const { always } = at.node;
  if (always === undefined || at.children.length > 0) return [];
  const list = transitionList(always);
  return list.flatMap((transition, n) => {
    const [target, another] = targetList(transition);
    const isHere = target !== undefined && another === undefined && resolveTarget(graph, at, target) === at.path;
    if (!isHere || transition.assign !== undefined || transition.reenter === true) return [];
    const where = transitionPointer(at.path, "always", null, always, n);
    const acts = transition.actions !== undefined;
    const all = pointer(statePointer(at.path), "always");
    const gone = acts ? pointer(where, "target") : list.length === 1 ? all : where;
    const patch: Change[] = [{ op: "remove", path: gone }];
    const fix = acts
      ? "Omit the target. The execution then stays in its state."
      : "Remove the transition, or name another target.";
    return [
      warning(where, "always_to_itself", `the target of the transition is ${at.path}, which is already active`, {
        fix,
        patch,
      }),
    ];
  });
}
