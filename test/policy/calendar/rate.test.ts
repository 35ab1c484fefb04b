// The rate that a tenant's quota allows a recurring action.
import { expect, it, test } from "vitest";
import { intervalMsOf, tooSoon } from "#policy/calendar/rate.ts";
import type { DispatchItem } from "#schema/recurring/calls.ts";

it.each([
  [0, 60_000],
  [1, 60_000],
  [4, 15_000],
  [600, 1_000],
])("%i a minute is one every %i ms", (perMinute, intervalMs) => expect(intervalMsOf(perMinute)).toBe(intervalMs));

/** An occurrence scheduled at this second. */
const scheduled = (second: number): DispatchItem => ({ id: `s${second}`, nominal: second * 1_000, at: 0 });
const triggered: DispatchItem = { id: "now", nominal: null, at: 0 };

test.each<[string, readonly DispatchItem[], number | null, readonly string[]]>([
  ["the first one", [scheduled(0)], null, []],
  ["exactly one interval later", [scheduled(60)], 0, []],
  ["a second too early", [scheduled(59)], 0, ["s59"]],
  ["several of one call", [scheduled(20), scheduled(40), scheduled(60), scheduled(80)], 0, ["s20", "s40", "s80"]],
  ["a manual trigger", [triggered, scheduled(60)], 0, []],
  ["a repeat, which counts", [{ ...scheduled(20), isRepeat: true }, scheduled(60)], 0, ["s60"]],
  ["a repeat of an earlier one", [{ ...scheduled(20), isRepeat: true }, scheduled(100)], 40_000, []],
])("%s", (_what, items, last, refused) => expect([...tooSoon(items, last, 60_000)]).toEqual(refused));
