// Rules and templates of a definition of any kind.
import type { Definition } from "#schema/definition/definition.ts";
import { writtenInJourney } from "./journey.ts";
import { writtenInMachine } from "./machine.ts";
import { writtenInReconciler } from "./reconciler.ts";
import type { Written } from "./rules-and-templates.ts";

export function writtenIn(definition: Definition): Written {
  switch (definition.kind) {
    case "machine":
      return writtenInMachine(definition);
    case "journey":
      return writtenInJourney(definition);
    case "reconciler":
      return writtenInReconciler(definition);
  }
}
