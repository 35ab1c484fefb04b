// A machine definition as an XState machine: guards and assignments become JSONLogic evaluations, delays become named
// timers, and every state says when it is entered and left. No code of the user's runs: definitions are data.
import { assign, createMachine, type AnyStateMachine } from "xstate";
import type { Behaviour, MachineDefinition, Transition, Transitions } from "#schema/definition/definition.ts";
import type { Json, JsonObject, Rule } from "#schema/json.ts";
import { limits } from "#schema/limits.ts";
import { evaluate, truthy } from "../../language/logic.ts";
import { isSpent, spend, workOf, type Work } from "../../computing/work.ts";
import { PATCHED, type ProgramCommand, type Scope } from "../program.ts";
import { graphOf, nodeAt, ROOT, targetList, targetNode, transitionList, type Graph, type GraphNode } from "./graph.ts";
import { timerId } from "./listeners.ts";
import { pointer, statePointer, transitionPointer } from "./places.ts";
import { leaveBeforeReturning, returnApart } from "./returning.ts";

/** XState's id of the root; every other state's id is this, a dot, and its path. */
const MACHINE_ID = "m";

export type TimerName = { readonly timer: string; readonly state: string; readonly expression: string };

export type CompiledMachine = {
  /** Made when it is first asked for: whoever only looks at an execution has no move to make. */
  readonly machine: () => Machine;
  /** The same machine, for triggers after which two states of one region would be active in the other one. */
  readonly apart: () => AnyStateMachine;
  readonly graph: Graph;
  /** By the event type XState raises when the delay is over, and back. */
  readonly timers: ReadonlyMap<string, TimerName>;
  readonly delayEvents: ReadonlyMap<string, string>;
};

type Machine = { readonly xstate: AnyStateMachine; readonly hasWaysBack: boolean };

/** What XState carries for us as its context: variables, and the rest of what rules see, the same for one trigger. */
export type Carried = {
  readonly variables: JsonObject;
  readonly scope: Scope;
  /** What the step may still cost. */
  readonly work: Work;
  /** True once the variables are a copy that nobody else has: then they are changed in place. */
  readonly isDraft: boolean;
  /** Paths of the states that are active, updated as states are left and entered. */
  readonly standing: Set<string>;
  /** Whether a rule was: what comes of a trigger then hangs on more than where the machine stands. */
  readonly asked: { any: boolean };
};
type Args = { readonly context: Carried; readonly event: { readonly type: string } };

export function compileMachine(definition: MachineDefinition): CompiledMachine {
  const graph = graphOf(definition);
  const timers = new Map<string, TimerName>();
  const delays: Record<string, number> = {};
  for (const { path, node } of graph.values()) {
    for (const expression of Object.keys(node.after ?? {})) {
      // The real instant is worked out by the kernel when it arms the timer; XState only has to ask for one.
      delays[delayName(expression)] = 1;
      const timer = timerId(path, expression);
      timers.set(`xstate.after.${delayName(expression)}.${stateId(path)}`, { timer, state: path, expression });
    }
  }
  let machine: Machine | null = null;
  let apart: AnyStateMachine | null = null;
  return {
    machine: () => (machine ??= machineOf(xstateMachine(graph, delays))),
    apart: () => (apart ??= apartOf(xstateMachine(graph, delays))),
    graph,
    timers,
    delayEvents: new Map([...timers].map(([event, { timer }]) => [timer, event])),
  };
}

function xstateMachine(graph: Graph, delays: { readonly [name: string]: number }): AnyStateMachine {
  const config = {
    ...nodeConfig(graph, nodeAt(graph, ROOT)),
    id: MACHINE_ID,
    // The actor that stands by for transitions has no input: this throws then, and it goes no further.
    context: ({ input: { ...carried } }: { input: Carried }): Carried => carried,
    // Our own count comes first, and is told apart from what else may go wrong.
    options: { maxIterations: 2 * limits.microstepsMax },
  };
  // XState's config type is for literals written by hand; ours is made from checked data.
  return createMachine(config as never, { delays } as never) as unknown as AnyStateMachine;
}

function machineOf(xstate: AnyStateMachine): Machine {
  return { xstate, hasWaysBack: leaveBeforeReturning(xstate) };
}

function apartOf(xstate: AnyStateMachine): AnyStateMachine {
  returnApart(xstate);
  return xstate;
}

/** The name must not look like a number, or XState would take it for milliseconds. */
function delayName(expression: string): string {
  return `after:${expression}`;
}

/** The other way round: the path of the state with this id of XState's. */
export function pathOf(id: string): string {
  return id.slice(MACHINE_ID.length + 1);
}

function stateId(path: string): string {
  return path === ROOT ? MACHINE_ID : `${MACHINE_ID}.${path}`;
}

type Config = { [key: string]: unknown };

