// Tests the preview of occurrences against the armed ones.
import { describe, expect, test } from "vitest";
import { comingOccurrences, occurrencesFromTo } from "#policy/calendar/preview.ts";
import { at, specOf, Trace } from "#test/support/recurring-trace.ts";

const begun = "2026-03-27T08:00:00Z";

describe("coming occurrences", () => {
  test("have local times and offsets, and mark clock changes", () => {
    const { state, now } = new Trace(begun, specOf({ rule: { cron: "30 2 * * *", timezone: "Europe/Zurich" } }));
    expect(comingOccurrences(state, now, 3).map(({ local, utcOffset, dst }) => [local, utcOffset, dst])).toEqual([
      ["2026-03-28T02:30:00", "+01:00", "none"],
      ["2026-03-29T03:30:00", "+02:00", "gap"],
      ["2026-03-30T02:30:00", "+02:00", "none"],
    ]);
  });

  test("include jitter and mark skipped ones", () => {
    const trace = new Trace(begun, specOf({ jitterMs: 60_000 }));
    trace.ask({ verb: "skip", nominal: at("2026-03-28T09:00:00Z") });
    const coming = comingOccurrences(trace.state, trace.now, 3);
    expect(coming.map(({ isSkipped }) => isSkipped)).toEqual([false, true, false]);
    const goes = coming.filter(({ isSkipped }) => !isSkipped).map(({ fireAt }) => fireAt);
    for (const fireAt of goes) trace.until(new Date(fireAt).toISOString());
    expect(trace.sent).toHaveLength(2);
    expect(trace.state.lastExecutedAt).toBe(goes[1]);
  });

  test("end at the schedule's end", () => {
    const { state, now } = new Trace(begun, specOf({ endsAt: at("2026-03-29T00:00:00Z") }));
    expect(comingOccurrences(state, now, 5)).toHaveLength(2);
  });
});

test("of a time range are cut at the maximum, with hasMore", () => {
  const ends = { startsAt: at("2026-03-28"), endsAt: at("2026-03-30") };
  const { state } = new Trace(begun, specOf(ends));
  const of = (from: string, to: string, max: number) => occurrencesFromTo(state, at(from), at(to), max);
  expect(of("2026-03-01", "2026-04-01", 5)).toMatchObject({ hasMore: false, occurrences: [{}, {}] });
  expect(of("2026-03-01", "2026-04-01", 1)).toMatchObject({ hasMore: true, occurrences: [{}] });
  const { state: endless } = new Trace(begun, specOf());
  expect(occurrencesFromTo(endless, at("2026-04-01"), at("2026-04-03"), 5).occurrences).toHaveLength(2);
});
