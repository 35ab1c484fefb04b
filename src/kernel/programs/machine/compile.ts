// A machine definition as an XState machine: guards and assignments become JSONLogic evaluations, delays become named
// timers, and every state says when it is entered and left. No code of the user's runs: definitions are data.
import { assign, createMachine, type AnyStateMachine } from "xstate";
import type { Behaviour, MachineDefinition, StateNode, Transition, Transitions } from "#schema/definition.ts";
import type { JsonObject, Rule } from "#schema/json.ts";
import { limits } from "#schema/limits.ts";
import { evaluate, truthy } from "../../logic.ts";
import type { Scope } from "../../program.ts";
import { graphOf, resolveTarget, ROOT, targetList, transitionList, type Graph, type GraphNode } from "./graph.ts";

/** XState's id of the root; every other state's id is this, a dot, and its path. */
const MACHINE_ID = "m";

export type TimerName = { readonly timer: string; readonly state: string; readonly expression: string };

export type CompiledMachine = {
  readonly machine: AnyStateMachine;
  readonly graph: Graph;
  /** By the event type XState raises when the delay is over, and back. */
  readonly timers: ReadonlyMap<string, TimerName>;
  readonly delayEvents: ReadonlyMap<string, string>;
};

/** What an XState callback of ours is given: variables as context, the rest of the scope in the event. */
type Args = { context: JsonObject; event: { scope?: Scope; input?: { scope: Scope } } };

export function compileMachine(definition: MachineDefinition): CompiledMachine {
  const graph = graphOf(definition);
  const timers = new Map<string, TimerName>();
  const delays: Record<string, () => number> = {};
  for (const { path, node } of graph.values()) {
    for (const expression of Object.keys(node.after ?? {})) {
      // The real instant is worked out by the kernel when it arms the timer; XState only has to ask for one.
      delays[delayName(expression)] = () => 1;
      const timer = `${path === ROOT ? "(root)" : path}/after/${expression}`;
      timers.set(`xstate.after.${delayName(expression)}.${stateId(path)}`, { timer, state: path, expression });
    }
  }
  const root = nodeConfig(graph, graph.get(ROOT));
  const config = {
    ...root,
    id: MACHINE_ID,
    context: ({ input }: { input: { variables: JsonObject } }) => input.variables,
    options: { maxIterations: limits.microstepsMax },
  };
  return {
    // XState's config type is for literals written by hand; ours is made from checked data.
    machine: createMachine(config as never, { delays } as never) as unknown as AnyStateMachine,
    graph,
    timers,
    delayEvents: new Map([...timers].map(([event, { timer }]) => [timer, event])),
  };
}

/** The name must not look like a number, or XState would take it for milliseconds. */
function delayName(expression: string): string {
  return `after:${expression}`;
}

export function stateId(path: string): string {
  return path === ROOT ? MACHINE_ID : `${MACHINE_ID}.${path}`;
}

type Config = { [key: string]: unknown };

function nodeConfig(graph: Graph, at: GraphNode | undefined): Config {
  const { path, node, children } = at as GraphNode; // only called with nodes taken from this graph
  const config: Config = {};
  if (node.type !== undefined) config["type"] = node.type;
  if (node.initial !== undefined) config["initial"] = node.initial;
  if (node.history !== undefined) config["history"] = node.history;
  const list = (transitions: Transitions): Config[] =>
    transitionList(transitions).map((transition) => transitionConfig(graph, at as GraphNode, transition));
  if (node.target !== undefined) config["target"] = targetsOf(graph, at as GraphNode, { target: node.target })?.[0];
  if (node.on) config["on"] = mapValues(node.on, list);
  if (node.after) {
    config["after"] = Object.fromEntries(
      Object.entries(node.after).map(([key, transitions]) => [delayName(key), list(transitions)]),
    );
  }
  if (node.always !== undefined) config["always"] = list(node.always);
  if (node.onDone !== undefined) config["onDone"] = list(node.onDone);
  if (node.type !== "history") {
    config["entry"] = [...behaviours(node.entry), ...(path === ROOT ? [] : [command("enter", path)])];
    config["exit"] = [...behaviours(node.exit), ...(path === ROOT ? [] : [command("leave", path)])];
  }
  if (children.length > 0) {
    const keys = Object.keys(node.states as Record<string, StateNode>); // children come from these keys
    config["states"] = Object.fromEntries(
      keys.map((key, index) => [key, nodeConfig(graph, graph.get(children[index] as string))]),
    );
  }
  return config;
}

function transitionConfig(graph: Graph, at: GraphNode, transition: Transition): Config {
  const config: Config = {};
  const targets = targetsOf(graph, at, transition);
  if (targets) config["target"] = targets;
  const { guard } = transition;
  if (guard !== undefined) config["guard"] = (args: Args) => passes(guard, scopeOf(args));
  if (transition.reenter) config["reenter"] = true;
  config["actions"] = [
    ...(transition.assign ? [assigning(transition.assign)] : []),
    ...(transition.actions ?? []).map((action) => command("act", action)),
  ];
  return config;
}

function targetsOf(graph: Graph, at: GraphNode, transition: Transition): string[] | undefined {
  const targets = targetList(transition).map((target) => `#${stateId(resolveTarget(graph, at, target) ?? target)}`);
  return targets.length > 0 ? targets : undefined;
}

function behaviours(list: readonly Behaviour[] | undefined): unknown[] {
  return (list ?? []).map((item) => (typeof item === "string" ? command("act", item) : assigning(item.assign)));
}

function command(type: "enter" | "leave" | "act", what: string): { type: string; params: { what: string } } {
  return { type, params: { what } };
}

function assigning(rules: { readonly [variable: string]: Rule }): unknown {
  return assign(((args: Args) => {
    const scope = scopeOf(args);
    return mapValues(rules, (rule) => {
      const result = evaluate(rule, scope);
      if (!result.ok) throw new Error(`an assignment cannot be evaluated: ${result.message}`);
      return result.value;
    });
  }) as never); // XState types an assigner over its own generics; ours is over plain JSON
}

function passes(guard: Rule, scope: Scope): boolean {
  const result = truthy(guard, scope);
  if (!result.ok) throw new Error(`a guard cannot be evaluated: ${result.message}`);
  return result.value;
}

/** The variables as they are at this microstep, over the scope the trigger came with. */
function scopeOf({ context, event }: Args): Scope {
  const scope = event.scope ?? event.input?.scope ?? {};
  return { ...scope, execution: { ...(scope["execution"] as JsonObject), variables: context } };
}

function mapValues<T, U>(record: { readonly [key: string]: T }, change: (value: T) => U): { [key: string]: U } {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
