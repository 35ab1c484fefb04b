// Rules and templates of a definition of any kind.
import type { Definition } from "#schema/definition/definition.ts";
import { rulesAndTemplatesOfJourney } from "./journey.ts";
import { rulesAndTemplatesOfMachine } from "./machine.ts";
import { rulesAndTemplatesOfReconciler } from "./reconciler.ts";
import type { RulesAndTemplates } from "./rules-and-templates.ts";

export function rulesAndTemplatesOf(definition: Definition): RulesAndTemplates {
  switch (definition.kind) {
    case "machine":
      return rulesAndTemplatesOfMachine(definition);
    case "journey":
      return rulesAndTemplatesOfJourney(definition);
    case "reconciler":
      return rulesAndTemplatesOfReconciler(definition);
  }
}
