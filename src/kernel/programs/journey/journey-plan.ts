// The plan of a journey: its nodes with their outgoing edges and the number of their incoming edges, and the nodes that
// listen for each event type.
import type { JourneyDefinition } from "#schema/definition/journey.ts";
import { type ActingNode } from "#schema/definition/journey/action-node.ts";
import { controlTypes, type ControlType, type Next } from "#schema/definition/journey/node-parts.ts";
import {
  type ChildNode,
  type DelayNode,
  type EachNode,
  type JourneyNode,
  type WaitNode,
} from "#schema/definition/journey/nodes.ts";
import type { Delay } from "#schema/definition/timing.ts";
import { childEvent } from "#schema/engine/child.ts";
import { assert } from "../../assert.ts";

/** An edge between two nodes. When `from` ends by one of `ways`, the edge is taken; otherwise it is dead. */
export type Edge = { readonly from: string; readonly ways: readonly string[]; readonly to: string };

export type Kind =
  | { readonly kind: "acting"; readonly node: ActingNode }
  | { readonly kind: "each"; readonly node: EachNode }
  | { readonly kind: "journey"; readonly node: ChildNode }
  | { readonly kind: "delay"; readonly node: DelayNode }
  | { readonly kind: "branch"; readonly node: Of<"branch"> }
  | { readonly kind: "wait"; readonly node: WaitNode }
  | { readonly kind: "split"; readonly node: Of<"split"> }
  | { readonly kind: "exit"; readonly node: Of<"exit"> };

type Of<Type extends ControlType> = Extract<JourneyNode, { readonly type: Type }>;

export type PlanNode = {
  readonly name: string;
  readonly is: Kind;
  readonly out: readonly Edge[];
  readonly incoming: number;
  /**
   * The number of incoming edges that must be taken before the node starts. null: all incoming edges must have ended,
   * and at least one must be taken.
   */
  readonly needs: number | null;
};

/** A listener for an event type: one alternative of a wait node. */
export type Listener = { readonly node: string; readonly alternative: number };

export type Plan = {
  readonly definition: JourneyDefinition;
  readonly nodes: ReadonlyMap<string, PlanNode>;
  /** The edges to the first nodes of the journey. They come from no node. */
  readonly starts: readonly Edge[];
  readonly listeners: ReadonlyMap<string, readonly Listener[]>;
  /**
   * The node of each timer, by the timer's name. Also contains the names of the events that are sent instead of timers
   * whose instant is past.
   */
  readonly timers: ReadonlyMap<string, NodeTimer>;
  /** The waits that have rules. Their rules are evaluated at every change of a variable. */
  readonly recheckedNodes: ReadonlySet<string>;
  /** The number of nodes; exits are not counted. */
  readonly size: number;
};

export type NodeTimer = { readonly node: string; readonly isPassedOver: boolean };

export const NEXT = "next";
export const FAILED = "failed";
export const TIMEOUT = "timeout";

type NamedKind = { readonly name: string; readonly is: Kind };

export function planOf(definition: JourneyDefinition): Plan {
  const starts = targetList(definition.initial).map((to): Edge => ({ from: "", ways: [NEXT], to }));
  const kinds: readonly NamedKind[] = Object.entries(definition.nodes).map(([name, node]) => ({
    name,
    is: kindOf(node),
  }));
  const tied = kinds.map((each) => ({ ...each, out: edgesOf(each.name, each.is) }));
  const incoming = new Map<string, number>();
  for (const { to } of [...starts, ...tied.flatMap(({ out }) => out)]) incoming.set(to, (incoming.get(to) ?? 0) + 1);
  const nodes = tied.map((each): [string, PlanNode] => {
    return [each.name, { ...each, incoming: incoming.get(each.name) ?? 0, needs: needsOf(each.is) }];
  });
  return {
    definition,
    nodes: new Map(nodes),
    starts,
    listeners: listenersIn(kinds),
    timers: new Map(kinds.flatMap(timersOf)),
    recheckedNodes: new Set(kinds.filter(({ is }) => hasRecheckedRules(is)).map(({ name }) => name)),
    size: kinds.filter(({ is }) => is.kind !== "exit").length,
  };
}

export function nodeOf(plan: Plan, name: string): PlanNode {
  const node = plan.nodes.get(name);
  assert(node, `the node ${name} must be in the definition, because verify refuses definitions that name other nodes`);
  return node;
}

/** The kind of a node. If its type is not one of the control nodes, it is the type of an action. */
export function kindOf(node: JourneyNode): Kind {
  const known: readonly string[] = controlTypes;
  // The schema allows no action with the type of a control node. TypeScript cannot express this rule.
  if (known.includes(node.type)) return { kind: node.type, node } as Kind;
  return { kind: "acting", node: node as ActingNode };
}

type Way = { readonly ways: readonly string[]; readonly to: readonly string[] };

