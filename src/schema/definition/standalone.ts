// Standalone actions: an execution of the engine's one-action machine, with its action in its state.
import type { ActionDefinition } from "./action.ts";
import type { DefinitionRef } from "./definition.ts";
import type { JsonObject } from "../json.ts";
import type { Duration } from "./timing.ts";

/** The config of a standalone action: without a machine, states and cron expressions have no meaning. */
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
  /** A label. Default: the type. */
  readonly actionId?: string | undefined;
};

/** The request: the template variables, the fields for lists, and the repeat detection. */
export type RequestedStandaloneAction = WrittenAction & {
  readonly variables?: JsonObject | undefined;
  readonly namespace?: string | undefined;
  readonly correlationId?: string | undefined;
  readonly dedupKey?: string | undefined;
  readonly dedupWindow?: Duration | undefined;
};

export type Standalone = {
  readonly action: ActionDefinition;
  /** Calls with the same key within the window mean this action. */
  readonly dedup: Dedup | null;
};
export type Dedup = { readonly key: string; readonly windowMs: number };

/** No tenant's definition can have these names, because they begin with an invalid character. */
export const ACTION_REF: DefinitionRef = { id: "def_action", name: "$action", version: 1 };
/** Alerts are actions, too; a separate definition prevents a failing alert from raising another. */
export const ALERT_REF: DefinitionRef = { id: "def_alert", name: "$alert", version: 1 };
