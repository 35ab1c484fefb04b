import { describe, expect, test } from "vitest";
import { isFixedLength } from "#kernel/language/instant.ts";
import { isDurationText } from "#schema/definition/duration-text.ts";
import { computeInstant, durationMs, instant, resolveDelay } from "#kernel/language/timing.ts";
import type { Delay, Duration, NamedDelay } from "#schema/definition/timing.ts";
import type { Json } from "#schema/json.ts";
import { naming } from "#test/support/matchers/naming.ts";
import type { FaultCode } from "#kernel/computing/fault.ts";

const zurich = "Europe/Zurich"; // in 2026: 02:00 to 03:00 is missing on March 29, and happens twice on October 25
const day = 86_400_000;
const at = (iso: string) => Date.parse(iso);
const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

describe("the length of a duration", () => {
  test.each<[Duration, number]>([
    [1500, 1500],
    ["PT0S", 0],
    ["PT1.5S", 1_500],
    ["PT90M", 5_400_000],
    ["PT2H", 7_200_000],
    ["P3D", 3 * day],
    ["P2W", 14 * day],
    ["P1M", 30 * day],
    ["P1Y", 365 * day],
    ["P1Y2M3W4DT5H6M7S", (365 + 60 + 21 + 4) * day + 18_367_000],
    ["-P42D", -42 * day],
    ["+P1D", day],
    ["P99999999999Y", 146_000 * day],
    ["-P99999999999Y", -146_000 * day],
    [Number.MAX_SAFE_INTEGER, 146_000 * day],
  ])("%s is %i ms", (duration, ms) => {
    expect(durationMs(duration)).toBe(ms);
  });

  test("a text that is no duration is our own bug", () => {
    expect(() => durationMs("soon")).toThrow('"soon"');
  });

  test.each([
    ["P3D", true],
    ["PT5M", true],
    ["P1M", false],
    ["P1YT1H", false],
    ["5M", false],
  ])("%s is of fixed length: %s", (text, fixed) => {
    expect(isFixedLength(text)).toBe(fixed);
  });

  test.each(["P", "PT", "p3d", "P1.5D", "3 days"])("%s is no duration", (text) => {
    expect(isDurationText(text)).toBe(false);
  });
});

describe("a moment as people write it", () => {
  test.each<[Json, string | null]>([
    ["2026-03-28", "2026-03-27T23:00:00.000Z"],
    ["2026-03-28T10:00", "2026-03-28T09:00:00.000Z"],
    ["2026-03-28 10:00:30", "2026-03-28T09:00:30.000Z"],
    ["2026-03-28T10:00Z", "2026-03-28T10:00:00.000Z"],
    ["2026-03-28T10:00:00.250+02:00", "2026-03-28T08:00:00.250Z"],
    ["2026-03-28T10:00-05", "2026-03-28T15:00:00.000Z"],
    ["2026-03-28T10:00[America/New_York]", "2026-03-28T14:00:00.000Z"],
    ["2026-03-29T02:30", "2026-03-29T01:30:00.000Z"],
    ["2026-10-25T02:30", "2026-10-25T00:30:00.000Z"],
    [0, "1970-01-01T00:00:00.000Z"],
    [1.9, "1970-01-01T00:00:00.001Z"],
    [9e15, null],
    ["2026-02-30", null],
    ["2026-03-28T25:00", null],
    ["2026-03-28T10:00[Mars/Base]", null],
    ["2026-03-28T10:00:00+99:00", null],
    ["1774652400000", null],
    ["tomorrow", null],
    ["", null],
    [null, null],
    [true, null],
    [["2026-03-28"], null],
  ])("%j in Zurich is %s", (value, moment) => {
    expect(iso(instant(value, zurich))).toBe(moment);
  });
});

