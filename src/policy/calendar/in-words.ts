// Cron expressions in words: a sentence with the zone, such as "At 09:00, Monday through Friday (Europe/Zurich)".
// Returns null instead of an inexact sentence.
import { parseCron, plainFields } from "#kernel/calendar/cron.ts";
import cronstrue from "cronstrue/i18n.js";

/** Language tags in lower case, with the library's name where it differs. */
const PLAIN =
  "af ar az be bg ca cs da de en es fa fi fr he hr hu id it ja ko my nb nl nn pl ro ru sk sl sr sv sw tg th tr uk vi";
const languages: ReadonlyMap<string, string> = new Map([
  ...PLAIN.split(" ").map((each) => [each, each] as const),
  ["no", "nb"],
  ["pt", "pt_BR"],
  ["pt-pt", "pt_PT"],
  ["zh", "zh_CN"],
  ["zh-hant", "zh_TW"],
  ["zh-hk", "zh_TW"],
  ["zh-tw", "zh_TW"],
]);

export type Words = {
  readonly text: string;
  /** The requested language if it is supported, otherwise English. */
  readonly language: string;
};

/** `wanted`: a language tag, or the header `Accept-Language`. null if the expression cannot be described exactly. */
export function inWords(expression: string, timezone: string, wanted: string): Words | null {
  const parsed = parseCron(expression);
  if (!parsed.ok) return null;
  const { fields, isBoth } = plainFields(expression);
  const told = tellable(fields);
  if (told === null) return null;
  const language = chosen(wanted);
  const text = cronstrue.toString(told.join(" "), {
    locale: String(languages.get(language)),
    logicalAndDayFields: isBoth,
    use24HourTimeFormat: true,
  });
  return { text: `${text} (${timezone})`, language };
}

const DATE = 3;
const WEEKDAY = 5;

/** The fields in a form that the library describes correctly; it omits or misreads features that it does not know. */
function tellable(fields: readonly string[]): readonly string[] | null {
  const written = fields.map((field) => (field.split(",").some((item) => item === "*" || item === "?") ? "*" : field));
  const [date, weekday] = [String(written[DATE]), String(written[WEEKDAY])];
  if (date.includes(",") && /W|L-/.test(date)) return null;
  const days = weekday.replaceAll("#L", "L");
  if (/L|#/.test(days) && /[,-]/.test(days)) return null;
  return written.with(WEEKDAY, days);
}

/** The supported language with the highest preference; of equals the first. */
function chosen(wanted: string): string {
  const wishes = wanted.split(",").map((wish) => {
    const [tag, ...settings] = wish.toLowerCase().replaceAll("_", "-").split(";");
    const weight = settings.map((each) => /^\s*q=([\d.]+)\s*$/.exec(each)?.[1]).find((each) => each !== undefined);
    return { language: known(String(tag).trim()), weight: Number(weight ?? 1) };
  });
  const granted = wishes.filter(({ language, weight }) => language !== null && weight > 0);
  return granted.toSorted((a, b) => b.weight - a.weight)[0]?.language ?? "en";
}

/** The tag itself, or its longest prefix that is a supported language. */
function known(tag: string): string | null {
  if (languages.has(tag)) return tag;
  const end = tag.lastIndexOf("-");
  return end < 0 ? null : known(tag.slice(0, end));
}
