// A journey's definition as its planner needs it: nodes with their ways out and how many lead in, and who listens for what.
import type { JourneyDefinition } from "#schema/definition/journey.ts";
import {
  controlTypes,
  type ActingNode,
  type ChildNode,
  type ControlType,
  type DelayNode,
  type EachNode,
  type JourneyNode,
  type Next,
  type WaitNode,
} from "#schema/definition/journey/nodes.ts";
import type { Delay } from "#schema/definition/timing.ts";
import { childEvent } from "#schema/engine/child.ts";
import { assert } from "../../assert.ts";

/** A way from node to node: taken when `from` ends by one of `ways`, dead when it ends otherwise. */
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
  /** How many of the ways in must be taken; null: all must have ended, and one of them taken. */
  readonly needs: number | null;
};

/** Who waits for a type of event: an alternative of a wait. */
export type Listener = { readonly node: string; readonly alternative: number };

export type Plan = {
  readonly definition: JourneyDefinition;
  readonly nodes: ReadonlyMap<string, PlanNode>;
  /** The ways in from outside. */
  readonly starts: readonly Edge[];
  readonly listeners: ReadonlyMap<string, readonly Listener[]>;
  /** By the timer's name, or what is heard where its time has gone by. */
  readonly timers: ReadonlyMap<string, TimerOf>;
  /** Waits that a rule may bring on: asked whenever something has changed. */
  readonly asking: ReadonlySet<string>;
  /** Nodes but exits. */
  readonly size: number;
};

export type TimerOf = { readonly node: string; readonly isPassedOver: boolean };

export const NEXT = "next";
export const FAILED = "failed";
export const TIMEOUT = "timeout";

type Named = { readonly name: string; readonly is: Kind };

export function planOf(definition: JourneyDefinition): Plan {
  const starts = listOf(definition.initial).map((to): Edge => ({ from: "", ways: [NEXT], to }));
  const kinds: readonly Named[] = Object.entries(definition.nodes).map(([name, node]) => ({ name, is: kindOf(node) }));
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
    asking: new Set(kinds.filter(({ is }) => asksRules(is)).map(({ name }) => name)),
    size: kinds.filter(({ is }) => is.kind !== "exit").length,
  };
}

export function nodeOf(plan: Plan, name: string): PlanNode {
  const node = plan.nodes.get(name);
  assert(node, `node ${name} is in the definition: verify refuses definitions that name other nodes`);
  return node;
}

/** By its type, which for an action is any that none of the others has. */
export function kindOf(node: JourneyNode): Kind {
  const known: readonly string[] = controlTypes;
  // The schema lets no action have the type of a control node, and TypeScript cannot say so.
  if (known.includes(node.type)) return { kind: node.type, node } as Kind;
  return { kind: "acting", node: node as ActingNode };
}

type Way = { readonly ways: readonly string[]; readonly to: readonly string[] };

/** Named ways, each with where it leads. */
export function waysOf(is: Kind): readonly Way[] {
  switch (is.kind) {
    case "delay":
      return [{ ways: [NEXT], to: listOf(is.node.next) }];
    case "acting":
    case "each":
    case "journey": {
      const { next, onFailed } = is.node;
      return [
        { ways: [NEXT], to: listOf(next) },
        { ways: [FAILED], to: listOf(onFailed) },
      ];
    }
    case "branch":
      return is.node.cases.map(({ next }, n) => ({ ways: [caseWay(n)], to: listOf(next) }));
    case "wait": {
      const { timeout, next: shared } = is.node;
      const own = is.node.for.map(({ next }, n) => ({ way: forWay(n), next }));
      return withShared(shared, timeout ? [...own, { way: TIMEOUT, next: timeout.next }] : own);
    }
    case "split": {
      const { ways, next: shared } = is.node;
      return withShared(
        shared,
        ways.map(({ next }, n) => ({ way: splitWay(is.node, n), next })),
      );
    }
    case "exit":
      return [];
  }
}

/** A way that does not say where it leads is the node's own. */
function withShared(shared: Next, own: readonly { readonly way: string; readonly next: Next }[]): readonly Way[] {
  const without = own.filter(({ next }) => next === undefined).map(({ way }) => way);
  return [
    { ways: [NEXT, ...without], to: listOf(shared) },
    ...own.filter(({ next }) => next !== undefined).map(({ way, next }) => ({ ways: [way], to: listOf(next) })),
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

/** When the next of what it repeats is to begin. */
export function everyTimer(name: string): string {
  return `${name}/every`;
}

/** What is heard in the place of its timer where a delay's time has gone by, and nobody wants it then. */
export function passedOver(name: string): string {
  return `${name}/passed-over`;
}

function timersOf({ name, is }: Named): readonly (readonly [string, TimerOf])[] {
  const fires = { node: name, isPassedOver: false };
  const passed = { node: name, isPassedOver: true };
  switch (is.kind) {
    case "wait":
    case "acting":
      return [[timeoutTimer(name), fires]];
    case "each":
      return [
        [everyTimer(name), fires],
        [passedOver(name), passed],
      ];
    case "delay":
      return [
        [delayTimer(name), fires],
        [passedOver(name), passed],
      ];
    case "branch":
    case "split":
    case "journey":
    case "exit":
      return [];
  }
}

/** Where in the definition. */
export function placeOf(name: string): string {
  return `/nodes/${name}`;
}

/** Timers are armed by an expression: what is written out in a node goes by the node's own name. */
export function expressionOf(delay: Delay, name: string): string {
  return typeof delay === "object" ? writtenIn(name) : String(delay);
}

/** No delay of the definition's has a name with a slash. */
export function writtenIn(name: string): string {
  return `${name}/delay`;
}

export function listOf(next: Next): readonly string[] {
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

function asksRules(is: Kind): boolean {
  if (is.kind === "each") return is.node.until?.when !== undefined;
  return is.kind === "wait" && is.node.for.some(({ when }) => when !== undefined);
}

function listenersIn(kinds: readonly Named[]): Plan["listeners"] {
  const found = new Map<string, Listener[]>();
  for (const { name, is } of kinds) {
    heardBy(is).forEach((event, alternative) => {
      if (event === undefined) return;
      const others = found.get(event) ?? [];
      others.push({ node: name, alternative });
      found.set(event, others);
    });
  }
  return found;
}

/** Types of events that move it, each in its place; none where a rule stands. */
export function heardBy(is: Kind): readonly (string | undefined)[] {
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

/** How a child may end; the first is the one that is hoped for. */
export const CHILD_ENDS = ["completed", "failed", "canceled"] as const;
