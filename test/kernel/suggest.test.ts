import { expect, test } from "vitest";
import { didYouMean } from "#kernel/suggest.ts";

const candidates = ["upcase", "downcase", "date", "if", "merge"];

test.each([
  ["upcas", "upcase", "a letter is missing"],
  ["upcasee", "upcase", "a letter is too many"],
  ["upcese", "upcase", "a letter is wrong"],
  ["upcsae", "upcase", "two letters changed places"],
  ["UPCASE", "upcase", "only the case differs"],
  ["fi", "if", "the whole word is two letters"],
  ["dwncse", "downcase", "a third of a long word may differ"],
])("%s means %s: %s", (word, meant) => {
  expect(didYouMean(word, candidates)).toBe(meant);
});

test("a word that is near to none gets no suggestion", () => {
  expect(didYouMean("webhook", candidates)).toBeNull();
});

test("nothing known, nothing suggested", () => {
  expect(didYouMean("if", [])).toBeNull();
});

test("very long words are compared by their beginning", () => {
  expect(didYouMean("x".repeat(100_000), ["x".repeat(50_000)])).toBe("x".repeat(50_000));
});
