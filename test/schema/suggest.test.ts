import { expect, it } from "vitest";
import { didYouMean, openGuesses } from "#schema/suggest.ts";

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

it("gives the first unknown names a suggestion, and each of them the same again", () => {
  const guess = openGuesses(known);
  const names = Array.from({ length: 30 }, (_, n) => `metho${"dxyz"[n % 4]}${n > 3 ? n : ""}`);
  expect(names.map(guess)[1]).toBe("method");
  expect(guess("metho")).toBeNull();
  expect(guess(String(names[1]))).toBe("method");
});
