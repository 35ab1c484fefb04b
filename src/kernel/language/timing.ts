// Due times: computes when a delay ends. Calendar units such as days follow the zone's local time, and units such as
// hours are exact. The current time is passed in as `now`.
import { INSTANT_MS_MAX } from "#schema/limits/definition-sizes.ts";
import { Temporal } from "temporal-polyfill";
import type { Json, JsonObject } from "#schema/json.ts";
import { isDurationText } from "#schema/definition/duration-text.ts";
import type { Calendars } from "#schema/definition/holidays.ts";
import type { Delay, Disambiguation, NamedDelay, ZoneSetting } from "#schema/definition/timing.ts";
import { dayInstead, holidaysOf, localDay } from "../calendar/holidays.ts";
import { shiftWithoutClockChange } from "../calendar/zone.ts";
import type { Failure } from "../computing/fault.ts";
import { instant } from "./instant.ts";
import { evaluate } from "./logic.ts";
import { didYouMean } from "#schema/suggest.ts";
import type { Work } from "../computing/work.ts";
import { isZoneByRule, resolveZone, type ResolvedZone, type UnknownZone, type ZoneSettings } from "./zone-settings.ts";

export { durationMs, instant } from "./instant.ts";

export type Delays = { readonly [name: string]: NamedDelay };

export type DelayContext = {
  readonly now: number;
  /** The zone of delays that have none of their own. A list is in the order of precedence. */
  readonly timezone: ZoneSetting | ZoneSettings;
  readonly delays: Delays;
  /** The scope that the rules of an anchor and of a zone read. */
  readonly scope: JsonObject;
  /** The first arming of the timer, in epoch ms. A series counts from this instant. Default: now. */
  readonly first?: number | undefined;
  /** The instant from which a delay without an anchor counts, in epoch ms. Default: now. */
  readonly from?: number | undefined;
  /** True if a past instant is skipped although the delay has no `ifPast`. */
  readonly skipsPast?: boolean | undefined;
  /** The dates of the calendars that a delay may name. */
  readonly calendars?: Calendars;
  /** Whether a day is free for a delay that is moved over holidays, such as a day of the action's window. */
  readonly isOpen?: ((day: number) => boolean) | undefined;
  /** The remaining budget of the step. */
  readonly work?: Work;
};

export type ResolvedDelay =
  /**
   * `at`: null if the delay depends on a missing variable. `skip`: true if the instant is past and `ifPast` says to
   * skip it then. `planned`: set if the delay counts from an earlier instant and its result is past. `unknownZone`: set
   * if the rule for the zone returned no zone. `onHoliday`: true if the instant is skipped because of a holiday.
   */
  | {
      readonly ok: true;
      readonly at: number | null;
      readonly skip: boolean;
      readonly planned?: number;
      readonly unknownZone?: UnknownZone;
      readonly onHoliday?: true;
    }
  | ({ readonly ok: false } & Failure);

export function resolveDelay(delay: Delay, moment: DelayContext): ResolvedDelay {
  const written = delayObject(delay, moment.delays);
  if (written === undefined) return unknownDelay(String(delay), moment.delays);
  const zone = zoneFor(written, moment);
  if (!zone.ok) return zone;
  const reckoned = instantInZone(delay, written, zone.name, moment);
  if (!reckoned.ok || reckoned.at === null) return reckoned;
  const unknownZone = zone.unknown === undefined ? {} : { unknownZone: zone.unknown };
  if (reckoned.skip || reckoned.at >= moment.now) return { ...reckoned, ...unknownZone };
  const { at } = reckoned;
  const { ifPast = moment.skipsPast ? "skip" : "run" } = written;
  const skip = isSkippedAsPast(at, { ...written, ifPast }, zone.name, moment.now);
  const planned = moment.from === undefined || written.anchor !== undefined ? {} : { planned: at };
  return { ok: true, at: skip ? at : moment.now, skip, ...planned, ...unknownZone };
}

/** The instant that a delay gives, which may be in the past. null if it is skipped because of a holiday. */
export function computeInstant(delay: Delay, moment: DelayContext): ResolvedDelay {
  const written = delayObject(delay, moment.delays);
  if (written === undefined) return unknownDelay(String(delay), moment.delays);
  const zone = zoneFor(written, moment);
  if (!zone.ok) return zone;
  const found = instantInZone(delay, written, zone.name, moment);
  return found.ok && found.skip ? { ...found, at: null } : found;
}

