// Transitions to the history of an ancestor. XState enters states again that it has not left, and may enter two states
// of one region if another region moves too. This file prevents both.
import { enqueueActions, type AnyMachineSnapshot, type AnyStateMachine, type StateNode } from "xstate";
import type { MachineContext } from "./compile.ts";

/**
 * Makes each transition to an ancestor's history first leave the states that it enters again. XState selects
 * transitions, leaves states and records history as before. Returns false if the machine has no such transition.
 */
export function leaveBeforeHistory({ root }: AnyStateMachine): boolean {
  const ways = historyTransitions(root);
  for (const { transition, around } of ways) {
    transition.actions = [...around.map(exitActionsInside), ...transition.actions];
  }
  return ways.length > 0;
}

/** Makes XState itself leave everything inside, so that it detects the conflict with another transition inside. */
export function keepRegionsApart({ root }: AnyStateMachine): void {
  for (const { transition, around } of historyTransitions(root)) {
    const [parent] = around;
    const source = Object.create(transition.source, { parent: { value: parent } }) as StateNode; // an object of the same class
    Object.assign(transition, { source, reenter: false });
  }
}

/**
 * Whether the active states are consistent: each region has exactly one active state, inside active ancestors, and each
 * was entered. XState may enter two states of a region, a state inside one that it does not enter, or an ancestor that
 * it has not left.
 */
export function isConsistent({ _nodes: nodes, status }: AnyMachineSnapshot, activePaths: ReadonlySet<string>): boolean {
  if (status !== "active") return true;
  const inside = new Map<StateNode, number>(nodes.map((node) => [node, 0]));
  for (const { parent } of nodes) if (parent) inside.set(parent, (inside.get(parent) ?? 0) + 1);
  return (
    inside.size === activePaths.size &&
    nodes.every((node) => activePaths.has(node.path.join(".")) && inside.get(node) === activeInside(node))
  );
}

function activeInside({ type, states }: StateNode): number {
  if (type === "compound") return 1;
  return type === "parallel" ? Object.values(states).filter((state) => state.type !== "history").length : 0;
}

type HistoryTransition = {
  readonly transition: NonNullable<StateNode["always"]>[number];
  /** The states whose history is the target. */
  readonly around: readonly StateNode[];
};

function historyTransitions(node: StateNode): readonly HistoryTransition[] {
  const transitions = [...node.transitions.values()].flat().concat(node.always ?? []);
  const own = transitions.flatMap((transition) => {
    const histories = (transition.target ?? []).filter(({ type }) => type === "history");
    const around = histories.flatMap(({ parent }) => (parent && isInside(node, parent) ? [parent] : []));
    return around.length > 0 ? [{ transition, around }] : [];
  });
  return [...own, ...Object.values(node.states).flatMap(historyTransitions)];
}

/**
 * The first action of such a transition: runs the exit actions of the states inside. XState has already left the states
 * that it leaves, and has entered none yet.
 */
function exitActionsInside(around: StateNode): StateNode["exit"][number] {
  return enqueueActions(({ context, enqueue }) => {
    const { activePaths } = context as MachineContext;
    const inside = activeInsideState(around, activePaths).toSorted((a, b) => b.order - a.order);
    inside.flatMap(({ exit }) => exit).forEach((action) => enqueue(action));
  });
}

/** The active states inside a state, without the state itself. */
function activeInsideState(around: StateNode, activePaths: ReadonlySet<string>): readonly StateNode[] {
  return Object.values(around.states).flatMap((state) =>
    activePaths.has(state.path.join(".")) ? [state, ...activeInsideState(state, activePaths)] : [],
  );
}

function isInside({ path }: StateNode, around: StateNode): boolean {
  return path.length > around.path.length && around.path.every((key, index) => path[index] === key);
}
