// XState's pure transition functions at lower cost. XState creates an actor for every call, which also starts the
// machine; here one actor per machine, never started, serves all calls.
import {
  createActor,
  type AnyActorScope,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyTransitionDefinition,
  type ExecutableActionsFrom,
} from "xstate";
import type { ProgramCommand } from "../../execution/program.ts";
import type { MachineContext } from "./compile.ts";

/** XState's report of one microstep: the transitions taken, empty if none accepted the event. */
export type Microstep = {
  readonly _transitions: readonly AnyTransitionDefinition[];
  readonly snapshot: AnyMachineSnapshot;
};
export type Heard = (microstep: Microstep) => void;

type Actions = readonly ExecutableActionsFrom<AnyStateMachine>[];
type Moved = readonly [AnyMachineSnapshot, Actions];

const bystanders = new WeakMap<AnyStateMachine, AnyActorScope["self"]>();

export function initialTransition(machine: AnyStateMachine, input: MachineContext, heard: Heard): Moved {
  const { standing } = input;
  return collecting(machine, standing, heard, (scope) => machine.getInitialSnapshot(scope, input as never)); // XState types the input as undefined
}

export function transition(
  machine: AnyStateMachine,
  from: AnyMachineSnapshot,
  event: { readonly type: string },
  heard: Heard,
): Moved {
  const { standing } = from.context as MachineContext;
  return collecting(machine, standing, heard, (scope) => machine.transition(from, event, scope));
}

function collecting(
  machine: AnyStateMachine,
  standing: Set<string>,
  heard: Heard,
  move: (scope: AnyActorScope) => AnyMachineSnapshot,
): Moved {
  const actions: ExecutableActionsFrom<AnyStateMachine>[] = [];
  const self = bystanderOf(machine);
  const actionExecutor = (action: (typeof actions)[number]): void => {
    actions.push(action);
    keepUp(standing, action.params as Params); // every action in this machine has params
  };
  // A transition uses only the report of microsteps. The rest of an XState scope is for executing actions, which never
  // happens here.
  const system = { _sendInspectionEvent: heard };
  return [move({ self, system, actionExecutor } as unknown as AnyActorScope), actions];
}

/** The params of one of the engine's commands, or of XState's own actions for `after`, which have no kind. */
type Params = { readonly kind?: ProgramCommand["kind"]; readonly state?: string };

function keepUp(standing: Set<string>, { kind, state = "" }: Params): void {
  if (kind === "enter") standing.add(state);
  else if (kind === "leave") standing.delete(state);
}

function bystanderOf(machine: AnyStateMachine): AnyActorScope["self"] {
  const known = bystanders.get(machine);
  if (known) return known;
  const self = createActor(machine);
  bystanders.set(machine, self);
  return self;
}
