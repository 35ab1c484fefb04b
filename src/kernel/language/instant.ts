// Instants and durations: parses written forms into milliseconds. Reads calendars and time zones, but never the current
// time.
import { DURATION_MS_MAX, INSTANT_CHARS_MAX } from "#schema/limits/definition-sizes.ts";
import { Temporal } from "temporal-polyfill";
import type { Json } from "#schema/json.ts";
import { lengthMs } from "#schema/definition/duration-text.ts";
import type { Disambiguation, Duration } from "#schema/definition/timing.ts";
import { steadyMidnight } from "../calendar/zone.ts";
import { assert } from "../assert.ts";

export { isFixedLength } from "#schema/definition/duration-text.ts";

const ISO_DATE = /^\d{4}-\d{2}-\d{2}/;
const HAS_OFFSET = /[T ].*(Z|[+-]\d{2}(:?\d{2})?)$/i;

/**
 * Parses an instant: an ISO date (midnight in the zone), a date-time (local if it has no offset) or epoch milliseconds.
 * Returns null if the value is none of these.
 */
export function instant(value: Json, timezone: string, disambiguation?: Disambiguation): number | null {
  if (typeof value === "number") return readEpochMs(() => Temporal.Instant.fromEpochMilliseconds(Math.floor(value)));
  if (typeof value !== "string" || value.length > INSTANT_CHARS_MAX || !ISO_DATE.test(value)) return null;
  const midnight = midnightOf(value, timezone, disambiguation);
  if (midnight !== null) return midnight;
  if (value.endsWith("]")) return readEpochMs(() => Temporal.ZonedDateTime.from(value));
  if (HAS_OFFSET.test(value)) return readEpochMs(() => Temporal.Instant.from(value));
  return readEpochMs(() =>
    Temporal.PlainDateTime.from(value).toZonedDateTime(timezone, { disambiguation: disambiguation ?? "compatible" }),
  );
}

/**
 * Midnight of a plain date, computed without Temporal because that is faster. Returns null if the value is not a date,
 * or if a clock change is near. The caller then computes the instant exactly.
 */
function midnightOf(value: string, timezone: string, disambiguation = "compatible"): number | null {
  if (!KNOWN.has(disambiguation)) return null;
  try {
    return steadyMidnight(value, timezone);
  } catch {
    return null;
  }
}

const KNOWN: ReadonlySet<string> = new Set(["compatible", "earlier", "later"]);

function readEpochMs(read: () => { readonly epochMilliseconds: number }): number | null {
  try {
    return read().epochMilliseconds;
  } catch {
    return null;
  }
}

/**
 * The length of a duration in ms, for use without a start date. It is limited to the longest duration that the engine
 * supports.
 */
export function durationMs(duration: Duration): number {
  const length = typeof duration === "number" ? duration : lengthMs(duration);
  assert(!Number.isNaN(length), `"${duration}" must be checked to be a duration before its length is computed.`);
  return Math.max(-DURATION_MS_MAX, Math.min(length, DURATION_MS_MAX));
}
