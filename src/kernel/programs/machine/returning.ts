// Ways back: transitions to the history of a state around their source. XState enters states again that it has not left, and
// if another region moves too, it may enter two states of one region. This file prevents both.
import { enqueueActions, type AnyMachineSnapshot, type AnyStateMachine, type StateNode } from "xstate";
import type { Carried } from "./compile.ts";

/**
 * Makes each way back leave first what is entered again. XState selects transitions, leaves states and records history as
 * before. False: the machine has no way back.
 */
export function leaveBeforeReturning({ root }: AnyStateMachine): boolean {
  const ways = waysBack(root);
  for (const { transition, around } of ways) {
    transition.actions = [...around.map(leavingInside), ...transition.actions];
  }
  return ways.length > 0;
}

/** Makes XState itself leave all that is inside: then it sees the conflict with another transition inside. */
export function returnApart({ root }: AnyStateMachine): void {
  for (const { transition, around } of waysBack(root)) {
    const [parent] = around;
    const source = Object.create(transition.source, { parent: { value: parent } }) as StateNode; // of the same class
    Object.assign(transition, { source, reenter: false });
  }
}

/**
 * One state of each region is active, each inside active ones, and each was entered. XState may enter two states of a
 * region, or one inside a state that it does not enter, or a state again around one that it has not left.
 */
export function isWhole({ _nodes: nodes, status }: AnyMachineSnapshot, standing: ReadonlySet<string>): boolean {
  if (status !== "active") return true;
  const inside = new Map<StateNode, number>(nodes.map((node) => [node, 0]));
  for (const { parent } of nodes) if (parent) inside.set(parent, (inside.get(parent) ?? 0) + 1);
  return (
    inside.size === standing.size &&
    nodes.every((node) => standing.has(node.path.join(".")) && inside.get(node) === activeInside(node))
  );
}

function activeInside({ type, states }: StateNode): number {
  if (type === "compound") return 1;
  return type === "parallel" ? Object.values(states).filter((state) => state.type !== "history").length : 0;
}

type WayBack = {
  readonly transition: NonNullable<StateNode["always"]>[number];
  /** The states whose history it goes to. */
  readonly around: readonly StateNode[];
};

function waysBack(node: StateNode): readonly WayBack[] {
  const transitions = [...node.transitions.values()].flat().concat(node.always ?? []);
  const own = transitions.flatMap((transition) => {
    const histories = (transition.target ?? []).filter(({ type }) => type === "history");
    const around = histories.flatMap(({ parent }) => (parent && isInside(node, parent) ? [parent] : []));
    return around.length > 0 ? [{ transition, around }] : [];
  });
  return [...own, ...Object.values(node.states).flatMap(waysBack)];
}

/** The first action of a transition: XState has left by then what it leaves, and has entered nothing. */
function leavingInside(around: StateNode): StateNode["exit"][number] {
  return enqueueActions(({ context, enqueue }) => {
    const { standing } = context as Carried;
    const inside = standingIn(around, standing).toSorted((a, b) => b.order - a.order);
    inside.flatMap(({ exit }) => exit).forEach((action) => enqueue(action));
  });
}

/** Without the state itself. */
function standingIn(around: StateNode, standing: ReadonlySet<string>): readonly StateNode[] {
  return Object.values(around.states).flatMap((state) =>
    standing.has(state.path.join(".")) ? [state, ...standingIn(state, standing)] : [],
  );
}

function isInside({ path }: StateNode, around: StateNode): boolean {
  return path.length > around.path.length && around.path.every((key, index) => path[index] === key);
}
