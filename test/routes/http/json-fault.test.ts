// Positions of JSON errors. JSON.parse decides whether a text is JSON.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { faultOf } from "#routes/http/json-fault.ts";

describe("the position of a JSON error", () => {
  test.each([
    ["", 0, "value"],
    ["hello", 0, "value"],
    ['{"a":1,}', 7, "name"],
    ["{'a':1}", 1, "name"],
    ['{"a" 1}', 5, "colon"],
    ["[1 2]", 3, "rest"],
    ['{"a":1', 6, "rest"],
    ["[1,]", 3, "value"],
    ["{} {}", 3, "end"],
    ['"open', 0, "value"],
    ["01", 1, "end"],
  ])("in %j is %i: %s", (text, position, expected) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(faultOf(text)).toMatchObject({ position, expected });
  });

  test("names the expected closing bracket", () => {
    expect(faultOf("[1 2]").message).toContain("]");
    expect(faultOf('{"a":[1] 2').message).toContain("}");
  });

  test("is counted in lines and columns from 1", () => {
    expect(faultOf('{\n  "a": 1,\n  b\n}')).toMatchObject({ line: 3, column: 3 });
  });

  test("is found in a text that nests deeper than a call stack", () => {
    expect(faultOf("[".repeat(200_000)).position).toBe(200_000);
  });

  test("is at the end for every text that JSON.parse accepts", () => {
    fc.assert(fc.property(fc.json(), (text) => faultOf(text).position === text.length));
  });

  test("is at or before the end for a truncated text, and the text before it is a prefix of JSON", () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.nat(5), (text, at, length) => {
        const cut = text.slice(0, at % text.length) + text.slice((at % text.length) + length + 1);
        const { position } = faultOf(cut);
        expect(position).toBeLessThanOrEqual(cut.length);
        if (parses(cut)) expect(position).toBe(cut.length);
      }),
    );
  });
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
