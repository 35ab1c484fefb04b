// The values of search variables, by their types.
import { expect, test } from "vitest";
import { searchValues } from "#kernel/declared/search-values.ts";
import type { Json } from "#schema/json.ts";
import { SEARCH_TEXT_CHARS_MAX } from "#schema/limits/definition-sizes.ts";

const longest = "x".repeat(SEARCH_TEXT_CHARS_MAX);

test.each<["string" | "number" | "date", Json, string | number | null]>([
  ["string", "A-17", "A-17"],
  ["string", "", ""],
  ["string", longest, longest],
  ["string", `${longest}x`, null],
  ["string", 17, null],
  ["string", null, null],
  ["number", 99.5, 99.5],
  ["number", 0, 0],
  ["number", "99.5", null],
  ["date", "2027-01-01", Date.UTC(2026, 11, 31, 23)],
  ["date", "2027-01-01T08:00:00Z", Date.UTC(2027, 0, 1, 8)],
  ["date", 1_000, 1_000],
  ["date", "soon", null],
  ["date", ["2027-01-01"], null],
])("%s %j is indexed as %j", (type, value, expected) => {
  const values = searchValues({ it: type }, { it: value, other: 1 }, "Europe/Berlin");
  expect(values).toEqual(expected === null ? {} : { it: expected });
});

test("a variable without a value is left out", () => {
  expect(searchValues({ a: "string", b: "number" }, { b: 2 }, "UTC")).toEqual({ b: 2 });
});
