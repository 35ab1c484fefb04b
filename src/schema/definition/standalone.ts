// Standalone actions: each is an execution of a definition of the engine that consists of one action.
import type { ActionDefinition } from "./action.ts";
import type { DefinitionRef } from "./definition.ts";
import type { JsonObject } from "../json.ts";
import type { Duration } from "./timing.ts";

/**
 * The fields of an action definition that a standalone action may have. It has no states and no schedule, so their
 * fields are left out.
 */
export type WrittenAction = Pick<
  ActionDefinition,
  | "type"
  | "config"
  | "retryPolicy"
  | "timeout"
  | "delay"
  | "timezone"
  | "disambiguation"
  | "condition"
  | "validUntil"
  | "maxLateness"
  | "selfHeal"
  | "priority"
  | "lane"
> & {
  /** The name under which lists show the action. Default: the action type. */
  readonly actionId?: string | undefined;
};

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
  readonly action: ActionDefinition;
  /**
   * The dedup key and its window. Within the window, another request with the same key starts no second action. Null if
   * the client sent no dedup key.
   */
  readonly dedup: Dedup | null;
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
