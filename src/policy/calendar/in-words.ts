// Describes cron expressions in words, such as "At 09:00, Monday through Friday (Europe/Zurich)". Returns null if no
// sentence would be exact.
import { parseCron, plainFields } from "#kernel/calendar/cron.ts";
import cronstrue from "cronstrue/i18n.js";

/** The supported languages: tags in lower case, with the names of the library's locales. */
const TAGS_AS_LOCALES =
  "af ar az be bg ca cs da de en es fa fi fr he hr hu id it ja ko my nb nl nn pl ro ru sk sl sr sv sw tg th tr uk vi";
const languages: ReadonlyMap<string, string> = new Map([
  ...TAGS_AS_LOCALES.split(" ").map((each) => [each, each] as const),
  ["no", "nb"],
  ["pt", "pt_BR"],
  ["pt-pt", "pt_PT"],
  ["zh", "zh_CN"],
  ["zh-hant", "zh_TW"],
  ["zh-hk", "zh_TW"],
  ["zh-tw", "zh_TW"],
]);

export type CronDescription = {
  readonly text: string;
  /** The language of the sentence: the requested one if it is supported, otherwise English. */
  readonly language: string;
};

/**
 * Describes an expression; null if no sentence would be exact. `wanted`: a language tag, or the value of an
 * Accept-Language header.
 */
export function inWords(expression: string, timezone: string, wanted: string): CronDescription | null {
  const parsed = parseCron(expression);
  if (!parsed.ok) return null;
  const { fields, isBoth } = plainFields(expression);
  const described = describableFields(fields);
  if (described === null) return null;
  const language = preferredLanguage(wanted);
  const plain = language === "en" && !isBoth ? everyWeekday(described, timezone) : null;
  if (plain !== null) return { text: plain, language };
  const text = cronstrue.toString(described.join(" "), {
    locale: String(languages.get(language)),
    logicalAndDayFields: isBoth,
    use24HourTimeFormat: true,
  });
  return { text: `${text} (${timezone})`, language };
}

/** Returns the usual English sentence for one time on the days from Monday to Friday; null for any other schedule. */
function everyWeekday([second, minute, hour, ...days]: readonly string[], timezone: string): string | null {
  const isWeekday = /^\* \* (?:MON-FRI|1-5) \*$/.test(days.join(" "));
  if (second !== "0" || !isWeekday || !isNumber(minute) || !isNumber(hour)) return null;
  const [hours, minutes] = [Number(hour), String(Number(minute)).padStart(2, "0")];
  return `Every weekday at ${hours % 12 || 12}:${minutes} ${hours < 12 ? "AM" : "PM"} ${zoneInWords(timezone)}`;
}

function isNumber(field: string | undefined): boolean {
  return /^\d+$/.test(String(field));
}

/** Returns the usual abbreviation, such as ET; if there is none, returns the zone in parentheses. */
function zoneInWords(timezone: string): string {
  const format = new Intl.DateTimeFormat("en-US", { timeZone: timezone, timeZoneName: "shortGeneric" });
  const name = String(format.formatToParts(0).find(({ type }) => type === "timeZoneName")?.value);
  return /^[A-Z]{2,4}$/.test(name) && name !== "GMT" ? name : `(${timezone})`;
}

const DATE = 3;
const WEEKDAY = 5;

/** The number of values of the fields second, minute, hour and month, by the position of the field. */
const VALUES_BY_FIELD: { readonly [position: number]: number } = { 0: 60, 1: 60, 2: 24, 4: 12 };

/**
 * Whether the library would describe a step as a regular interval although the step begins anew with each period. A
 * step in a field with periods of different lengths, such as the days of months, is never regular.
 */
function hasUnevenStep(field: string, position: number): boolean {
  return field.split(",").some((item) => {
    const [range, step] = item.split("/");
    if (step === undefined || Number(step) === 1) return false;
    const values = VALUES_BY_FIELD[position];
    return values === undefined || (range === "*" ? values % Number(step) !== 0 : false);
  });
}

/** Whether a range of weekdays begins and ends with Sunday, which the library describes as such. */
function coversSundayTwice(weekday: string): boolean {
  return weekday.split(",").some((item) => /^(?:0|SUN)-7/.test(item));
}

/**
 * Rewrites the fields into a form that the library describes correctly. null if the library would omit or misread a
 * part of them.
 */
function describableFields(fields: readonly string[]): readonly string[] | null {
  const written = fields.map((field) => (field.split(",").some((item) => item === "*" || item === "?") ? "*" : field));
  const [date, weekday] = [String(written[DATE]), String(written[WEEKDAY])];
  if (written.some(hasUnevenStep) || coversSundayTwice(weekday)) return null;
  if (date.includes(",") && /W|L-/.test(date)) return null;
  const days = weekday.replaceAll("#L", "L");
  if (/L|#/.test(days) && /[,-]/.test(days)) return null;
  return written.with(WEEKDAY, days);
}

/** Returns the supported language with the highest q value; the first one if several have it. */
function preferredLanguage(wanted: string): string {
  const preferences = wanted.split(",").map((preference) => {
    const [tag, ...settings] = preference.toLowerCase().replaceAll("_", "-").split(";");
    const weight = settings.map((each) => /^\s*q=([\d.]+)\s*$/.exec(each)?.[1]).find((each) => each !== undefined);
    return { language: supportedTag(String(tag).trim()), weight: Number(weight ?? 1) };
  });
  const accepted = preferences.filter(({ language, weight }) => language !== null && weight > 0);
  return accepted.toSorted((a, b) => b.weight - a.weight)[0]?.language ?? "en";
}

/** Returns the tag, or its longest prefix that is a supported language; null if there is none. */
function supportedTag(tag: string): string | null {
  if (languages.has(tag)) return tag;
  const end = tag.lastIndexOf("-");
  return end < 0 ? null : supportedTag(tag.slice(0, end));
}
