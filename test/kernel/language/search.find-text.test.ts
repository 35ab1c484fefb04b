// Search in texts: the same results as the runtime, and fast where the runtime takes seconds.
import fc from "fast-check";
import { expect, test } from "vitest";
import { evaluate } from "#kernel/language/logic.ts";
import { firstPlace, includesText, lastPlace, piecesOf } from "#kernel/language/search.ts";
import { render } from "#kernel/language/render.ts";

/** Few letters, so that parts begin and end alike; long enough for the kernel's own search. */
const letters = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 6 });
const texts = fc.tuple(letters, letters, fc.nat(400)).map(([one, other, times]) => one.repeat(times) + other);

test("everything is found where the runtime finds it", () => {
  const found = fc.property(texts, texts, letters, (part, before, after) => {
    for (const text of [before + after, before + part + after, part + part.slice(1) + after]) {
      expect(includesText(text, part)).toBe(text.includes(part));
      expect(firstPlace(text, part)).toBe(text.indexOf(part));
      expect(lastPlace(text, part)).toBe(text.lastIndexOf(part));
      expect(piecesOf(text, part)).toEqual(text.split(part));
    }
  });
  fc.assert(found, { numRuns: 300 });
});

const LONG = 300;
const scope = { text: `x${"ab".repeat(LONG)}y${"ab".repeat(LONG)}z`, part: "ab".repeat(LONG), short: "ab" };
const rendered = (template: string) => render(template, scope);

test.each([
  ["{{ text | remove: part }}", "xyz"],
  ["{{ text | replace: part, '-' }}", "x-y-z"],
  ["{{ text | remove_first: part | size }}", String(2 * LONG + 3)],
  ["{{ text | replace_first: part, '-' | slice: 0, 3 }}", "x-y"],
  ["{{ text | replace_last: part, '-' | slice: -3, 3 }}", "y-z"],
  ["{{ text | remove_last: part | slice: -2, 2 }}", "yz"],
  ["{{ text | split: part | join: '-' }}", "x-y-z"],
  ["{{ part | split: part | size }}", "0"],
  ["{{ text | remove_first: 'q' | size }}", String(4 * LONG + 3)],
  ["{{ 'abc' | split | join: '-' }}", "a-b-c"],
  ["{{ 'abc' | remove }}", "abc"],
  ["{{ 'abc' | replace }}{{ 'abc' | remove_first }}", "abcabc"],
  ["{{ 'abab' | remove_last: 'ab' }}{{ 'abab' | replace: 'a' }}{{ 5 | replace: 5, 6 }}", "abbb6"],
  ["{% if text contains part %}yes{% endif %}{% if short contains part %}no{% endif %}", "yes"],
  ["{% assign list = 'a,b' | split: ',' %}{% if list contains 'b' %}yes{% endif %}", "yes"],
])("%s", (template, expected) => {
  expect(rendered(template)).toEqual({ ok: true, value: expected });
});

test("a rule finds a long part, and pays for the part as well", () => {
  const rule = { in: [{ var: "part" }, { var: "text" }] };
  expect(evaluate(rule, scope)).toEqual({ ok: true, value: true });
  const large = { part: `${"a".repeat(60_000)}b${"a".repeat(60_000)}`, text: "a".repeat(130_000) };
  expect(evaluate(rule, large)).toEqual({ ok: true, value: false });
});