const now = "2026-03-28T10:00:00.000Z";
const delays: Record<string, NamedDelay> = {
  reminder: { anchor: { var: "execution.variables.weddingDate" }, offset: "-P42D", at: "09:00", timezone: zurich },
  nudge: { anchor: { var: "execution.variables.weddingDate" }, offset: "-P1Y", ifPast: "skip" },
  tonight: { at: "22:30" },
  later: { anchor: { var: "nope" } },
  number: { anchor: { var: "execution.variables.guests" } },
  broken: { anchor: { nope: 1 } },
  list: { anchor: { var: "execution.variables.tags" } },
};
const scope = {
  execution: { variables: { weddingDate: "2026-06-20", guests: 1_790_000_000_000, tags: ["a"], soon: "soon" } },
};

describe("when a delay is due", () => {
  test.each<[string, Delay, string, string]>([
    // what                                       delay                                 zone      due
    ["milliseconds", 1_500, "UTC", "2026-03-28T10:00:01.500Z"],
    ["milliseconds as a text", "1500", "UTC", "2026-03-28T10:00:01.500Z"],
    ["an exact duration", "PT36H", zurich, "2026-03-29T22:00:00.000Z"],
    ["a day keeps the local time over a change of clocks", "P1D", zurich, "2026-03-29T09:00:00.000Z"],
    ["a month keeps the local time", "P1M", zurich, "2026-04-28T09:00:00.000Z"],
    ["days first, then hours exactly", "P1DT1H", zurich, "2026-03-29T10:00:00.000Z"],
    ["without change of clocks a day is 24 hours", "P1D", "UTC", "2026-03-29T10:00:00.000Z"],
    ["a name", "tonight", "UTC", "2026-03-28T22:30:00.000Z"],
    ["a name, in its own zone", "reminder", "UTC", "2026-05-09T07:00:00.000Z"],
    ["written out", { offset: "P2D", at: "08:15:30", timezone: zurich }, "UTC", "2026-03-30T06:15:30.000Z"],
    ["an anchor in milliseconds", "number", "UTC", "2026-09-21T14:13:20.000Z"],
    [
      "an anchor with an offset in milliseconds",
      { anchor: "2026-06-20", offset: 500 },
      "UTC",
      "2026-06-20T00:00:00.500Z",
    ],
    ["the past runs at once", { anchor: "2020-01-01" }, "UTC", now],
    ["the past runs at once when asked to", { anchor: "2020-01-01", ifPast: "run" }, "UTC", now],
    ["exactly now", { anchor: now }, "UTC", now],
  ])("%s", (_what, delay, timezone, due) => {
    const resolved = resolveDelay(delay, { now: at(now), timezone, delays, scope });
    expect(resolved).toEqual({ ok: true, at: at(due), skip: false });
  });

  test.each<[string, NamedDelay["disambiguation"], string, string]>([
    ["a time that does not exist moves forward", undefined, "2026-03-28T02:30", "2026-03-29T01:30:00.000Z"],
    ["a time that does not exist, earlier", "earlier", "2026-03-28T02:30", "2026-03-29T00:30:00.000Z"],
    ["a time that does not exist, later", "later", "2026-03-28T02:30", "2026-03-29T01:30:00.000Z"],
    ["a time that exists twice is the first", undefined, "2026-10-24T02:30", "2026-10-25T00:30:00.000Z"],
    ["a time that exists twice, later", "later", "2026-10-24T02:30", "2026-10-25T01:30:00.000Z"],
  ])("%s", (_what, disambiguation, anchor, due) => {
    const named = disambiguation === undefined ? {} : { disambiguation };
    const moment = { now: 0, timezone: zurich, delays: {}, scope: {} };
    const byOffset = resolveDelay({ anchor, offset: "P1D", ...named }, moment);
    const byTime = resolveDelay(
      { anchor: `${anchor.slice(0, 10)}T12:00`, offset: "P1D", at: "02:30", ...named },
      moment,
    );
    expect([byOffset, byTime]).toEqual([1, 2].map(() => ({ ok: true, at: at(due), skip: false })));
  });

  test("hours alone do not touch an hour that exists twice", () => {
    const second = "2026-10-25T01:30:00Z";
    const resolved = resolveDelay(
      { anchor: second, offset: "PT1M" },
      { now: 0, timezone: zurich, delays: {}, scope: {} },
    );
    expect(resolved).toEqual({ ok: true, at: at("2026-10-25T01:31:00Z"), skip: false });
  });

  test("an anchor that is not there yet leaves the instant open", () => {
    const resolved = resolveDelay("later", { now: at(now), timezone: "UTC", delays, scope });
    expect(resolved).toEqual({ ok: true, at: null, skip: false });
  });

  test("what is past and not to run then is skipped, and says when it would have been", () => {
    const resolved = resolveDelay("nudge", { now: at(now), timezone: "UTC", delays, scope });
    expect(resolved).toEqual({ ok: true, at: at("2025-06-20T00:00:00Z"), skip: true });
  });
});

