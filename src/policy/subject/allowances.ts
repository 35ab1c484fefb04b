// Allowances: the maximum and the window of each cap of a definition, as a text. Two caps with equal texts count equally.
// `over` is no part of it, because each definition decides what happens to its own runs.
import type { Cap } from "#schema/definition/cap.ts";
import type { Definition } from "#schema/definition/definition.ts";
import type { ZoneSetting } from "#schema/definition/timing.ts";
import { lengthMs } from "#schema/definition/duration-text.ts";
import type { Allowances } from "#schema/subject/cap.ts";

export function allowancesOf({ caps = {}, timezone = "UTC" }: Definition): Allowances {
  return Object.fromEntries(
    Object.entries(caps).map(([name, cap]) => [name, `${cap.max} per ${windowText(cap, timezone)}`]),
  );
}

function windowText({ per, timezone: own }: Cap, usual: ZoneSetting): string {
  if (per !== undefined) return lengthText(lengthMs(per));
  const zone = own ?? usual;
  return `day in ${typeof zone === "string" ? zone : "a computed time zone"}`;
}

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
] as const;

/** The length in the largest unit that divides it, so that equal lengths have one text. */
function lengthText(ms: number): string {
  const [unit, unitMs] = UNITS.find(([, each]) => ms % each === 0) ?? ["millisecond", 1];
  const count = ms / unitMs;
  return count === 1 ? unit : `${count} ${unit}s`;
}
