// A machine that starts at one of its states, for a restart. Each ancestor of that state enters the next state on the
// path. All other regions start at their initial states.
import type { MachineDefinition, StateNode } from "#schema/definition/definition.ts";

export function startAtState(definition: MachineDefinition, path: string): MachineDefinition {
  return leadInitialTo(definition, path.split("."));
}

type Leading = Pick<StateNode, "initial" | "type" | "states">;

function leadInitialTo<Node extends Leading>(node: Node, [first, ...rest]: readonly string[]): Node {
  const child = first === undefined ? undefined : node.states?.[first];
  if (first === undefined || child === undefined) return node;
  const initial = node.type === "parallel" ? {} : { initial: first };
  return { ...node, ...initial, states: { ...node.states, [first]: leadInitialTo(child, rest) } };
}