function nodeConfig(graph: Graph, at: GraphNode): Config {
  const { path, node, children } = at;
  const config: Config = {};
  if (node.type !== undefined) config["type"] = node.type;
  if (node.initial !== undefined) config["initial"] = node.initial;
  if (node.history !== undefined) config["history"] = node.history;
  if (node.target !== undefined) config["target"] = targetId(graph, at, node.target);
  const list = (transitions: Transitions, field: string, key: string | null = null): Config[] =>
    transitionList(transitions).map((transition, index) => {
      const where = transitionPointer(path, field, key, transitions, index);
      return transitionConfig(graph, at, transition, { where, isWild: key === "*" });
    });
  if (node.on) config["on"] = mapEntries(node.on, (type, each) => [type, list(each, "on", type)]);
  if (node.after) config["after"] = mapEntries(node.after, (key, each) => [delayName(key), list(each, "after", key)]);
  if (node.always !== undefined) config["always"] = list(node.always, "always");
  if (node.onDone !== undefined) config["onDone"] = list(node.onDone, "onDone");
  if (node.type !== "history") {
    const [entered, left] =
      path === ROOT ? [[], []] : [[asking({ kind: "enter", state: path })], [asking({ kind: "leave", state: path })]];
    config["entry"] = [...behaviours(node.entry, pointer(statePointer(path), "entry")), ...entered];
    config["exit"] = [...behaviours(node.exit, pointer(statePointer(path), "exit")), ...left];
  }
  if (children.length > 0) {
    config["states"] = Object.fromEntries(children.map((child) => [child.key, nodeConfig(graph, child)]));
  }
  return config;
}

type Placed = { readonly where: string; readonly isWild: boolean };

function transitionConfig(graph: Graph, at: GraphNode, transition: Transition, { where, isWild }: Placed): Config {
  const { guard, reenter = false } = transition;
  const targets = targetList(transition).map((target) => targetId(graph, at, target));
  return {
    reenter,
    ...(targets.length > 0 ? { target: targets } : {}),
    guard: ({ context, event }: Args) =>
      !(isWild && isEngineOwn(event.type)) && (guard === undefined || passes(guard, context, where)),
    actions: [
      ...(transition.assign ? [assigning(transition.assign, where)] : []),
      ...(transition.actions ?? []).map((action) => asking({ kind: "act", action })),
    ],
  };
}

/** The wildcard is for messages: a timer, the end of a nested state or a patch are none. */
function isEngineOwn(type: string): boolean {
  return type.startsWith("xstate.") || type === PATCHED;
}

function targetId(graph: Graph, at: GraphNode, target: string): string {
  return `#${stateId(targetNode(graph, at, target).path)}`;
}

function behaviours(list: readonly Behaviour[] = [], where: string): unknown[] {
  return list.map((item, index) =>
    typeof item === "string" ? asking({ kind: "act", action: item }) : assigning(item.assign, pointer(where, index)),
  );
}

/** An XState action without an implementation: it comes back to us as it is. */
function asking(command: ProgramCommand): { type: "command"; params: ProgramCommand } {
  return { type: "command", params: command };
}

function assigning(rules: { readonly [variable: string]: Rule }, where: string): unknown {
  return assign((({ context }: Args): Pick<Carried, "variables" | "isDraft"> => {
    const { work, asked } = context;
    asked.any = true;
    const assigned = Object.entries(rules).map(([variable, rule]) => {
      const result = evaluate(rule, scopeOf(context), work);
      if (result.ok) return [variable, result.value] as const;
      const at = isSpent(work) ? ` at ${pointer(where, "assign", variable)}` : "";
      throw new Error(`the assignment to ${variable}${at} cannot be evaluated: ${result.message}`);
    });
    return { variables: withAll(draftOf(context, where), assigned), isDraft: true };
  }) as never); // XState types an assigner over its own generics; ours is over plain JSON
}

type Draft = { [variable: string]: Json };

/** The first assignment of a transition copies the variables, all others change the copy: it is nobody else's. */
function draftOf({ variables, work, isDraft }: Carried, where: string): Draft {
  if (isDraft) return variables as Draft; // it was made here
  spend(work, Object.keys(variables).length * workOf.name, `the assignment at ${pointer(where, "assign")}`);
  return { ...variables };
}

function withAll(draft: Draft, assigned: readonly (readonly [string, Json])[]): JsonObject {
  for (const [name, value] of assigned) {
    // A variable may have any name, even the one that would set the prototype.
    Object.defineProperty(draft, name, { value, writable: true, enumerable: true, configurable: true });
  }
  return draft;
}

function passes(guard: Rule, carried: Carried, where: string): boolean {
  const { work, asked } = carried;
  asked.any = true;
  const result = truthy(guard, scopeOf(carried), work);
  if (result.ok) return result.value;
  const at = isSpent(work) ? `the guard at ${pointer(where, "guard")}` : "a guard";
  throw new Error(`${at} cannot be evaluated: ${result.message}`);
}

/** The variables as they are at this microstep, over the scope the trigger came with. */
function scopeOf({ variables, scope }: Carried): Scope {
  return { ...scope, execution: { ...(scope["execution"] as JsonObject), variables } };
}

function mapEntries<T, U>(record: { readonly [key: string]: T }, change: (key: string, value: T) => [string, U]) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => change(key, value)));
}
