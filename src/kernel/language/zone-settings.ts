// Zones of a definition: finds the name of the zone that a setting means. A setting is a name, or a rule that returns a
// name. Settings are listed from the inner one to the outer one, and the first that gives a zone applies.
import { zoneRuleOf, type ZoneSetting } from "#schema/definition/timing.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { isZone } from "../calendar/zone.ts";
import type { Failure } from "../computing/fault.ts";
import type { Work } from "../computing/work.ts";
import { evaluate } from "./logic.ts";

/** Settings from the inner one to the outer one, such as those of a window, of its action and of the definition. */
export type ZoneSettings = readonly (ZoneSetting | undefined)[];

/** A rule's result that is no zone (`given`), and the zone that applies instead. */
export type UnknownZone = { readonly given: Json; readonly taken: string };

export type ResolvedZone =
  | { readonly ok: true; readonly name: string; readonly unknown?: UnknownZone }
  | ({ readonly ok: false } & Failure);

/** The zone if no setting gives one. */
const OTHERWISE = "UTC";

/**
 * Returns the first zone that the settings give. A rule without a fallback may return no zone; the next setting then
 * applies. `unknown`: the first result that was no zone. A missing value is not unknown if its rule has a fallback.
 */
export function resolveZone(settings: ZoneSettings, scope: JsonObject, work?: Work): ResolvedZone {
  let unknown: Json | undefined;
  const found = (name: string): ResolvedZone =>
    unknown === undefined ? { ok: true, name } : { ok: true, name, unknown: { given: unknown, taken: name } };
  for (const setting of settings) {
    if (setting === undefined) continue;
    if (typeof setting === "string") return found(setting);
    const zone = zoneByRule(setting, scope, work);
    if (!zone.ok) return zone;
    if (zone.isKnown) return found(zone.name);
    if (zone.given !== undefined) unknown ??= zone.given;
    if (zone.fallback !== null) return found(zone.fallback);
  }
  return found(OTHERWISE);
}

type ZoneByRule =
  | { readonly ok: true; readonly isKnown: true; readonly name: string }
  | { readonly ok: true; readonly isKnown: false; readonly given: Json | undefined; readonly fallback: string | null }
  | ({ readonly ok: false } & Failure);

function zoneByRule(setting: JsonObject, scope: JsonObject, work: Work | undefined): ZoneByRule {
  const { rule, fallback } = zoneRuleOf(setting);
  const result = evaluate(rule, scope, work);
  if (!result.ok) {
    const message = `the timezone ${JSON.stringify(rule)} cannot be evaluated: ${result.message}`;
    return { ok: false, code: result.code, message };
  }
  const { value } = result;
  if (typeof value === "string" && isZone(value)) return { ok: true, isKnown: true, name: value };
  const isExpected = value === null && fallback !== null;
  return { ok: true, isKnown: false, given: isExpected ? undefined : value, fallback };
}

/** Returns whether a rule decides on the zone, so that a change of variables may change it. */
export function isZoneByRule(settings: ZoneSettings): boolean {
  return typeof settings.find((setting) => setting !== undefined) === "object";
}

/**
 * Returns the zone in which times of an execution are shown. It never fails: if a rule cannot be evaluated, the result
 * is UTC.
 */
export function shownZone(settings: ZoneSettings, variables: JsonObject, work?: Work): string {
  const zone = resolveZone(settings, { execution: { variables } }, work);
  return zone.ok ? zone.name : OTHERWISE;
}
