// A machine that begins at one of its states: each state on the way there leads to the next one first. Regions beside it
// begin as they always do.
import type { MachineDefinition, StateNode } from "#schema/definition/definition.ts";

export function startingAt(definition: MachineDefinition, path: string): MachineDefinition {
  return leading(definition, path.split("."));
}

type Leading = Pick<StateNode, "initial" | "type" | "states">;

function leading<Node extends Leading>(node: Node, [first, ...rest]: readonly string[]): Node {
  const child = first === undefined ? undefined : node.states?.[first];
  if (first === undefined || child === undefined) return node;
  const initial = node.type === "parallel" ? {} : { initial: first };
  return { ...node, ...initial, states: { ...node.states, [first]: leading(child, rest) } };
}
