import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { alignLists, alignNames, canonicalText } from "#policy/versions/diff/align.ts";

const pairs = (from: string, to: string) =>
  alignLists([...from], [...to])
    .map((pair) => `${pair.from ?? "-"}${pair.to ?? "-"}`)
    .join(" ");

describe("alignLists", () => {
  test.each([
    ["abc", "abc", "00 11 22"],
    ["", "ab", "-0 -1"],
    ["ab", "", "0- 1-"],
    ["abc", "xabc", "-0 01 12 23"],
    ["abc", "ac", "00 1- 21"],
    ["abc", "abx", "00 11 22"],
    ["abcd", "axbd", "00 -1 12 2- 33"],
    ["abcd", "xbyd", "00 11 22 33"],
    ["aXbYc", "aPbQc", "00 11 22 33 44"],
    ["pqr", "rpq", "-0 01 12 2-"],
    ["abc", "xyz", "00 11 22"],
    ["ab", "xyz", "0- 1- -0 -1 -2"],
  ])("%s and %s are paired as %s", (from, to, expected) => expect(pairs(from, to)).toBe(expected));

  test("pairs similar items, also if one was inserted before them", () => {
    const rule = (when: string, target: string, reason: string) => ({ when, target, reason });
    const from = [rule("a", "x", "one"), rule("b", "y", "two"), "text"];
    const to = [{ when: "c" }, rule("a", "x", "other"), rule("b", "z", "two"), ["text"], {}];
    expect(alignLists(from, to)).toEqual([
      { from: null, to: 0 },
      { from: 0, to: 1 },
      { from: 1, to: 2 },
      { from: 2, to: null },
      { from: null, to: 3 },
      { from: null, to: 4 },
    ]);
  });

  test("uses each item once in order, and pairs as many equal items as possible", () => {
    const list = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 8 });
    fc.assert(
      fc.property(list, list, (from, to) => {
        const all = alignLists(from, to);
        expect(all.flatMap((pair) => pair.from ?? [])).toEqual(from.map((_, n) => n));
        expect(all.flatMap((pair) => pair.to ?? [])).toEqual(to.map((_, n) => n));
        const same = all.filter((pair) => pair.from !== null && pair.to !== null && from[pair.from] === to[pair.to]);
        expect(same.length).toBeGreaterThanOrEqual(longest(from, to));
      }),
    );
  });

  test("of very long lists matches only their ends", () => {
    const many = (letter: string) => Array.from({ length: 600 }, (_, n) => `${letter}${n}`);
    const paired = alignLists(["first", ...many("a"), "last"], ["first", "x", ...many("a"), "y", "last"]);
    expect(paired[0]).toEqual({ from: 0, to: 0 });
    expect(paired.at(-1)).toEqual({ from: 601, to: 603 });
    expect(paired[1]).toEqual({ from: 1, to: null });
  });
});

test.each([
  [
    ["a", "b", "c"],
    ["a", "c"],
    ["a", "b", "c"],
  ],
  [
    ["a", "b"],
    ["c", "d"],
    ["a", "b", "c", "d"],
  ],
  [
    ["a", "b", "c"],
    ["c", "x", "a"],
    ["c", "x", "a", "b"],
  ],
  [[], ["a"], ["a"]],
])("of the names %j and %j removed names keep their position", (from, to, expected) => {
  expect(alignNames(from, to)).toEqual(expected);
});

test.each([
  [{ b: 1, a: [null, { d: 2, c: "x" }] }, '{"a":[null,{"c":"x","d":2}],"b":1}'],
  [[], "[]"],
  [true, "true"],
])("%j has one canonical text", (value, expected) => expect(canonicalText(value)).toBe(expected));

/** A slow reference implementation of the longest common subsequence. */
function longest([a, ...as]: readonly string[], [b, ...bs]: readonly string[]): number {
  if (a === undefined || b === undefined) return 0;
  if (a === b) return 1 + longest(as, bs);
  return Math.max(longest(as, [b, ...bs]), longest([a, ...as], bs));
}
