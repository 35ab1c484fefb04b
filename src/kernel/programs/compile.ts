// The compiler of definitions: turns a definition of any kind into its program.
import type { Definition } from "#schema/definition/definition.ts";
import type { Program } from "../execution/program.ts";
import { journeyProgram } from "./journey/journey.ts";
import { machineProgram } from "./machine/machine.ts";
import { reconcilerProgram } from "./reconciler/reconciler.ts";

export function compile(definition: Definition): Program {
  switch (definition.kind) {
    case "machine":
      return machineProgram(definition);
    case "journey":
      return journeyProgram(definition);
    case "reconciler":
      return reconcilerProgram(definition);
  }
}