describe("a delay that cannot be resolved says why", () => {
  const year = 2500;
  test.each<[Delay, FaultCode, ...(string | number)[]]>([
    ["remindr", "delay_unknown", '"remindr"', '"reminder"'],
    ["constructor", "delay_unknown", '"constructor"'],
    ["list", "not_a_date", '{"var":"execution.variables.tags"}', '["a"]'],
    [{ anchor: { var: "execution.variables.soon" } }, "not_a_date", '{"var":"execution.variables.soon"}', '"soon"'],
    ["broken", "operator_unknown", '{"nope":1}', "(nope)"],
    ["P999999Y", "beyond_calendar", '"P999999Y"', year],
    ["P999999999999999999Y", "beyond_calendar", '"P999999999999999999Y"', year],
    ["99999999999999999999", "beyond_calendar", '"99999999999999999999"', year],
    ["P475Y", "beyond_calendar", '"P475Y"', year],
    [{ anchor: "9999-12-31" }, "beyond_calendar", '{"anchor":"9999-12-31"}', year],
    [{ offset: Number.MAX_SAFE_INTEGER }, "beyond_calendar", '{"offset":9007199254740991}', year],
    [{ at: "09:00", timezone: { nope: 1 } }, "operator_unknown", '{"nope":1}', "(nope)"],
    [{ at: "09:00", timezone: "Mars/Base" }, "beyond_calendar", '{"at":"09:00","timezone":"Mars/Base"}', year],
  ])("%j", (delay, code, ...named) => {
    const moment = { now: at(now), timezone: "UTC", delays, scope };
    const refused = { ok: false, code, message: naming(...named) };
    expect([resolveDelay(delay, moment), computeInstant(delay, moment)]).toEqual([refused, refused]);
  });
});

test.each([
  ["at its very instant", 0, { at: day, skip: false }],
  ["a millisecond later", 1, { at: day, skip: true }],
])("what is skipped where it is past: %s", (_, late, expected) => {
  const moment = { now: day + late, timezone: "UTC", delays: {}, scope: {} };
  expect(resolveDelay({ anchor: day, ifPast: "skip" }, moment)).toEqual({ ok: true, ...expected });
});

test.each([
  // past since          now                          wanted
  ["a moment", "2026-03-28T09:00:00.001Z", true],
  ["just the days of grace, of which one has 23 hours", "2026-04-18T08:00:00.000Z", true],
  ["a millisecond more", "2026-04-18T08:00:00.001Z", false],
])("what runs if it is no older than 21 days: past since %s", (_, iso8601, isWanted) => {
  const moment = { now: at(iso8601), timezone: zurich, delays: {}, scope: {} };
  const due = at("2026-03-28T09:00:00Z"); // 10:00 in Zurich, the day before the clock change
  const resolved = resolveDelay({ anchor: due, ifPast: { runWithin: "P21D" } }, moment);
  expect(resolved).toEqual({ ok: true, at: isWanted ? moment.now : due, skip: !isWanted });
});
