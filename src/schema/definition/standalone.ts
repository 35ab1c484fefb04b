// An action on its own: an execution of the engine's one-action machine, which carries its action in its state.
import type { ActionDefinition } from "./action.ts";
import type { DefinitionRef } from "./definition.ts";
import type { JsonObject } from "../json.ts";
import type { Duration } from "./timing.ts";

/** What somebody writes of an action that no machine is around: states and cron expressions mean nothing to it. */
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
  /** A label. Without one, the type. */
  readonly actionId?: string | undefined;
};

/** What is asked for with it: what its templates see, what lists find it by, and what tells a repeat. */
export type AskedAction = WrittenAction & {
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

/** No definition of a tenant's can have these names: they begin with what theirs may not hold. */
export const ACTION_REF: DefinitionRef = { id: "def_action", name: "$action", version: 1 };
/** Alerts are actions, too; that they are told apart keeps a failing one from raising another. */
export const ALERT_REF: DefinitionRef = { id: "def_alert", name: "$alert", version: 1 };
