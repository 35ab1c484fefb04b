// Cron expressions in words. Record them again with `npx vitest run --project node test/golden/sentences -u`.
import { expect, test } from "vitest";
import { inWords } from "#policy/calendar/in-words.ts";
import { expressions, languages } from "#test/policy/calendar/words-cases.ts";

test("what an expression is in words", async () => {
  const english = expressions.map((each) => `${each}: ${inWords(each, "Europe/Zurich", "en")?.text}\n`);
  const others = [...new Set(languages.map(([, language]) => language))].map(
    (language) => `${language}: ${inWords("0 9 * * MON-FRI", "UTC", language)?.text}\n`,
  );
  await expect([...english, "\n", ...others].join("")).toMatchFileSnapshot("./cron.txt");
});
