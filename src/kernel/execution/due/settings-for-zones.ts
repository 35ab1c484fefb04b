// Zones of an execution: the settings that apply to an action, and the journal entry for a rule that returns no zone.
import type { ZoneSetting } from "#schema/definition/timing.ts";
import type { Run } from "#schema/engine/run.ts";
import type { ZoneInUse } from "#schema/explanation/zone-in-use.ts";
import { ZONE_SHOWN_CHARS_MAX } from "#schema/limits/executions.ts";
import type { ResolvedZone, UnknownZone, ZoneSettings } from "../../language/zone-settings.ts";
import { addEntry, changeRun, type Step } from "../current-step.ts";

type Zoned = { readonly timezone?: ZoneSetting | undefined };

/** The zone settings of the given parts, which are listed from the inner one to the outer one, and of the definition. */
export function zonesOf({ program }: Pick<Step, "program">, ...parts: readonly Zoned[]): ZoneSettings {
  return [...parts.map(({ timezone }) => timezone), program.definition.timezone];
}

/**
 * Records the unknown result of a zone rule in the journal. It is recorded once per run, although every attempt checks
 * the window.
 */
export function recordUnknownZone(step: Step, run: Run, unknown: UnknownZone | undefined): Run {
  if (unknown === undefined || run.zoneUnknown === true) return run;
  addEntry(step, { kind: "timezone_unknown", run: run.id, action: run.action, ...shown(unknown) });
  return changeRun(step, run, { zoneUnknown: true });
}

/** Records the unknown result of a zone rule for a timer, each time the timer gets an instant. */
export function recordTimersUnknownZone(step: Step, timer: string, unknown: UnknownZone | undefined): void {
  if (unknown !== undefined) addEntry(step, { kind: "timezone_unknown", timer, ...shown(unknown) });
}

/** The zone that applies, and a rule's result that is no zone. Explanations show both. */
export function zoneInUse(zone: ResolvedZone | null): ZoneInUse {
  if (zone === null || !zone.ok) return {};
  return { timezone: zone.name, ...(zone.unknown && { unknownTimezone: shown(zone.unknown).given }) };
}

function shown({ given, taken }: UnknownZone) {
  return { given: JSON.stringify(given).slice(0, ZONE_SHOWN_CHARS_MAX), taken };
}
