// iCalendar reader: reads the dates of a text with events of whole days (RFC 5545). It refuses an event that it does not
// understand, with the number of its line, because a missing holiday would not be noticed.
import type { CalendarDate } from "#schema/configuration/calendar.ts";
import { CALENDAR_DATES_MAX, CALENDAR_EVENT_DATES_MAX } from "#schema/limits/definition-sizes.ts";

export type ReadCalendar =
  | { readonly ok: true; readonly dates: readonly CalendarDate[] }
  | { readonly ok: false; readonly line: number; readonly message: string };

type Line = { readonly name: string; readonly parameters: string; readonly value: string; readonly number: number };
type Event = { readonly lines: readonly Line[]; readonly number: number };

const DAY = 86_400_000;
/** How many years a yearly rule without an end gives. */
const YEARS_AHEAD = 80;

export function readIcalendar(text: string): ReadCalendar {
  const events = eventsIn(unfold(text));
  if (!events.ok) return events;
  const dates = new Map<string, CalendarDate>();
  let readDates = 0;
  for (const event of events.found) {
    const read = datesOf(event);
    if (!read.ok) return read;
    // Events may repeat each other's dates, and a small text can contain thousands of such events.
    readDates += read.dates.length;
    if (readDates > CALENDAR_EVENT_DATES_MAX) return refused(event.number, "the calendar repeats too many dates");
    for (const each of read.dates) dates.set(each.date, dates.get(each.date) ?? each);
  }
  if (dates.size > CALENDAR_DATES_MAX) return refused(1, `has ${dates.size} dates; the limit is ${CALENDAR_DATES_MAX}`);
  return { ok: true, dates: [...dates.values()].toSorted((a, b) => (a.date < b.date ? -1 : 1)) };
}

function refused(line: number, message: string): Extract<ReadCalendar, { ok: false }> {
  return { ok: false, line, message };
}

/** The content lines. A line that begins with a space or a tab continues the line before it. */
function unfold(text: string): readonly Line[] {
  const lines: { text: string; number: number }[] = [];
  for (const [index, part] of text.split(/\r?\n/).entries()) {
    const last = lines.at(-1);
    if (/^[ \t]/.test(part) && last !== undefined) last.text += part.slice(1);
    else if (part !== "") lines.push({ text: part, number: index + 1 });
  }
  return lines.map(({ text: line, number }) => {
    const [, name = "", parameters = "", value = ""] = /^([^:;]*)((?:;[^:]*)?):(.*)$/.exec(line) ?? [];
    return { name: name.toUpperCase(), parameters: parameters.toUpperCase(), value, number };
  });
}

type Events = { readonly ok: true; readonly found: readonly Event[] } | Extract<ReadCalendar, { ok: false }>;

function eventsIn(lines: readonly Line[]): Events {
  if (lines[0]?.name !== "BEGIN" || lines[0].value.toUpperCase() !== "VCALENDAR") {
    return refused(1, "must begin with BEGIN:VCALENDAR");
  }
  const events: Event[] = [];
  let open: { lines: Line[]; number: number } | null = null;
  for (const line of lines) {
    const part = line.value.toUpperCase();
    if (line.name === "BEGIN" && part === "VEVENT") open = { lines: [], number: line.number };
    else if (line.name === "END" && part === "VEVENT" && open !== null) {
      events.push(open);
      open = null;
    } else if (line.name === "") return refused(line.number, "is not a line of the form NAME:value");
    else open?.lines.push(line);
  }
  return open === null ? { ok: true, found: events } : refused(open.number, "BEGIN:VEVENT has no END:VEVENT");
}

function datesOf({ lines, number }: Event): ReadCalendar {
  const unknown = lines.find(({ name }) => ["RDATE", "EXDATE", "DURATION", "RECURRENCE-ID"].includes(name));
  if (unknown !== undefined) return refused(unknown.number, `${unknown.name} is not supported`);
  const of = (name: string): Line | undefined => lines.find((line) => line.name === name);
  const [from, to, rule] = [of("DTSTART"), of("DTEND"), of("RRULE")];
  if (of("STATUS")?.value.toUpperCase() === "CANCELLED") return { ok: true, dates: [] };
  if (from === undefined) return refused(number, "the event has no DTSTART");
  const start = dayOf(from);
  if (start === null) return refused(from.number, "DTSTART must be a date (VALUE=DATE), such as 20261225");
  const end = to === undefined ? start + DAY : dayOf(to);
  if (end === null || end <= start) return refused(Number(to?.number), "DTEND must be a date after DTSTART");
  const years = rule === undefined ? [0] : yearsOf(rule.value, start);
  if (years === null) {
    return refused(Number(rule?.number), "RRULE must be FREQ=YEARLY, optionally with COUNT or UNTIL");
  }
  const count = (end - start) / DAY;
  if (count * years.length > CALENDAR_DATES_MAX) {
    return refused(1, `has more than ${CALENDAR_DATES_MAX} dates, in the event of line ${number}`);
  }
  const name =
    of("SUMMARY")
      ?.value.replaceAll(/\\([,;\\])/g, "$1")
      .slice(0, 200) ?? null;
  const dates = years.flatMap((later) =>
    Array.from({ length: count }, (_, n) => sameDayLater(start + n * DAY, later)).flatMap((date) =>
      date === null ? [] : [{ date, name }],
    ),
  );
  return { ok: true, dates };
}

/** The day of a date such as 20261225. null if it is not a date. */
function dayOf({ value, parameters }: Line): number | null {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(value) ?? [];
  if (year === undefined || parameters.includes("VALUE=DATE-TIME")) return null;
  const text = `${year}-${month}-${day}`;
  const at = Date.parse(text);
  return Number.isNaN(at) || !new Date(at).toISOString().startsWith(text) ? null : at;
}

/** How many years later each occurrence of a yearly rule is. null if the rule is of another form. */
function yearsOf(rule: string, start: number): readonly number[] | null {
  const parts = new Map(
    rule
      .toUpperCase()
      .split(";")
      .map((part): [string, string] => [part.replace(/=.*/, ""), part.split("=")[1] ?? ""]),
  );
  const known = new Set(["FREQ", "INTERVAL", "COUNT", "UNTIL"]);
  if (parts.get("FREQ") !== "YEARLY" || [...parts.keys()].some((part) => !known.has(part))) return null;
  const first = new Date(start).getUTCFullYear();
  const every = Number(parts.get("INTERVAL") ?? 1);
  const count = Number(parts.get("COUNT") ?? CALENDAR_DATES_MAX);
  const until = parts.get("UNTIL") ?? `${first + YEARS_AHEAD}1231`;
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)(?:T\d{6}Z?)?$/.exec(until) ?? [];
  if (year === undefined || ![every, count].every((number) => Number.isInteger(number) && number >= 1)) return null;
  const length = Math.max(0, Math.min(count, Math.floor((Math.min(Number(year), 2_500) - first) / every) + 1));
  const lastDay = `${year}-${month}-${day}`;
  // A leap day has no date in most years, and `datesOf` leaves these years out.
  return Array.from({ length }, (_, n) => n * every).filter((later) => (sameDayLater(start, later) ?? "") <= lastDay);
}

/** The same month and day in a later year. null if that year has no 29 February, or is beyond the calendar. */
function sameDayLater(at: number, years: number): string | null {
  const date = new Date(at);
  const later = new Date(Date.UTC(date.getUTCFullYear() + years, date.getUTCMonth(), date.getUTCDate()));
  if (later.getUTCMonth() !== date.getUTCMonth() || later.getUTCFullYear() > 2_500) return null;
  return later.toISOString().slice(0, 10);
}
