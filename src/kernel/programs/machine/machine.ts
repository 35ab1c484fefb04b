// The machine kind: statecharts with the semantics of XState v5, through its pure transition functions.
import { isReserved } from "#schema/engine/event.ts";
import type { AnyMachineSnapshot, AnyStateMachine, ExecutableActionsFrom } from "xstate";
import type { MachineDefinition } from "#schema/definition/definition.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import type { MachinePosition, Position } from "#schema/engine/state.ts";
import type { RestartPoint } from "#schema/family/restart.ts";
import { assert } from "../../assert.ts";
import { PATCHED, type Move, type Program, type Scope } from "../../execution/program.ts";
import type { ProgramCommand } from "../../execution/program-commands.ts";
import { withLimits } from "../named-limits.ts";
import { failedEnding, placesOf, startlessType } from "../place-names.ts";
import { charge, workOf, type Work } from "../../computing/work.ts";
import { compileMachine, pathOf, type MachineContext, type CompiledMachine, type TimerName } from "./compile.ts";
import {
  activeNodes,
  awaits,
  leavesOf,
  openEventTiming,
  transitionList,
  typesOf,
  type Graph,
  type GraphNode,
} from "./graph.ts";
import { cacheName, openTransitionCache } from "./transition-cache.ts";
import { listenersOf } from "./listeners.ts";
import { startAtState } from "./start-at-state.ts";
import { initialTransition, transition, type OnMicrostep, type Microstep } from "./transition.ts";
import { runTrigger, type TriggerRun } from "./run-trigger.ts";

export function machineProgram(definition: MachineDefinition): Program<MachineDefinition> {
  const compiled = compileMachine(definition);
  const { graph } = compiled;
  const eventTiming = openEventTiming(graph);
  const knownMove = openTransitionCache();
  // A machine that is done keeps its final states until their actions have ended. It listens for no event during that
  // time.
  const listening = ({ done, states }: Position): readonly string[] => (done ? [] : states);
  return {
    definition,
    actions: new Map((definition.actions ?? []).map((action) => [action.actionId, withLimits(definition, action)])),
    begin: (variables, scope, work) => {
      const context = contextOf(variables, scope, work);
      return knownMove(START_NAME, context, () => startMachine(compiled, context));
    },
    beginAt: (from, _before, variables, scope, work) =>
      startMachine(compileMachine(startAtState(definition, placeIn(from))), contextOf(variables, scope, work)),
    react: (position, variables, type, scope, work) => {
      const at = machineAt(position);
      if (at.done) return null;
      const context = contextOf(variables, scope, work);
      const walked: TriggerRun<Move | null> = (machine, begun, heard) =>
        react(compiled, machine, at, type, begun, heard);
      return knownMove(cacheName(type, at), context, () => runTrigger(compiled, context, walked));
    },
    eventTiming: (position, type) => eventTiming(listening(position), type),
    awaits: (position, type, near) => awaits(graph, listening(position), type, near),
    waitsFor: (position) => waitsFor(activeNodes(graph, listening(position))),
    listeners: (position) => listenersOf(graph, listening(position)),
    refusesEarly: definition.earlyEvents === "refuse",
    ending: ({ states }, where) =>
      [...activeNodes(graph, states)].some(({ node }) => node.outcome === "failed")
        ? failedEnding("machine", `in ${where}`)
        : { status: "completed" },
    places: {
      field: "state",
      names: () => placesOf(definition),
      excludes: (name) => startlessType(graph.get(name)?.node.type),
      hasPosition: ({ kind }) => kind === "machine",
    },
    eventTypes: [...typesOf(graph.values())].filter((type) => !isReserved(type)),
  };
}

/** The cache key of the start. No event type is empty. */
const START_NAME = "";

function contextOf(variables: JsonObject, scope: Scope, work: Work): MachineContext {
  return { variables, scope, work, isDraft: false, activePaths: new Set(), ruleUse: { any: false } };
}

function startMachine(compiled: CompiledMachine, context: MachineContext): Move {
  return runTrigger(compiled, context, (machine, input, heard) => {
    const [snapshot, actions] = initialTransition(machine, input, heard);
    if (snapshot.status === "error") throw snapshot.error;
    return moveOf(compiled, snapshot, actions);
  });
}

function placeIn(from: RestartPoint): string {
  assert("state" in from, "a restart of a machine must name a state");
  return from.state;
}

function machineAt(position: Position): MachinePosition {
  assert(
    position.kind === "machine",
    "an execution must keep the kind of its definition (machine, journey or reconciler)",
  );
  return position;
}

/**
 * The event types that can move the position. The patch event is one of them if a state has an `always`, because a
 * patch can make its guard true.
 */
