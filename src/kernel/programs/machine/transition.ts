// XState's pure transition functions at lower cost. XState's own functions create an actor for every call, which also
// starts the machine. This file creates one actor per machine for all calls, and never starts it.
import {
  createActor,
  type AnyActorScope,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyTransitionDefinition,
  type ExecutableActionsFrom,
} from "xstate";
import type { ProgramCommand } from "../../execution/program-commands.ts";
import type { MachineContext } from "./compile.ts";

/** XState's report of one microstep: the transitions that were taken. Empty if no transition accepted the event. */
export type Microstep = {
  readonly _transitions: readonly AnyTransitionDefinition[];
  readonly snapshot: AnyMachineSnapshot;
};
export type OnMicrostep = (microstep: Microstep) => void;

type Actions = readonly ExecutableActionsFrom<AnyStateMachine>[];
type TransitionResult = readonly [AnyMachineSnapshot, Actions];

const unstartedActors = new WeakMap<AnyStateMachine, AnyActorScope["self"]>();

export function initialTransition(
  machine: AnyStateMachine,
  input: MachineContext,
  heard: OnMicrostep,
): TransitionResult {
  const { activePaths } = input;
  return collectActions(machine, activePaths, heard, (scope) => machine.getInitialSnapshot(scope, input as never)); // XState types the input as undefined.
}

export function transition(
  machine: AnyStateMachine,
  from: AnyMachineSnapshot,
  event: { readonly type: string },
  heard: OnMicrostep,
): TransitionResult {
  const { activePaths } = from.context as MachineContext;
  return collectActions(machine, activePaths, heard, (scope) => machine.transition(from, event, scope));
}

function collectActions(
  machine: AnyStateMachine,
  activePaths: Set<string>,
  heard: OnMicrostep,
  move: (scope: AnyActorScope) => AnyMachineSnapshot,
): TransitionResult {
  const actions: ExecutableActionsFrom<AnyStateMachine>[] = [];
  const self = unstartedActor(machine);
  const actionExecutor = (action: (typeof actions)[number]): void => {
    actions.push(action);
    updateActivePaths(activePaths, action.params as Params); // compile.ts and XState give every action of this machine params.
  };
  // A transition uses only this method of an XState system. The other methods execute actions, which never happens
  // here.
  const system = { _sendInspectionEvent: heard };
  return [move({ self, system, actionExecutor } as unknown as AnyActorScope), actions];
}

/**
 * The params of an action: a command of the engine, or the params of an action that XState adds for `after`, which have
 * no `kind`.
 */
type Params = { readonly kind?: ProgramCommand["kind"]; readonly state?: string };

function updateActivePaths(activePaths: Set<string>, { kind, state = "" }: Params): void {
  if (kind === "enter") activePaths.add(state);
  else if (kind === "leave") activePaths.delete(state);
}

function unstartedActor(machine: AnyStateMachine): AnyActorScope["self"] {
  const known = unstartedActors.get(machine);
  if (known) return known;
  const self = createActor(machine);
  unstartedActors.set(machine, self);
  return self;
}