/** The possible ends of a node, called ways, each with the nodes that follow it. */
export function waysOf(is: Kind): readonly Way[] {
  switch (is.kind) {
    case "delay":
      return [{ ways: [NEXT], to: targetList(is.node.next) }];
    case "acting":
    case "each":
    case "journey": {
      const { next, onFailed } = is.node;
      return [
        { ways: [NEXT], to: targetList(next) },
        { ways: [FAILED], to: targetList(onFailed) },
      ];
    }
    case "branch":
      return is.node.cases.map(({ next }, n) => ({ ways: [caseWay(n)], to: targetList(next) }));
    case "wait": {
      const { timeout, next: shared } = is.node;
      const own = is.node.for.map(({ next }, n) => ({ way: forWay(n), next }));
      return withSharedTargets(shared, timeout ? [...own, { way: TIMEOUT, next: timeout.next }] : own);
    }
    case "split": {
      const { ways, next: shared } = is.node;
      return withSharedTargets(
        shared,
        ways.map(({ next }, n) => ({ way: splitWay(is.node, n), next })),
      );
    }
    case "exit":
      return [];
  }
}

/** A way that names no nodes of its own continues with the nodes in `next`. */
function withSharedTargets(
  shared: Next,
  own: readonly { readonly way: string; readonly next: Next }[],
): readonly Way[] {
  const without = own.filter(({ next }) => next === undefined).map(({ way }) => way);
  return [
    { ways: [NEXT, ...without], to: targetList(shared) },
    ...own.filter(({ next }) => next !== undefined).map(({ way, next }) => ({ ways: [way], to: targetList(next) })),
  ];
}

export function caseWay(n: number): string {
  return `cases/${n}`;
}

export function forWay(n: number): string {
  return `for/${n}`;
}

export function splitWay({ ways }: Of<"split">, n: number): string {
  return `ways/${ways[n]?.name ?? n}`;
}

export function delayTimer(name: string): string {
  return `${name}/delay`;
}

export function timeoutTimer(name: string): string {
  return `${name}/timeout`;
}

/** The name of the timer that starts the next item of a repeated node. */
export function everyTimer(name: string): string {
  return `${name}/every`;
}

/**
 * The name of the event that is sent instead of a delay's timer if its instant is past and the delay then skips the
 * node.
 */
export function passedOverEvent(name: string): string {
  return `${name}/passed-over`;
}

function timersOf({ name, is }: NamedKind): readonly (readonly [string, NodeTimer])[] {
  const fires = { node: name, isPassedOver: false };
  const passed = { node: name, isPassedOver: true };
  switch (is.kind) {
    case "wait":
    case "acting":
      return [[timeoutTimer(name), fires]];
    case "each":
      return [
        [everyTimer(name), fires],
        [passedOverEvent(name), passed],
      ];
    case "delay":
      return [
        [delayTimer(name), fires],
        [passedOverEvent(name), passed],
      ];
    case "branch":
    case "split":
    case "journey":
    case "exit":
      return [];
  }
}

/** The pointer of a node in the definition. */
export function nodePointer(name: string): string {
  return `/nodes/${name}`;
}

/**
 * The expression with which a timer is armed: the name or the duration of a delay. A delay object is named by the name
 * under which the plan lists it.
 */
export function expressionOf(delay: Delay, name: string): string {
  return typeof delay === "object" ? ownDelayName(name) : String(delay);
}

/**
 * The name under which the plan lists a node's delay object. It contains a slash, so that it differs from all names of
 * an author.
 */
export function ownDelayName(name: string): string {
  return `${name}/delay`;
}

export function targetList(next: Next): readonly string[] {
  if (next === undefined) return [];
  return typeof next === "string" ? [next] : next;
}

function edgesOf(name: string, is: Kind): readonly Edge[] {
  return waysOf(is).flatMap(({ ways, to }) => to.map((target) => ({ from: name, ways, to: target })));
}

function needsOf({ node: { join = "all" } }: Kind): number | null {
  if (join === "all") return null;
  return join === "any" ? 1 : join.of;
}

function hasRecheckedRules(is: Kind): boolean {
  if (is.kind === "each") return is.node.until?.when !== undefined;
  return is.kind === "wait" && is.node.for.some(({ when }) => when !== undefined);
}

function listenersIn(kinds: readonly NamedKind[]): Plan["listeners"] {
  const found = new Map<string, Listener[]>();
  for (const { name, is } of kinds) {
    awaitedEventTypes(is).forEach((event, alternative) => {
      if (event === undefined) return;
      const others = found.get(event) ?? [];
      others.push({ node: name, alternative });
      found.set(event, others);
    });
  }
  return found;
}

/** For each alternative of the node's wait, the event type that ends it; undefined if the alternative is a rule. */
export function awaitedEventTypes(is: Kind): readonly (string | undefined)[] {
  switch (is.kind) {
    case "wait":
      return is.node.for.map(({ event }) => event);
    case "each":
      return is.node.until === undefined ? [] : [is.node.until.event];
    case "acting":
      return is.node.await?.for ?? [];
    case "journey":
      return CHILD_ENDS.map(childEvent);
    case "delay":
    case "branch":
    case "split":
    case "exit":
      return [];
  }
}

/** The ways in which a child can end. The first of them means success. */
export const CHILD_ENDS = ["completed", "failed", "canceled"] as const;
