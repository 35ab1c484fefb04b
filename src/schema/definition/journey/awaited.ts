// What a journey waits for, an event or a rule that comes true; and the goals that end it.
import { z } from "zod";
import { assign } from "../head.ts";
import { eventType } from "../../engine/event.ts";
import { rule } from "../../json.ts";

/** An event, or something that comes true. */
export const awaited = {
  event: eventType.optional().describe("The type of an event."),
  when: rule.optional().describe("A rule (JSONLogic) that comes true; true already, it goes on at once."),
  guard: rule.optional().describe("Of an event: only one for which this rule holds."),
  assign: assign.optional().describe("Variables to set, each by a rule."),
};
export const oneOf = (one: { readonly event?: unknown; readonly when?: unknown }): boolean =>
  (one.event === undefined) !== (one.when === undefined);
export const eitherOr = { message: "it waits for an event, or for a rule under when", path: ["event"] };
export const isGuardOfEvent = (one: { readonly guard?: unknown; readonly event?: unknown }): boolean =>
  one.guard === undefined || one.event !== undefined;
export const noGuard = { message: "a guard is for an event: what `when` asks can be said there", path: ["guard"] };

const exitOutcome = z.enum(["completed", "failed", "canceled"]);

export const ending = {
  outcome: exitOutcome.optional().describe("What the execution then is. Default: completed."),
  compensate: z.boolean().optional().describe("true: what was done is taken back, last first."),
};

export const exitWhen = z
  .strictObject({ ...awaited, ...ending })
  .refine(oneOf, eitherOr)
  .refine(isGuardOfEvent, noGuard)
  .meta({ id: "ExitWhen" });
