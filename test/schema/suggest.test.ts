import { expect, it } from "vitest";
import { didYouMean } from "#schema/suggest.ts";

const known = ["url", "method", "headers", "payload", "expectedStatusCodes"];

it.each([
  ["metod", "method"],
  ["mehtod", "method"],
  ["METHOD", "method"],
  ["header", "headers"],
  ["paylaod", "payload"],
  ["expectedStatusCode", "expectedStatusCodes"],
  ["expected_status_codes", "expectedStatusCodes"],
  ["ur", "url"],
  ["uri", "url"],
  ["xyz", null],
  ["body", null],
  ["", null],
  ["url", null],
  ["m".repeat(10_000), null],
])("for %s suggests %s", (name, suggestion) => {
  expect(didYouMean(name, known)).toBe(suggestion);
});

it("prefers the nearest, and of equals the first", () => {
  expect(didYouMean("tast", ["test", "task", "toast"])).toBe("test");
  expect(didYouMean("tasks", ["test", "task", "toast"])).toBe("task");
  expect(didYouMean("a", [])).toBeNull();
});
