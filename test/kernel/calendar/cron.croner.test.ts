// Compares cron parsing with croner, on croner's public cases and on random expressions: accepted syntax, refusals, and
// occurrences in UTC. For gaps the test uses croner's `match`, because croner loses the first days of March.
import { Cron } from "croner";
import { describe, expect, test } from "vitest";
import { parseCron } from "#kernel/calendar/cron.ts";
import { nextOccurrence } from "#kernel/calendar/occurrences.ts";
import { cronerCases } from "./croner-cases.ts";
import { drawCron } from "./random-crons.ts";
import { ruleOf } from "./rules.ts";
import type { CalendarCode } from "#kernel/calendar/cron-field.ts";

/** Expressions that croner accepts and the kernel refuses, with the refusal's code. */
const refusedHere = new Map<string, CalendarCode>([
  ["0 0 0 1 1 * 1", "out_of_range"],
  ["0 0 0 1 1 * 1-9999/2", "out_of_range"],
  ["0 0 0 1 1 * 5000", "out_of_range"],
  ["0 0 0 1 1 * 9999", "out_of_range"],
  ["0 0 1 1 * * 9999", "out_of_range"],
  ["0 0 30W 2 *", "never_due"],
  ["0 0 31 2 *", "never_due"],
  ["0 0 31 4 *", "never_due"],
  ["0 0 31W 4 *", "never_due"],
]);

function ofCroner(expression: string): Cron | null {
  try {
    return new Cron(expression, { timezone: "UTC", paused: true });
  } catch {
    return null;
  }
}

/** Checks that croner finds no further occurrence, and that it matches each occurrence that it did not list. */
function compare(expression: string, croner: Cron, start: number, count: number): number {
  const rule = ruleOf(expression);
  let at = start;
  for (let n = 0; n < count; n += 1) {
    const next = nextOccurrence(rule, at);
    const theirs = croner.nextRun(new Date(at))?.getTime() ?? Infinity;
    const place = `${expression} after ${new Date(at).toISOString()}`;
    if (next === null) {
      expect(theirs, place).toBe(Infinity);
      return n;
    }
    expect(next.at, place).toBeLessThanOrEqual(theirs);
    if (next.at < theirs) expect(croner.match(new Date(next.at)), place).toBe(true);
    at = next.at;
  }
  return count;
}

const starts = [Date.UTC(2024, 1, 27, 12), Date.UTC(2026, 10, 18, 12, 30, 15), Date.UTC(2027, 1, 26)];

describe("croner's public cases", () => {
  test.each(cronerCases)("%s", (expression) => {
    const croner = ofCroner(expression);
    const parsed = parseCron(expression);
    const reason = refusedHere.get(expression);
    if (croner === null || reason !== undefined) {
      expect(parsed).toMatchObject({ ok: false, ...(reason === undefined ? {} : { code: reason }) });
      return;
    }
    expect(parsed).toMatchObject({ ok: true });
    for (const start of starts) compare(expression, croner, start, 12);
  });

  test("most of them are taken, and all that are refused here alone are among them", () => {
    expect(cronerCases.filter((each) => parseCron(each).ok).length).toBeGreaterThan(150);
    expect([...refusedHere.keys()].filter((each) => ofCroner(each) === null || !cronerCases.includes(each))).toEqual(
      [],
    );
  });
});

test("drawn expressions come due as croner has them, or admits to", () => {
  let compared = 0;
  for (let seed = 0; seed < 400; seed += 1) {
    const { text } = drawCron(seed);
    // croner does not support L-2.
    const croner = text.includes("L-") || !parseCron(text).ok ? null : ofCroner(text);
    if (croner !== null) compared += compare(text, croner, Number(starts[seed % starts.length]) + seed * 86_400_000, 5);
  }
  expect(compared).toBeGreaterThan(1_500);
});
