// A machine definition as an XState machine. Guards and assignments evaluate JSONLogic, delays become named timers, and
// every state reports its entry and exit. A definition is data, so the machine executes no code of a tenant.
import { assign, createMachine, type AnyStateMachine } from "xstate";
import type { Behaviour, MachineDefinition, Transition, Transitions } from "#schema/definition/definition.ts";
import type { Json, JsonObject, Rule } from "#schema/json.ts";
import { MICROSTEPS_MAX } from "#schema/limits/executions.ts";
import { evaluate, truthy } from "../../language/logic.ts";
import { isExhausted, charge, workOf, type Work } from "../../computing/work.ts";
import { PATCHED, type Scope } from "../../execution/program.ts";
import type { ProgramCommand } from "../../execution/program-commands.ts";
import { graphOf, nodeAt, ROOT, targetList, targetNode, transitionList, type Graph, type GraphNode } from "./graph.ts";
import { timerId } from "./listeners.ts";
import { pointer, statePointer, transitionPointer } from "./pointers.ts";
import { leaveBeforeHistory, keepRegionsApart } from "./history-targets.ts";

/** XState's id of the root. The id of every other state is this text, a dot and the state's path. */
const MACHINE_ID = "m";

export type TimerName = { readonly timer: string; readonly state: string; readonly expression: string };

export type CompiledMachine = {
  /** Returns the machine, and compiles it at the first call. Reading an execution does not need the machine. */
  readonly machine: () => Machine;
  /**
   * Returns a variant of the machine. It is used for triggers after which XState would leave two states of one region
   * active.
   */
  readonly regionSafe: () => AnyStateMachine;
  readonly graph: Graph;
  /**
   * The timer of each event type that XState raises at the end of a delay. `delayEvents` gives the event type of a
   * timer's name.
   */
  readonly timers: ReadonlyMap<string, TimerName>;
  readonly delayEvents: ReadonlyMap<string, string>;
};

type Machine = { readonly xstate: AnyStateMachine; readonly hasWaysBack: boolean };

/**
 * XState's context: the variables, and the other part of the scope that rules read. This other part does not change
 * during one trigger.
 */
export type MachineContext = {
  readonly variables: JsonObject;
  readonly scope: Scope;
  /** The remaining budget of the step. */
  readonly work: Work;
  /** True if the variables were already copied for this transition, so that they are changed in place. */
  readonly isDraft: boolean;
  /** Paths of the active states, updated at every entry and exit. */
  readonly activePaths: Set<string>;
  /** `any`: true if a rule was evaluated. The result then depends on more than the position, so it is not cached. */
  readonly ruleUse: { any: boolean };
};
type Args = { readonly context: MachineContext; readonly event: { readonly type: string } };

export function compileMachine(definition: MachineDefinition): CompiledMachine {
  const graph = graphOf(definition);
  const timers = new Map<string, TimerName>();
  const delays: Record<string, number> = {};
  for (const { path, node } of graph.values()) {
    for (const expression of Object.keys(node.after ?? {})) {
      // XState needs a number for each delay, but the engine never uses it. The kernel computes the instant when it
      // arms the timer.
      delays[delayName(expression)] = 1;
      const timer = timerId(path, expression);
      timers.set(`xstate.after.${delayName(expression)}.${stateId(path)}`, { timer, state: path, expression });
    }
  }
  let machine: Machine | null = null;
  let regionSafe: AnyStateMachine | null = null;
  return {
    machine: () => (machine ??= machineOf(xstateMachine(graph, delays))),
    regionSafe: () => (regionSafe ??= regionSafeMachine(xstateMachine(graph, delays))),
    graph,
    timers,
    delayEvents: new Map([...timers].map(([event, { timer }]) => [timer, event])),
  };
}

function xstateMachine(graph: Graph, delays: { readonly [name: string]: number }): AnyStateMachine {
  const config = {
    ...nodeConfig(graph, nodeAt(graph, ROOT)),
    id: MACHINE_ID,
    // When XState creates an actor, it calls this function without an input. Destructuring then throws. XState stores
    // the exception in a snapshot that is never used.
    context: ({ input: { ...context } }: { input: MachineContext }): MachineContext => context,
    // The engine has a lower limit of its own, so this limit is not reached. The engine's limit has its own error code.
    options: { maxIterations: 2 * MICROSTEPS_MAX },
  };
  // XState derives types from literal configs. This config is built at run time, from a verified definition.
  return createMachine(config as never, { delays } as never) as unknown as AnyStateMachine;
}

function machineOf(xstate: AnyStateMachine): Machine {
  return { xstate, hasWaysBack: leaveBeforeHistory(xstate) };
}

function regionSafeMachine(xstate: AnyStateMachine): AnyStateMachine {
  keepRegionsApart(xstate);
  return xstate;
}