function instantInZone(delay: Delay, written: NamedDelay, timezone: string, moment: DelayContext): ResolvedDelay {
  const anchor = anchorOf(written, timezone, moment);
  if (!anchor.ok || anchor.at === null) return anchor;
  const isSeries = written.from !== undefined && written.from !== "arming";
  const place = { timezone, calendars: moment.calendars ?? {}, isOpen: moment.isOpen ?? always };
  const at = isSeries ? nextInSeries(anchor.at, written, place, moment.now) : shift(anchor.at, written, timezone, 1);
  if (at === null || at > INSTANT_MS_MAX) {
    const lastYear = new Date(INSTANT_MS_MAX).getUTCFullYear();
    const message = `the delay ${JSON.stringify(delay)} gives no date up to the year ${lastYear}`;
    return { ok: false, code: "beyond_calendar", message };
  }
  const moved = overHolidays(at, written, place);
  return moved === null ? { ok: true, at, skip: true, onHoliday: true } : { ok: true, at: moved, skip: false };
}

/** The zone of a delay, the dates of its calendar, and the days to which it may be moved. */
type Place = { readonly timezone: string; readonly calendars: Calendars; readonly isOpen: (day: number) => boolean };

function always(): boolean {
  return true;
}

/**
 * The instant after its move over holidays: the same local time on another day. null if nothing happens on the holiday.
 */
function overHolidays(at: number, { holidays: written, disambiguation }: NamedDelay, place: Place): number | null {
  if (written === undefined) return at;
  const holidays = holidaysOf(place.calendars, written);
  const day = localDay(place.timezone, at);
  if (!holidays.days.has(day)) return at;
  const other = dayInstead(day, holidays, place.isOpen);
  return other === null ? null : shift(at, { offset: daysText(other - day), disambiguation }, place.timezone, 1);
}

function daysText(days: number): string {
  return days < 0 ? `-P${-days}D` : `P${days}D`;
}

/** The zone in which a delay is computed; null if the delay is an exact length of time, or if its zone's rule fails. */
export function zoneOfDelay(delay: Delay, moment: DelayContext): ResolvedZone | null {
  const written = delayObject(delay, moment.delays);
  return written === undefined || !needsZone(written) ? null : zoneFor(written, moment);
}

/** The zone of a delay. The rule of a zone is not evaluated for an exact length of time, which needs no zone. */
function zoneFor(written: NamedDelay, { timezone, scope, work }: DelayContext): ResolvedZone {
  const settings = [written.timezone, timezone].flat();
  return needsZone(written) ? resolveZone(settings, scope, work) : { ok: true, name: "UTC" };
}

function needsZone({ anchor, at, offset = 0, ifPast, holidays }: NamedDelay): boolean {
  const isExact = typeof offset === "number" || /^-?PT/.test(offset);
  return !isExact || anchor !== undefined || at !== undefined || typeof ifPast === "object" || holidays !== undefined;
}

/** True if a rule decides on the delay's zone, so that a change of variables may move the delay. */
export function hasZoneByRule(written: NamedDelay, outer: ZoneSettings): boolean {
  return needsZone(written) && isZoneByRule([written.timezone, ...outer]);
}

/**
 * Whether `ifPast` skips an instant that is past. The days of its grace period are calendar days in the zone, like the
 * days of an offset.
 */
function isSkippedAsPast(
  at: number,
  { ifPast, disambiguation }: NamedDelay & { readonly ifPast: NonNullable<NamedDelay["ifPast"]> },
  timezone: string,
  now: number,
): boolean {
  if (typeof ifPast === "string") return ifPast === "skip";
  // The duration is at most 400 years, so the result is inside the calendar and never null.
  return Number(shift(at, { offset: ifPast.runWithin, disambiguation }, timezone, 1)) < now;
}

/** The delay as an object, even if it is written as a name or a duration. undefined if the name is unknown. */
export function delayObject(delay: Delay, delays: Delays): NamedDelay | undefined {
  if (typeof delay === "object") return delay;
  if (typeof delay === "number") return { offset: delay };
  if (/^\d+$/.test(delay)) return { offset: Number(delay) };
  if (isDurationText(delay)) return { offset: delay };
  return Object.hasOwn(delays, delay) ? delays[delay] : undefined;
}

function unknownDelay(name: string, delays: Delays): ResolvedDelay {
  const meant = didYouMean(name, Object.keys(delays));
  const hint = meant === null ? "" : `; did you mean "${meant}"?`;
  const message = `"${name}" is not milliseconds, an ISO 8601 duration or a named delay${hint}`;
  return { ok: false, code: "delay_unknown", message };
}

