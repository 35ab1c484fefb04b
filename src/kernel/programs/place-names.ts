// Names of the places that an execution may reach: paths of a machine's states, or names of a journey's nodes.
import type { ProgramEnding } from "../execution/program.ts";
import type { Definition, StateNode } from "#schema/definition/definition.ts";

export function placesOf(definition: Definition): readonly string[] {
  switch (definition.kind) {
    case "machine":
      return pathsOf(definition.states, "");
    case "journey":
      return Object.keys(definition.nodes);
    case "reconciler":
      return Object.keys(definition.states);
  }
}

function pathsOf(states: { readonly [name: string]: StateNode }, above: string): readonly string[] {
  return Object.entries(states).flatMap(([name, node]) => [
    `${above}${name}`,
    ...pathsOf(node.states ?? {}, `${above}${name}.`),
  ]);
}

/** The type of a state at which an execution cannot start; null if it can start there. */
export function startlessType(type: string | undefined): string | null {
  return type === "final" || type === "history" ? type : null;
}

/** The ending of a program that failed. `how`: the failed state, or the cause of the failure. */
export function failedEnding(kind: Definition["kind"], how: string): ProgramEnding {
  return {
    status: "failed",
    error: { type: `${kind}_failed`, message: `the execution ended ${how}`, retryable: false },
  };
}
