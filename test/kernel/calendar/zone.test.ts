import { expect, test } from "vitest";
import { CHANGES_APART_MS, OFFSETS_SPAN_MS, offsetAt, stretchesBetween } from "#kernel/calendar/zone.ts";
import { aheadAt, changesOf, zones } from "./clock-changes.ts";

const DAY = 86_400_000;
const changes = zones.flatMap((zone) => changesOf(zone, 2025, 2029));

test("no zone changes its clocks twice within the days of one search", () => {
  expect(changes.length).toBeGreaterThan(500);
  for (const [index, { zone, at }] of changes.entries()) {
    const next = changes[index + 1];
    if (next?.zone === zone) expect(next.at - at, zone).toBeGreaterThan(CHANGES_APART_MS);
  }
});

test("offsets span no more than is allowed for", () => {
  const offsets = zones.map((zone) => aheadAt(zone, Date.UTC(2026, 0, 1)));
  expect(Math.max(...offsets) - Math.min(...offsets)).toBeLessThanOrEqual(OFFSETS_SPAN_MS);
  expect(Math.max(...offsets) - Math.min(...offsets)).toBeGreaterThan(OFFSETS_SPAN_MS - 2 * 3_600_000);
});

test("a change is found to the second, and nothing on its sides", () => {
  for (const { zone, at, old, anew } of changes.filter((_, index) => index % 7 === 0)) {
    expect([offsetAt(zone, at - 1), offsetAt(zone, at)], zone).toEqual([old, anew]);
    const [first, second, last] = stretchesBetween(zone, [at - DAY - 1, at + 2 * DAY + 7], "skip", "first");
    const meets = { from: at + Math.max(old, anew), before: Infinity, offset: anew, shown: anew, dst: "none" };
    expect(last ?? second, zone).toEqual(meets);
    expect(first, zone).toMatchObject({ from: -Infinity, before: at + Math.min(old, anew), offset: old });
  }
});
