import { describe, expect, test } from "vitest";
import { parseCron } from "#kernel/calendar/cron.ts";
import { inWords } from "#policy/calendar/in-words.ts";
import { drawCron } from "#test/kernel/calendar/random-crons.ts";

const textOf = (expression: string, language = "en"): string | null =>
  inWords(expression, "Europe/Zurich", language)?.text ?? null;

describe("an expression in words, with its zone", () => {
  test.each([
    ["0 9 * * MON-FRI", "At 09:00, Monday through Friday (Europe/Zurich)"],
    ["*/15 * * * *", "Every 15 minutes (Europe/Zurich)"],
    ["30 2,14 * * *", "At 02:30 and 14:30 (Europe/Zurich)"],
    ["30 0 9 * * *", "At 09:00:30 (Europe/Zurich)"],
    ["0 0 9 1 1 * 2028", "At 09:00, on day 1 of the month, only in January, only in 2028 (Europe/Zurich)"],
    ["@monthly", "At 00:00, on day 1 of the month (Europe/Zurich)"],
    ["0 9 ? * ?", "At 09:00 (Europe/Zurich)"],
    ["*,5 * * * *", "Every minute (Europe/Zurich)"],
    ["0 9 13 * FRI", "At 09:00, on day 13 of the month, and on Friday (Europe/Zurich)"],
    ["0 9 13 * +FRI", "At 09:00, on day 13 of the month, only on Friday (Europe/Zurich)"],
    ["0 9 15W * *", "At 09:00, on the weekday nearest day 15 of the month (Europe/Zurich)"],
    ["0 9 LW * *", "At 09:00, on the last weekday of the month (Europe/Zurich)"],
    ["0 9 L-2 * *", "At 09:00, 2 days before the last day of the month (Europe/Zurich)"],
    ["0 9 13,L * *", "At 09:00, on day 13 and the last day of the month (Europe/Zurich)"],
    ["0 9 * * fri#L", "At 09:00, on the last Friday of the month (Europe/Zurich)"],
    ["0 9 * * 2#2", "At 09:00, on the second Tuesday of the month (Europe/Zurich)"],
  ])("%s: %s", (expression, text) => {
    expect(textOf(expression)).toBe(text);
  });
});

describe("no words rather than wrong ones", () => {
  test.each(["0 0 1,15W * *", "0 0 LW,3 * *", "0 0 L-2,4 * *", "0 0 * * MON-FRI#1", "0 0 * * 5L,1", "0 0 * * 1,3#1"])(
    "%s",
    (expression) => {
      expect(parseCron(expression).ok).toBe(true);
      expect(textOf(expression)).toBeNull();
    },
  );

  test("nor for what is no expression", () => {
    expect(textOf("5/15 * * * *")).toBeNull();
    expect(textOf("")).toBeNull();
  });
});

describe("in the language that is asked for, where there are words in it", () => {
  test.each([
    ["de", "de", "Um 09:00, Montag bis Freitag"],
    ["de-CH", "de", "Um 09:00, Montag bis Freitag"],
    ["DE_at", "de", "Um 09:00, Montag bis Freitag"],
    ["fr", "fr", "À 09:00, de lundi à vendredi"],
    ["pt-BR", "pt", "Às 09:00, de segunda-feira a sexta-feira"],
    ["pt-PT", "pt-pt", "Às 09:00, de segunda-feira a sexta-feira"],
    ["zh-Hans", "zh", "在09:00, 星期一至星期五"],
    ["zh-Hant-TW", "zh-hant", "在 09:00, 星期一 到 星期五"],
    ["no", "no", "Kl.09:00, mandag til og med fredag"],
    ["gd", "en", "At 09:00, Monday through Friday"],
    ["", "en", "At 09:00, Monday through Friday"],
    ["*", "en", "At 09:00, Monday through Friday"],
    ["constructor", "en", "At 09:00, Monday through Friday"],
    ["rm, it;q=0.9, de;q=0.8", "it", "Alle 09:00, lunedì al venerdì"],
    ["it;q=0.5, de;q=0.8", "de", "Um 09:00, Montag bis Freitag"],
    ["de;q=0, it ; q=0.1", "it", "Alle 09:00, lunedì al venerdì"],
    ["fr;q=x, de", "fr", "À 09:00, de lundi à vendredi"],
    ["en-GB,en;q=0.9,de;q=0.8", "en", "At 09:00, Monday through Friday"],
  ])("%s: %s", (wanted, language, text) => {
    expect(inWords("0 9 * * MON-FRI", "UTC", wanted)).toEqual({ text: `${text} (UTC)`, language });
  });

  test("each language there is says it in its own words", () => {
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

test("nothing breaks on any expression, in any language", () => {
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
  expect(told).toBeGreaterThan(2_000);
});