/** The name of a delay for XState. XState would treat a name of digits as milliseconds. */
function delayName(expression: string): string {
  return `after:${expression}`;
}

/** The path of the state with this XState id. */
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
      path === ROOT
        ? [[], []]
        : [[commandAction({ kind: "enter", state: path })], [commandAction({ kind: "leave", state: path })]];
    config["entry"] = [...behaviourActions(node.entry, pointer(statePointer(path), "entry")), ...entered];
    config["exit"] = [...behaviourActions(node.exit, pointer(statePointer(path), "exit")), ...left];
  }
  if (children.length > 0) {
    config["states"] = Object.fromEntries(children.map((child) => [child.key, nodeConfig(graph, child)]));
  }
  return config;
}

type TransitionPlace = { readonly where: string; readonly isWild: boolean };

function transitionConfig(
  graph: Graph,
  at: GraphNode,
  transition: Transition,
  { where, isWild }: TransitionPlace,
): Config {
  const { guard, reenter = false } = transition;
  const targets = targetList(transition).map((target) => targetId(graph, at, target));
  return {
    reenter,
    ...(targets.length > 0 ? { target: targets } : {}),
    guard: ({ context, event }: Args) =>
      !(isWild && isEngineOwn(event.type)) && (guard === undefined || isGuardTrue(guard, context, where)),
    actions: [
      ...(transition.assign ? [assignAction(transition.assign, where)] : []),
      ...(transition.actions ?? []).map((action) => commandAction({ kind: "act", action })),
    ],
  };
}

/**
 * Whether a wildcard listener ignores this event type. A wildcard accepts messages, but not timers, the ends of nested
 * states, or patches.
 */
function isEngineOwn(type: string): boolean {
  return type.startsWith("xstate.") || type === PATCHED;
}

function targetId(graph: Graph, at: GraphNode, target: string): string {
  return `#${stateId(targetNode(graph, at, target).path)}`;
}

function behaviourActions(list: readonly Behaviour[] = [], where: string): unknown[] {
  return list.map((item, index) =>
    typeof item === "string"
      ? commandAction({ kind: "act", action: item })
      : assignAction(item.assign, pointer(where, index)),
  );
}

/** A command as an XState action. XState does not execute this action, but returns it in the list of actions. */
function commandAction(command: ProgramCommand): { type: "command"; params: ProgramCommand } {
  return { type: "command", params: command };
}

function assignAction(rules: { readonly [variable: string]: Rule }, where: string): unknown {
  return assign((({ context }: Args): Pick<MachineContext, "variables" | "isDraft"> => {
    const { work, ruleUse } = context;
    ruleUse.any = true;
    const assigned = Object.entries(rules).map(([variable, rule]) => {
      const result = evaluate(rule, scopeOf(context), work);
      if (result.ok) return [variable, result.value] as const;
      const at = isExhausted(work) ? ` at ${pointer(where, "assign", variable)}` : "";
      throw new Error(`the assignment to ${variable}${at} cannot be evaluated: ${result.message}`);
    });
    return { variables: assignAll(draftOf(context, where), assigned), isDraft: true };
  }) as never); // XState types an assigner by its own generics. This assigner changes plain JSON.
}

type Draft = { [variable: string]: Json };

/**
 * The variables to which a transition assigns. The first assignment of a transition copies the variables, and later
 * ones change that copy.
 */
function draftOf({ variables, work, isDraft }: MachineContext, where: string): Draft {
  if (isDraft) return variables as Draft; // The flag is set only after this function has made the copy, so the variables are mutable.
  charge(work, Object.keys(variables).length * workOf.name, `the assignment at ${pointer(where, "assign")}`);
  return { ...variables };
}

function assignAll(draft: Draft, assigned: readonly (readonly [string, Json])[]): JsonObject {
  for (const [name, value] of assigned) {
    // A plain assignment to a variable named "__proto__" would change the prototype. The property is therefore defined.
    Object.defineProperty(draft, name, { value, writable: true, enumerable: true, configurable: true });
  }
  return draft;
}

function isGuardTrue(guard: Rule, context: MachineContext, where: string): boolean {
  const { work, ruleUse } = context;
  ruleUse.any = true;
  const result = truthy(guard, scopeOf(context), work);
  if (result.ok) return result.value;
  const at = isExhausted(work) ? `the guard at ${pointer(where, "guard")}` : "a guard";
  throw new Error(`${at} cannot be evaluated: ${result.message}`);
}

/** The scope that a rule reads: the variables as they are at this microstep, and the rest of the trigger's scope. */
function scopeOf({ variables, scope }: MachineContext): Scope {
  return { ...scope, execution: { ...(scope["execution"] as JsonObject), variables } };
}

function mapEntries<T, U>(record: { readonly [key: string]: T }, change: (key: string, value: T) => [string, U]) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => change(key, value)));
}