function waitsFor(active: ReadonlySet<GraphNode>): readonly string[] {
  const types = [...typesOf(active)].filter((type) => !type.startsWith("action."));
  const isGuarded = [...active].some(({ node: { always = [] } }) => transitionList(always).some(({ guard }) => guard));
  return isGuarded ? [...new Set([...types, PATCHED])] : types;
}

function react(
  compiled: CompiledMachine,
  machine: AnyStateMachine,
  position: MachinePosition,
  type: string,
  context: MachineContext,
  heard: OnMicrostep,
): Move | null {
  const { delayEvents } = compiled;
  const { work } = context;
  const event = { type: delayEvents.get(type) ?? type };
  const snapshot = machine.resolveState({
    value: position.value,
    context: context,
    historyValue: restoreHistory(machine, position.history),
  } as never) as AnyMachineSnapshot;
  charge(work, snapshot._nodes.length * workOf.stateFound);
  // Sorts the states in document order. Regions are then evaluated in this order, as in SCXML, and not in the order of
  // earlier steps.
  snapshot._nodes.sort((a, b) => a.order - b.order);
  for (const { id } of snapshot._nodes) context.activePaths.add(pathOf(id));
  // Only the first microstep takes transitions of the event itself. Later microsteps take eventless transitions.
  const taken: Microstep["_transitions"][] = [];
  const [next, actions] = transition(machine, snapshot, event, (microstep) => {
    taken.push(microstep._transitions);
    heard(microstep);
  });
  const took = taken.slice(0, 1).flat().flatMap(targetsTaken);
  // XState evaluates `always` even if the event has no transition. An `always` may run actions and still leave the
  // state unchanged.
  if (took.length === 0 && next === snapshot && actions.length === 0) return null;
  return moveOf(compiled, next, actions, took);
}

function targetsTaken({ source, target = [source] }: Microstep["_transitions"][number]): readonly string[] {
  return target.map(({ id }) => pathOf(id));
}

function moveOf(
  { graph, timers }: CompiledMachine,
  snapshot: AnyMachineSnapshot,
  actions: readonly ExecutableActionsFrom<AnyStateMachine>[],
  took: readonly string[] = [],
): Move {
  const done = snapshot.status === "done";
  const states = leavesOf(snapshot.value);
  const value = snapshot.value as Json; // The value of a snapshot is a string, or an object whose fields are such values.
  const position: MachinePosition = {
    kind: "machine",
    value,
    history: keepHistory(snapshot.historyValue),
    states,
    done,
  };
  const commands = actions.map((action) => commandOf(timers, action));
  const { variables } = snapshot.context as MachineContext;
  return {
    ok: true,
    position,
    variables,
    commands: done ? withoutFinalExits(graph, states, commands) : commands,
    took,
  };
}

function commandOf(timers: ReadonlyMap<string, TimerName>, action: { type: string; params?: unknown }): ProgramCommand {
  // XState itself adds the actions `raise` and `cancel` for `after`. compile.ts has added all other actions.
  if (action.type === "xstate.raise") return { kind: "arm", ...timerOf(timers, (action.params as { id: string }).id) };
  if (action.type === "xstate.cancel")
    return { kind: "disarm", timer: timerOf(timers, (action.params as { sendId: string }).sendId).timer };
  return action.params as ProgramCommand;
}

function timerOf(timers: ReadonlyMap<string, TimerName>, event: string): TimerName {
  const name = timers.get(event);
  assert(name, `the timer ${event} must come from an "after" of the definition`);
  return name;
}

/**
 * Removes the exits of final states from the commands of a finished machine. XState exits all states at the end, but
 * the actions of the final states must still run.
 */
function withoutFinalExits(
  graph: Graph,
  states: readonly string[],
  commands: readonly ProgramCommand[],
): ProgramCommand[] {
  const here = new Set([...activeNodes(graph, states)].map(({ path }) => path));
  return commands.filter(
    (command, index) =>
      command.kind !== "leave" ||
      !here.has(command.state) ||
      commands.slice(index).some((later) => later.kind === "enter" && later.state === command.state),
  );
}

type History = MachinePosition["history"];

function keepHistory(history: AnyMachineSnapshot["historyValue"]): History {
  return Object.fromEntries(
    Object.entries(history).map(([id, nodes]) => [id, (nodes as { id: string }[]).map((node) => node.id)]),
  );
}

function restoreHistory(machine: AnyStateMachine, history: History): AnyMachineSnapshot["historyValue"] {
  return Object.fromEntries(
    Object.entries(history).map(([id, ids]) => [id, ids.map((node) => machine.getStateNodeById(node))]),
  ) as AnyMachineSnapshot["historyValue"]; // The stored history was written by `keepHistory`, so it has XState's type.
}
