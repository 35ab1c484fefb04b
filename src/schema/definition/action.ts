// Actions of machines and reconcilers: one side effect each, when it starts, how it is retried, and when it is skipped.
import { z } from "zod";
import { fieldHints } from "../field-hints.ts";
import { fieldsIn, hintsFor } from "./action-places.ts";
import type { NamedCap } from "./cap.ts";
import type { Window } from "./window.ts";

export const actionDefinition = z
  .strictObject(fieldsIn("machine"))
  .meta({ id: "DefinitionAction" })
  .register(fieldHints, hintsFor("machine"));
export type ActionDefinition = z.infer<typeof actionDefinition>;

/** An action as programs use it: with its window and cap, not only their names. */
export type ProgramAction = Omit<ActionDefinition, "window" | "cap"> & {
  readonly window?: Window | undefined;
  readonly cap?: NamedCap | undefined;
};

/** An action of any place. A definition may name its window and cap; elsewhere both are objects. */
export type AnyAction = ActionDefinition | ProgramAction;

export const reconcilerAction = z
  .strictObject(fieldsIn("reconciler"))
  .meta({ id: "ReconcilerAction" })
  .register(fieldHints, hintsFor("reconciler"));
