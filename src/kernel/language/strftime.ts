// Date formatting in templates (strftime), always in English and in a named zone, so that all machines give the same
// text. Liquid's own filter reads the clock, the zone and the language of the host, so it is not used.
import { Temporal } from "temporal-polyfill";

type Moment = Temporal.ZonedDateTime;
type Code = (at: Moment) => string | number;

const days = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(" ");
const months = "January February March April May June July August September October November December".split(" ");

/** Formats an instant. Returns undefined if the zone does not exist. */
export function strftime(epochMs: number, format: string, timezone: string): string | undefined {
  try {
    return print(Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(timezone), format);
  } catch {
    return undefined;
  }
}

function print(at: Moment, format: string): string {
  const directive = /%([-_0^#:]*)(\d{0,2})([a-zA-Z%])/g;
  return format.replace(directive, (written, flags: string, width: string, letter: string) => {
    const combined = combinations[letter];
    if (combined !== undefined) return print(at, combined);
    if (letter === "z") return offset(at, flags.includes(":"));
    const code = codes[letter];
    if (code === undefined) return written;
    const [value, ownWidth, ownFill] = code;
    return pad(letterCase(String(value(at)), flags), flags, Number(width || ownWidth), ownFill);
  });
}

function letterCase(text: string, flags: string): string {
  if (flags.includes("^")) return text.toUpperCase();
  if (!flags.includes("#")) return text;
  return text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase();
}

function pad(text: string, flags: string, width: number, ownFill: string): string {
  if (flags.includes("-")) return text;
  const asked = flags.includes("_") ? " " : flags.includes("0") ? "0" : ownFill;
  return text.padStart(width, asked);
}

function offset(at: Moment, withColon: boolean): string {
  return withColon ? at.offset : at.offset.replace(":", "");
}

function hour12(at: Moment): number {
  return at.hour % 12 || 12;
}

/**
 * The number of the week in the year, for weeks that start on `firstWeekday`. Days before the first such weekday of the
 * year are in week 0.
 */
function weekOfYear(at: Moment, firstWeekday: number): number {
  return Math.floor((at.dayOfYear - 1 - ((at.dayOfWeek - firstWeekday + 7) % 7) + 7) / 7);
}

function ordinal({ day }: Moment): string {
  if (day >= 11 && day <= 13) return "th";
  return ["th", "st", "nd", "rd"][day % 10] ?? "th";
}

function month(at: Moment): string {
  return String(months[at.month - 1]);
}

function weekday(at: Moment): string {
  return String(days[at.dayOfWeek - 1]);
}

const combinations: { readonly [letter: string]: string } = {
  c: "%a %b %e %H:%M:%S %Y",
  D: "%m/%d/%y",
  F: "%Y-%m-%d",
  r: "%I:%M:%S %p",
  R: "%H:%M",
  T: "%H:%M:%S",
  x: "%m/%d/%y",
  X: "%H:%M:%S",
};

const codes: { readonly [letter: string]: readonly [value: Code, width: number, fill: string] } = {
  a: [(at) => weekday(at).slice(0, 3), 0, " "],
  A: [weekday, 0, " "],
  b: [(at) => month(at).slice(0, 3), 0, " "],
  B: [month, 0, " "],
  C: [(at) => Math.floor(at.year / 100), 2, "0"],
  d: [(at) => at.day, 2, "0"],
  e: [(at) => at.day, 2, " "],
  h: [(at) => month(at).slice(0, 3), 0, " "],
  H: [(at) => at.hour, 2, "0"],
  I: [hour12, 2, "0"],
  j: [(at) => at.dayOfYear, 3, "0"],
  k: [(at) => at.hour, 2, " "],
  l: [hour12, 2, " "],
  L: [(at) => at.millisecond, 3, "0"],
  m: [(at) => at.month, 2, "0"],
  M: [(at) => at.minute, 2, "0"],
  n: [() => "\n", 0, " "],
  N: [(at) => `${String(at.millisecond).padStart(3, "0")}000000`, 9, "0"],
  p: [(at) => (at.hour < 12 ? "AM" : "PM"), 0, " "],
  P: [(at) => (at.hour < 12 ? "am" : "pm"), 0, " "],
  q: [ordinal, 0, " "],
  s: [(at) => Math.floor(at.epochMilliseconds / 1000), 0, "0"],
  S: [(at) => at.second, 2, "0"],
  t: [() => "\t", 0, " "],
  u: [(at) => at.dayOfWeek, 0, "0"],
  U: [(at) => weekOfYear(at, 7), 2, "0"],
  w: [(at) => at.dayOfWeek % 7, 0, "0"],
  W: [(at) => weekOfYear(at, 1), 2, "0"],
  y: [(at) => at.year % 100, 2, "0"],
  Y: [(at) => at.year, 4, "0"],
  Z: [(at) => at.timeZoneId, 0, " "],
  "%": [() => "%", 0, " "],
};
