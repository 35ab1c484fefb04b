// XState's pure transition functions without what makes them dear: its own make an actor for every call, which begins
// the machine once more for nobody to look at. Here one actor a machine, never started, stands by for all calls.
import { createActor, type AnyActorScope, type AnyMachineSnapshot, type AnyStateMachine } from "xstate";
import type { AnyTransitionDefinition, ExecutableActionsFrom } from "xstate";
import type { ProgramCommand } from "../program.ts";
import type { Carried } from "./compile.ts";

/** XState's word on one microstep: the transitions it took, none where nothing took the event. */
export type Microstep = {
  readonly _transitions: readonly AnyTransitionDefinition[];
  readonly snapshot: AnyMachineSnapshot;
};
export type Heard = (microstep: Microstep) => void;

type Actions = readonly ExecutableActionsFrom<AnyStateMachine>[];
type Moved = readonly [AnyMachineSnapshot, Actions];

const bystanders = new WeakMap<AnyStateMachine, AnyActorScope["self"]>();

export function initialTransition(machine: AnyStateMachine, input: Carried, heard: Heard): Moved {
  const { standing } = input;
  return collecting(machine, standing, heard, (scope) => machine.getInitialSnapshot(scope, input as never)); // typed as undefined
}

export function transition(
  machine: AnyStateMachine,
  from: AnyMachineSnapshot,
  event: { readonly type: string },
  heard: Heard,
): Moved {
  const { standing } = from.context as Carried;
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
    keepUp(standing, action.params as Params); // no action here is without
  };
  // A transition tells nothing but its microsteps. What else a scope and its system have is for carrying actions out, and
  // that is never done here.
  const system = { _sendInspectionEvent: heard };
  return [move({ self, system, actionExecutor } as unknown as AnyActorScope), actions];
}

/** Of a command of ours, or of XState's own actions for `after`, which have no kind. */
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
