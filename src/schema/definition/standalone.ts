// Standalone actions: each is an execution of a definition of the engine that consists of one action.
import { z } from "zod";
import type { ProgramAction } from "./action.ts";
import { actionFields } from "./action-fields.ts";
import { fieldsIn, hintsFor } from "./action-places.ts";
import { inlineCap } from "./cap.ts";
import type { DefinitionRef } from "./definition.ts";
import type { Calendars } from "./holidays.ts";
import { fieldHints } from "../field-hints.ts";
import type { JsonObject } from "../json.ts";
import type { Duration } from "./timing.ts";
import { window } from "./window.ts";

/**
 * The reaction to the failure of the last attempt. A standalone action has no rest of a definition that could pause, and
 * no state that could receive an event.
 */
export const onExhausted = z
  .enum(["deadLetter", "fail"], { error: "must be deadLetter or fail for an action without a definition" })
  .optional()
  .describe(actionFields.onExhausted.description ?? "");

/** The limits of an action outside definitions, where no names of windows and caps exist. */
export const inlineLimits = {
  window: window.optional().describe("The opening hours. The action waits outside the opening hours."),
  cap: inlineCap
    .optional()
    .describe("The maximum number of actions for one subject, shared by all actions whose cap has this name."),
};

const { dedupKey, dedupWindow, ...fields } = fieldsIn("standalone");

export const standaloneAction = z.strictObject({
  ...fields,
  actionId: actionFields.actionId.optional().describe("A label for the action in lists. Default: the action type."),
  retryPolicy: actionFields.retryPolicy.describe(
    "The retry policy: a preset's name or a policy. Default: the preset `reaction`.",
  ),
  onExhausted,
  ...inlineLimits,
});
/** An action of a definition that a client tests without its definition. */
export const testedAction = z
  .strictObject({ ...fieldsIn("machine"), ...inlineLimits })
  .register(fieldHints, hintsFor("machine"));

/** An action as a client writes it in a request. */
export type WrittenAction = z.infer<typeof standaloneAction>;

/** The fields with which a request recognises an earlier one. */
export const dedupFields = { dedupKey, dedupWindow };

/**
 * A requested standalone action: its action definition, the variables for its templates, the fields that lists show,
 * and its dedup key.
 */
export type RequestedStandaloneAction = WrittenAction & {
  readonly variables?: JsonObject | undefined;
  readonly namespace?: string | undefined;
  readonly correlationId?: string | undefined;
  readonly dedupKey?: string | undefined;
  readonly dedupWindow?: Duration | undefined;
};

export type Standalone = {
  readonly action: ProgramAction;
  /**
   * The dedup key and its window. Within the window, another request with the same key starts no second action. Null if
   * the client sent no dedup key.
   */
  readonly dedup: Dedup | null;
  /** The dates of the calendars that the action names. Absent if it names none. */
  readonly calendars?: Calendars;
};
export type Dedup = { readonly key: string; readonly windowMs: number };

/**
 * The engine's definition of standalone actions. No tenant can publish a definition with this name, because it begins
 * with `$`.
 */
export const ACTION_REF: DefinitionRef = { id: "def_action", name: "$action", version: 1 };
/**
 * The engine's definition of alerts. It differs from `ACTION_REF`, so that the failure of an alert is recognized and
 * raises no further alert.
 */
export const ALERT_REF: DefinitionRef = { id: "def_alert", name: "$alert", version: 1 };
