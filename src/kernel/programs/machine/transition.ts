// XState's pure transition functions without what makes them dear: its own make an actor for every call, which begins
// the machine once more for nobody to look at. Here one actor a machine, never started, stands by for all calls.
import { createActor, type AnyActorScope, type AnyMachineSnapshot, type AnyStateMachine } from "xstate";
import type { ExecutableActionsFrom } from "xstate";
import type { Carried } from "./compile.ts";

type Actions = readonly ExecutableActionsFrom<AnyStateMachine>[];
type Moved = readonly [AnyMachineSnapshot, Actions];

const bystanders = new WeakMap<AnyStateMachine, AnyActorScope["self"]>();

export function initialTransition(machine: AnyStateMachine, input: Carried): Moved {
  return collecting(machine, (scope) => machine.getInitialSnapshot(scope, input as never)); // typed as undefined
}

export function transition(
  machine: AnyStateMachine,
  from: AnyMachineSnapshot,
  event: { readonly type: string },
): Moved {
  return collecting(machine, (scope) => machine.transition(from, event, scope));
}

function collecting(machine: AnyStateMachine, move: (scope: AnyActorScope) => AnyMachineSnapshot): Moved {
  const actions: ExecutableActionsFrom<AnyStateMachine>[] = [];
  const self = bystanderOf(machine);
  const actionExecutor = (action: object): void => void actions.push(action as (typeof actions)[number]);
  // What else a scope has is for carrying actions out, and that is never done here.
  return [move({ self, system: self.system, actionExecutor } as AnyActorScope), actions];
}

function bystanderOf(machine: AnyStateMachine): AnyActorScope["self"] {
  const known = bystanders.get(machine);
  if (known) return known;
  const self = createActor(machine);
  bystanders.set(machine, self);
  return self;
}
