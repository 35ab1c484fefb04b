// The machine kind: statecharts as XState v5 understands them, through its pure transition functions.
import { initialTransition, transition, type AnyMachineSnapshot, type ExecutableActionsFrom } from "xstate";
import type { AnyStateMachine } from "xstate";
import type { MachineDefinition } from "#schema/definition.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import type { MachinePosition } from "#schema/state.ts";
import { PATCHED, type Move, type Program, type ProgramCommand, type Scope } from "../../program.ts";
import { compileMachine, type CompiledMachine } from "./compile.ts";
import { ancestors, leavesOf, outlook } from "./graph.ts";

export function machineProgram(definition: MachineDefinition): Program {
  const compiled = compileMachine(definition);
  const { graph } = compiled;
  const eventTypes = [...new Set([...graph.values()].flatMap(({ node }) => Object.keys(node.on ?? {})))];
  const handled = (position: MachinePosition): readonly string[] =>
    position.states.flatMap((path) => ancestors(graph, path)).flatMap(({ node }) => Object.keys(node.on ?? {}));
  return {
    definition,
    actions: new Map((definition.actions ?? []).map((action) => [action.actionId, action])),
    begin: (variables, scope) =>
      guarded(() => {
        const [snapshot, actions] = initialTransition(compiled.machine, { variables, scope } as never);
        return moveOf(compiled, snapshot, actions);
      }),
    react: (position, variables, type, scope) => react(compiled, position, variables, type, scope),
    outlook: (position, type) => outlook(graph, position.states, type),
    waitsFor: (position) => [...new Set(handled(position).filter((type) => !type.startsWith("action.")))],
    ending: (position) =>
      position.states.some((path) => ancestors(graph, path).some(({ node }) => node.outcome === "failed"))
        ? "failed"
        : "completed",
    eventTypes,
  };
}

function react(
  compiled: CompiledMachine,
  position: MachinePosition,
  variables: JsonObject,
  type: string,
  scope: Scope,
): Move | null {
  const { machine, delayEvents } = compiled;
  const event = { type: delayEvents.get(type) ?? type, scope };
  let accepted = true;
  const move = guarded(() => {
    const snapshot = machine.resolveState({
      value: position.value,
      context: variables,
      historyValue: restoreHistory(machine, position.history),
    } as never) as AnyMachineSnapshot;
    // A patch has no handler of its own to ask for: `always` transitions must see the new variables.
    accepted = type === PATCHED || snapshot.can(event);
    if (!accepted) return unmoved(position, variables);
    const [next, actions] = transition(machine, snapshot, event);
    return moveOf(compiled, next as AnyMachineSnapshot, actions);
  });
  return accepted ? move : null;
}

function unmoved(position: MachinePosition, variables: JsonObject): Move {
  return { ok: true, position, variables, commands: [] };
}

/** XState throws where a rule of the definition does, and on an endless loop; both are the definition's fault. */
function guarded(work: () => Move): Move {
  try {
    return work();
  } catch (fault) {
    return { ok: false, message: (fault as Error).message };
  }
}

function moveOf(
  compiled: CompiledMachine,
  snapshot: AnyMachineSnapshot,
  actions: readonly ExecutableActionsFrom<AnyStateMachine>[],
): Move {
  const done = snapshot.status === "done";
  const states = leavesOf(snapshot.value);
  const position: MachinePosition = {
    kind: "machine",
    value: snapshot.value as Json,
    history: keepHistory(snapshot.historyValue),
    states,
    done,
  };
  const commands = actions.flatMap((action) => commandOf(compiled, action));
  return { ok: true, position, variables: snapshot.context as JsonObject, commands: done ? settled(commands) : commands };
}

/** XState leaves every state of a machine that is done. The final state's own actions must still run, so we stay. */
function settled(commands: readonly ProgramCommand[]): readonly ProgramCommand[] {
  const last = commands.findLastIndex(({ kind }) => kind !== "leave");
  return commands.slice(0, last + 1);
}

function commandOf(compiled: CompiledMachine, action: { type: string; params?: unknown }): readonly ProgramCommand[] {
  const params = (action.params ?? {}) as { what?: string; id?: string; sendId?: string }; // set by compile.ts or XState
  switch (action.type) {
    case "enter":
    case "leave":
      return [{ kind: action.type, state: params.what ?? "" }];
    case "act":
      return [{ kind: "act", action: params.what ?? "" }];
    case "xstate.raise": {
      const name = compiled.timers.get(params.id ?? "");
      return name ? [{ kind: "arm", ...name }] : [];
    }
    case "xstate.cancel": {
      const name = compiled.timers.get(params.sendId ?? "");
      return name ? [{ kind: "disarm", timer: name.timer }] : [];
    }
    default:
      return [];
  }
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
  ) as AnyMachineSnapshot["historyValue"];
}
