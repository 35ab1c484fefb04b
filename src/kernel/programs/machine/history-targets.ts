// Transitions to the history of an ancestor. XState would enter active states again without leaving them first. If
// another region also moves, XState may enter two states of one region. This file prevents both errors.
import { enqueueActions, type AnyMachineSnapshot, type AnyStateMachine, type StateNode } from "xstate";
import type { MachineContext } from "./compile.ts";

/**
 * Changes each transition to an ancestor's history: before it enters states again, it leaves them. XState still selects
 * the transitions and records the history. Returns false if the machine has no such transition.
 */
export function leaveBeforeHistory({ root }: AnyStateMachine): boolean {
  const ways = historyTransitions(root);
  for (const { transition, around } of ways) {
    transition.actions = [...around.map(exitActionsInside), ...transition.actions];
  }
  return ways.length > 0;
}

/**
 * Makes XState leave every state inside the ancestor. XState then detects that any other transition inside the ancestor
 * conflicts with this one.
 */
export function keepRegionsApart({ root }: AnyStateMachine): void {
  for (const { transition, around } of historyTransitions(root)) {
    const [parent] = around;
    const source = Object.create(transition.source, { parent: { value: parent } }) as StateNode; // The copy gets the prototype's class.
    Object.assign(transition, { source, reenter: false });
  }
}

/**
 * Whether the active states are consistent: each region has exactly one active state, all its ancestors are active, and
 * each state was entered. XState may break these rules: two states of a region, a missing entry, or a state that was
 * not left.
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
  /** The ancestors whose history the transition targets. */
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
 * The first action of a transition to an ancestor's history: executes the exit actions of the states inside that
 * ancestor. XState executes it after leaving states and before entering states.
 */
function exitActionsInside(around: StateNode): StateNode["exit"][number] {
  return enqueueActions(({ context, enqueue }) => {
    const { activePaths } = context as MachineContext;
    const inside = activeInsideState(around, activePaths).toSorted((a, b) => b.order - a.order);
    inside.flatMap(({ exit }) => exit).forEach((action) => enqueue(action));
  });
}

/** The active states inside a state; the state itself is not included. */
function activeInsideState(around: StateNode, activePaths: ReadonlySet<string>): readonly StateNode[] {
  return Object.values(around.states).flatMap((state) =>
    activePaths.has(state.path.join(".")) ? [state, ...activeInsideState(state, activePaths)] : [],
  );
}

function isInside({ path }: StateNode, around: StateNode): boolean {
  return path.length > around.path.length && around.path.every((key, index) => path[index] === key);
}
