// Journey waits: the event or the rule that a node waits for, and the goals that end a whole journey.
import { z } from "zod";
import { assign } from "../head.ts";
import { eventType } from "../../engine/event.ts";
import { rule } from "../../json.ts";

/** The event or the rule that a node waits for. Exactly one of these fields is required. */
export const awaitedFields = {
  event: eventType.optional().describe("The type of an event."),
  when: rule
    .optional()
    .describe(
      "A rule (JSONLogic). The journey continues when the rule is true, or immediately if the rule is already true.",
    ),
  guard: rule.optional().describe("For an event: the event is accepted only if this rule is true."),
  assign: assign.optional().describe("Variables to set: each name has a rule that computes its value."),
};
export const oneOf = (one: { readonly event?: unknown; readonly when?: unknown }): boolean =>
  (one.event === undefined) !== (one.when === undefined);
export const eitherOr = { message: 'must have "event", or a rule in "when"', path: ["event"] };
export const isGuardOfEvent = (one: { readonly guard?: unknown; readonly event?: unknown }): boolean =>
  one.guard === undefined || one.event !== undefined;
export const noGuard = {
  message: '"guard" can only be combined with "event": add the condition to the rule in "when" instead',
  path: ["guard"],
};

const exitOutcome = z.enum(["completed", "failed", "canceled"]);

export const ending = {
  outcome: exitOutcome.optional().describe("The final status of the execution. Default: completed."),
  compensate: z.boolean().optional().describe("true: the actions of completed nodes are undone, the last one first."),
};

export const exitWhen = z
  .strictObject({ ...awaitedFields, ...ending })
  .refine(oneOf, eitherOr)
  .refine(isGuardOfEvent, noGuard)
  .meta({ id: "ExitWhen" });
