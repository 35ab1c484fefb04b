// Listeners of a journey at its position: goals, reached nodes with their timers, and nodes that keep events for later.
// Joins with some taken edges are listed too. No rule is evaluated here.
import type { JourneyPosition, NodeMark } from "#schema/engine/state.ts";
import type { Rule } from "#schema/json.ts";
import type { HalfJoin, Listener } from "../../execution/program.ts";
import { markOf } from "./move-draft.ts";
import { isAhead } from "./events.ts";
import {
  delayTimer,
  everyTimer,
  FAILED,
  forWay,
  awaitedEventTypes,
  NEXT,
  nodeOf,
  nodePointer,
  TIMEOUT,
  timeoutTimer,
  type Plan,
  type PlanNode,
} from "./journey-plan.ts";

export function listenersOf(plan: Plan, position: JourneyPosition): readonly Listener[] {
  if (position.done) return [];
  return [
    ...goalsOf(plan),
    ...position.states.flatMap((name) => listenersAt(nodeOf(plan, name), markOf(position, name))),
    ...[...plan.listeners].flatMap(([type, all]) =>
      all.filter((each) => isAhead(plan, position, each)).map(({ node }) => keepingListener(type, node)),
    ),
  ];
}

function goalsOf({ definition: { exitWhen = [] } }: Plan): readonly Listener[] {
  return exitWhen.map((goal, n) => goalListener(goal, `exitWhen/${n}`, `/exitWhen/${n}`, []));
}

type Awaited = { readonly event?: string | undefined; readonly when?: Rule | undefined } & {
  readonly guard?: Rule | undefined;
};

function goalListener({ event, when, guard }: Awaited, state: string, at: string, to: readonly string[]): Listener {
  // An alternative without an event has a rule, because the schema requires one of the two.
  if (event === undefined) return { on: { kind: "always" }, state, guard: when as Rule, at: `${at}/when`, to };
  const on = { kind: "event", type: event } as const;
  return guard === undefined ? { on, state, guard: null, at, to } : { on, state, guard, at: `${at}/guard`, to };
}

function listenersAt(node: PlanNode, { awaits }: NodeMark): readonly Listener[] {
  const { is, name } = node;
  const place = nodePointer(name);
  const timed = (timer: string, way: string): Listener => {
    return { on: { kind: "timer", timer }, state: name, guard: null, at: place, to: targetsOf(node, way) };
  };
  switch (is.kind) {
    case "delay":
      return [timed(delayTimer(name), NEXT)];
    case "wait": {
      const timeout = is.node.timeout ? [timed(timeoutTimer(name), TIMEOUT)] : [];
      const each = is.node.for.map((one, n) =>
        goalListener(one, name, `${place}/for/${n}`, targetsOf(node, forWay(n))),
      );
      return [...each, ...timeout];
    }
    case "each": {
      const { until } = is.node;
      const enough = until ? [goalListener(until, name, `${place}/until`, targetsOf(node, NEXT))] : [];
      return [...enough, timed(everyTimer(name), "")];
    }
    case "acting":
    case "journey":
    case "branch":
    case "split":
    case "exit":
      return awaits === undefined ? [] : [...answerListeners(node), timed(timeoutTimer(name), FAILED)];
  }
}

/** The listeners for answers to the node's own run. */
function answerListeners(node: PlanNode): readonly Listener[] {
  const { name, is } = node;
  const isChild = is.kind === "journey";
  return awaitedEventTypes(is).map((type, n) => ({
    on: { kind: "event", type: String(type) }, // Alternatives that are rules were handled above, so this one has an event type.
    state: name,
    guard: null,
    at: isChild ? nodePointer(name) : `${nodePointer(name)}/await/for/${n}`,
    to: targetsOf(node, isChild && n > 0 ? FAILED : NEXT),
    isOwn: true,
  }));
}

/**
 * The listener of a node that only keeps the event until it is reached, or until its action has succeeded. The guards
 * of the node are evaluated only then.
 */
function keepingListener(type: string, node: string): Listener {
  return { on: { kind: "event", type }, state: node, guard: null, at: nodePointer(node), to: [] };
}

function targetsOf({ out }: PlanNode, way: string): readonly string[] {
  return out.filter(({ ways }) => ways.includes(way)).map(({ to }) => to);
}

/** Whether the node's outgoing edges have not ended. */
function isEdgeOpen({ ended, isBack }: NodeMark): boolean {
  return ended === undefined && isBack !== true;
}

/** The joins for which some edges were taken but not enough, in the order of the definition. */
export function joinsOf(plan: Plan, position: JourneyPosition): readonly HalfJoin[] {
  if (position.done) return [];
  const half = [...plan.nodes.values()].flatMap(({ name, needs, incoming }) => {
    const { status, taken = 0, dead = 0 } = markOf(position, name);
    return status === "pending" && taken > 0 ? [{ node: name, needs: needs ?? incoming, taken, dead }] : [];
  });
  if (half.length === 0) return [];
  const open = [...plan.nodes.values()].filter(({ name }) => isEdgeOpen(markOf(position, name)));
  return half.map((join) => ({
    ...join,
    from: open.filter(({ out }) => out.some(({ to }) => to === join.node)).map(({ name }) => name),
  }));
}
