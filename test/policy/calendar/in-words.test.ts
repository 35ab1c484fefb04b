import { describe, expect, test } from "vitest";
import { parseCron } from "#kernel/calendar/cron.ts";
import { inWords } from "#policy/calendar/in-words.ts";
import { expressions, languages } from "./words-cases.ts";
import { drawCron } from "#test/kernel/calendar/random-crons.ts";
import { naming } from "#test/support/matchers/naming.ts";

const textOf = (expression: string, language = "en"): string | null =>
  inWords(expression, "Europe/Zurich", language)?.text ?? null;

describe("the description of an expression with its time zone", () => {
  test.each(expressions)("%s", (expression) => {
    expect(textOf(expression)).toMatch(/^\S.* \(Europe\/Zurich\)$/);
  });

  test("the descriptions of different expressions differ", () => {
    expect(new Set(expressions.map((expression) => textOf(expression))).size).toBe(expressions.length);
  });
});

describe("no description instead of an inexact one", () => {
  test.each([
    ...["0 0 1,15W * *", "0 0 LW,3 * *", "0 0 L-2,4 * *", "0 0 * * MON-FRI#1", "0 0 * * 5L,1", "0 0 * * 1,3#1"],
    // A step that does not divide its field begins anew with each period.
    ...[
      "*/59 * * * *",
      "0 */5 * * *",
      "0 0 */2 * *",
      "0 0 1 */5 *",
      "0 0 * * */2",
      "0 0 9 1 1 * 2026-2040/2",
      "0 0 * * 0-7",
    ],
  ])("%s", (expression) => {
    expect(parseCron(expression).ok).toBe(true);
    expect(textOf(expression)).toBeNull();
  });

  test("for an invalid expression is null", () => {
    expect(textOf("5/15 * * * *")).toBeNull();
    expect(textOf("")).toBeNull();
  });
});

describe("one time on the days from Monday to Friday", () => {
  test.each([
    ["0 9 * * MON-FRI", "US/Eastern", "Every weekday at 9:00 AM ET"],
    ["5 0 * * 1-5", "America/Los_Angeles", "Every weekday at 12:05 AM PT"],
    ["30 12 * * mon-fri", "Europe/Zurich", "Every weekday at 12:30 PM (Europe/Zurich)"],
    ["0 15 * * 1-5", "UTC", "Every weekday at 3:00 PM (UTC)"],
  ])("%s in %s", (expression, zone, text) => {
    expect(inWords(expression, zone, "en")?.text).toBe(text);
  });
});

describe("the description uses the requested language if it is supported", () => {
  test.each(languages)("%s: %s", (wanted, language) => {
    const words = inWords("0 9 * * MON-FRI", "UTC", wanted);
    expect(words).toEqual({ text: naming("(UTC)"), language });
    expect(words).toEqual(inWords("0 9 * * MON-FRI", "UTC", language));
  });

  test("every supported language has its own description", () => {
    const asked = [
      ...["af", "ar", "az", "be", "bg", "ca", "cs", "da", "de", "en", "es", "fa", "fi", "fr", "he", "hr", "hu", "id"],
      ...["it", "ja", "ko", "my", "nb", "nl", "nn", "pl", "pt", "ro", "ru", "sk", "sl", "sr", "sv", "sw", "tg", "th"],
      ...["tr", "uk", "vi", "zh", "zh-tw"],
    ];
    const said = asked.map((language) => inWords("0 9 * * MON-FRI", "UTC", language));
    expect(said.map((each) => each?.language)).toEqual(asked);
    expect(new Set(said.map((each) => each?.text)).size).toBe(asked.length);
  });
});

test("no expression and language throws", () => {
  const asked = ["en", "de", "fr", "ja", "ru", "ar", "zh"];
  let told = 0;
  for (let seed = 0; seed < 3_000; seed += 1) {
    const { text } = drawCron(seed);
    const words = inWords(text, "UTC", asked[seed % asked.length] ?? "en");
    if (words === null) continue;
    told += 1;
    expect(words.text, text).toMatch(/^.{5,} \(UTC\)$/);
    expect(words.text, text).not.toMatch(/undefined|null|NaN|\*/);
  }
  expect(told).toBeGreaterThan(1_500);
});
