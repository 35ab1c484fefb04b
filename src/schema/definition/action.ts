// Actions of machines and reconcilers: one side effect each, when it starts, how it is retried, and when it is skipped.
import { z } from "zod";
import { fieldHints } from "../field-hints.ts";
import { fieldsIn, hintsFor } from "./action-places.ts";

export const actionDefinition = z
  .strictObject(fieldsIn("machine"))
  .meta({ id: "DefinitionAction" })
  .register(fieldHints, hintsFor("machine"));
export type ActionDefinition = z.infer<typeof actionDefinition>;

export const reconcilerAction = z
  .strictObject(fieldsIn("reconciler"))
  .meta({ id: "ReconcilerAction" })
  .register(fieldHints, hintsFor("reconciler"));
