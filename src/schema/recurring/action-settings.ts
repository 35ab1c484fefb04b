// Action settings: the fields of an action that a recurring action passes to each action that it starts.
import { z } from "zod";
import { fieldsIn } from "../definition/action-places.ts";
import { inlineLimits, standaloneAction } from "../definition/standalone.ts";

// A recurring action has these three fields itself.
const { enabled: _enabled, timezone: _timezone, description: _description, ...fields } = fieldsIn("recurring");
const { retryPolicy, onExhausted } = standaloneAction.shape;

export const actionSettings = z.strictObject({ ...fields, ...inlineLimits, retryPolicy, onExhausted });
export type ActionSettings = z.infer<typeof actionSettings>;

/** A change of settings: null removes the setting. */
export type SettingsChange = { readonly [name in keyof ActionSettings]?: ActionSettings[name] | null };

export const settingNames = Object.keys(actionSettings.shape) as readonly (keyof ActionSettings)[]; // The keys of the shape.

/** Returns the settings after the change; undefined if none is left. */
export function changedSettings(
  before: ActionSettings | undefined,
  change: SettingsChange,
): ActionSettings | undefined {
  const merged = Object.entries({ ...before, ...change });
  const left = merged.filter(([, value]) => value !== undefined && value !== null);
  return left.length === 0 ? undefined : (Object.fromEntries(left) as ActionSettings); // No value is null any more.
}
