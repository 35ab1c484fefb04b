// Patterns find the same texts as the runtime's regular expressions, in time linear in the text.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isFound, readPattern } from "#kernel/declared/pattern.ts";
import { openWork } from "#kernel/computing/work.ts";

const found = (pattern: string, text: string): boolean | string => {
  const read = readPattern(pattern);
  return read.ok ? isFound(read.pattern, text, openWork()) : read.code;
};

const atom = fc.constantFrom(
  "a",
  "b",
  ".",
  "[ab]",
  "[^a]",
  "\\d",
  "\\w",
  "\\s",
  "é",
  "😀",
  "\\.",
  "\\u{61}",
  "\\x62",
  "\\p{L}",
  "^",
  "$",
);
const { pattern } = fc.letrec<{ pattern: string; choice: string; sequence: string; piece: string; group: string }>(
  (tie) => ({
    pattern: tie("choice"),
    choice: fc.array(tie("sequence"), { minLength: 1, maxLength: 2 }).map((parts) => parts.join("|")),
    sequence: fc.array(tie("piece"), { maxLength: 3 }).map((parts) => parts.join("")),
    piece: fc
      .tuple(
        fc.oneof({ maxDepth: 2, depthIdentifier: "group", withCrossShrink: true }, atom, tie("group")),
        fc.constantFrom("", "", "", "*", "+", "?", "{2}", "{1,}", "{0,2}", "*?", "+?", "{0}"),
      )
      .map(([part, times]) => (part === "^" || part === "$" ? part : part + times)),
    group: fc.tuple(fc.constantFrom("(", "(?:"), tie("choice")).map(([open, inner]) => `${open}${inner})`),
  }),
);
const text = fc
  .array(fc.constantFrom("a", "b", "1", " ", "é", "😀", ".", "\n"), { maxLength: 8 })
  .map((all) => all.join(""));

test("as regular expressions do, whatever the pattern", () => {
  fc.assert(
    fc.property(pattern, text, (each, some) => {
      fc.pre(readPattern(each).ok);
      expect(found(each, some)).toBe(new RegExp(each, "u").test(some));
    }),
    { numRuns: 2_000, seed: 12 },
  );
});

describe("a pattern", () => {
  test.each([
    ["^[a-z0-9]+(?:-[a-z0-9]+)*$", "a-long-slug", true],
    ["^[a-z0-9]+(?:-[a-z0-9]+)*$", "a--slug", false],
    ["^(?<year>\\d{4})-\\d{2}$", "2026-11", true],
    ["[\\]a-]", "]", true],
    ["^\\cA$", "\u0001", true],
    ["^\\uD83D\\uDE00$", "😀", true],
    ["^\\u00e9$", "é", true],
    ["^\\P{Lu}$", "a", true],
    ["^\\0$", "\0", true],
    ["", "", true],
    ["^$", "a", false],
    ["(|a)b", "b", true],
    ["()+x", "x", true],
  ])("%s, asked of %s: %s", (each, some, is) => {
    expect(found(each, some)).toBe(is);
  });

  test.each([
    ["(a", "pattern_invalid"],
    ["a**", "pattern_invalid"],
    ["(?=a)", "pattern_lookaround"],
    ["(?<!a)b", "pattern_lookaround"],
    ["(a)\\1", "pattern_backreference"],
    ["(?<x>a)\\k<x>", "pattern_backreference"],
    ["\\bword", "pattern_word_edge"],
    ["(a{100}){100}", "pattern_too_large"],
    ["(){999999999}", "pattern_too_large"],
    ["a{0,5000}", "pattern_too_large"],
  ])("%s is refused", (each, code) => {
    expect(found(each, "")).toBe(code);
  });

  test.each(["^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "(.*)*x", "^(([a-z])+.)+[A-Z]([a-z])+$"])(
    "that others never finish, %s, costs little",
    (each) => {
      const work = openWork();
      const read = readPattern(each);
      expect(read.ok && isFound(read.pattern, `${"a".repeat(5_000)}!`, work)).toBe(false);
      expect(work.used).toBeLessThan(5_000 * 20);
    },
  );
});