function anchorOf(written: NamedDelay, timezone: string, moment: DelayContext): ResolvedDelay {
  if (written.from === "first") return { ok: true, at: moment.first ?? moment.now, skip: false };
  if (written.anchor === undefined) return { ok: true, at: moment.from ?? moment.now, skip: false };
  const anchor = evaluate(written.anchor, moment.scope, moment.work);
  if (!anchor.ok) {
    const message = `the anchor ${JSON.stringify(written.anchor)} cannot be evaluated: ${anchor.message}`;
    return { ok: false, code: anchor.code, message };
  }
  if (anchor.value === null) return { ok: true, at: null, skip: false };
  const at = instant(anchor.value, timezone, written.disambiguation);
  if (at === null) return invalidAnchor(written.anchor, anchor.value);
  return { ok: true, at, skip: false };
}

function invalidAnchor(anchor: Json, value: Json): ResolvedDelay {
  const shown = JSON.stringify(value).slice(0, 100);
  const wanted = "not an ISO date, a date-time or epoch milliseconds";
  const message = `the anchor ${JSON.stringify(anchor)} gives ${shown}, which is ${wanted}`;
  return { ok: false, code: "not_a_date", message };
}

/**
 * The first member of the series after now. Each member is computed from the origin. Monthly steps from member to
 * member would turn the 31st into the 28th and keep it.
 */
function nextInSeries(origin: number, written: NamedDelay, place: Place, now: number): number | null {
  const member = (times: number): number | null => shift(origin, written, place.timezone, times);
  // A member outside the calendar has no instant, and counts as later than now. A member that is moved over holidays
  // counts with its new instant, so that a move never loses a member.
  const isAhead = (times: number): boolean => {
    const at = member(times);
    return at === null || (overHolidays(at, written, place) ?? at) > now;
  };
  let ahead = 1;
  while (!isAhead(ahead)) ahead *= 2;
  for (let behind = Math.floor(ahead / 2); ahead - behind > 1;) {
    const middle = Math.floor((behind + ahead) / 2);
    if (isAhead(middle)) ahead = middle;
    else behind = middle;
  }
  for (let next = ahead; next < ahead + SERIES_SKIPPED_MAX; next += 1) {
    const at = member(next);
    if (at === null || overHolidays(at, written, place) !== null) return at;
  }
  return null;
}

/** The most members of a series that are skipped in a row because of holidays. */
const SERIES_SKIPPED_MAX = 400;

/** The anchor plus n times the offset, at the delay's time of day. null if the result is outside the calendar. */
function shift(anchor: number, written: NamedDelay, timezone: string, times: number): number | null {
  const disambiguation = written.disambiguation ?? "compatible";
  try {
    const steadily = times === 1 ? shiftWithoutClockChange(anchor, written.offset ?? 0, written.at, timezone) : null;
    if (steadily !== null) return steadily;
    const offset = multiplyOffset(written.offset ?? 0, times);
    const start = Temporal.Instant.fromEpochMilliseconds(anchor).toZonedDateTimeISO(timezone);
    const moved = addCalendar(start, offset, disambiguation).add(timeParts(offset));
    if (written.at === undefined) return moved.epochMilliseconds;
    return moved.toPlainDateTime().withPlainTime(written.at).toZonedDateTime(timezone, { disambiguation })
      .epochMilliseconds;
  } catch {
    return null;
  }
}

/** The offset multiplied by n. Throws if the result is longer than Temporal supports. */
function multiplyOffset(offset: NonNullable<NamedDelay["offset"]>, times: number): Temporal.Duration {
  if (typeof offset === "number") return Temporal.Duration.from({ milliseconds: offset * times });
  const one = Temporal.Duration.from(offset);
  if (times === 1) return one;
  const { years, months, weeks, days, hours, minutes, seconds, milliseconds } = one;
  const parts = { years, months, weeks, days, hours, minutes, seconds, milliseconds };
  return Temporal.Duration.from(
    Object.fromEntries(Object.entries(parts).map(([part, count]) => [part, count * times])),
  );
}

function addCalendar(start: Temporal.ZonedDateTime, offset: Temporal.Duration, disambiguation: Disambiguation) {
  const { years, months, weeks, days } = offset;
  // Without calendar units the result is an exact instant. Converting it to a local time would lose which pass of a
  // repeated hour it is in.
  if (years === 0 && months === 0 && weeks === 0 && days === 0) return start;
  const local = start.toPlainDateTime().add({ years, months, weeks, days });
  return local.toZonedDateTime(start.timeZoneId, { disambiguation });
}

function timeParts({ hours, minutes, seconds, milliseconds }: Temporal.Duration) {
  return { hours, minutes, seconds, milliseconds };
}
