// What JSON.parse takes and changes without a word.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lossIn } from "#schema/inbound/json-losses.ts";
import { namingPattern } from "#test/support/matchers/naming.ts";

describe("what could not be kept as it was sent", () => {
  test.each([
    ['{"a":1,"b":{"a":2},"a":3}', "/a", "duplicate_name"],
    [String.raw`{"variables":{"card":1,"c\u0061rd":2}}`, "/variables/card", "duplicate_name"],
    ['{"list":[{"x/y":1},{"x/y":1, "x/y" : 2}]}', "/list/1/x~1y", "duplicate_name"],
    ['{"constructor":1,"constructor":2}', "/constructor", "duplicate_name"],
    ['{"variables":{"a":1,"__proto__":{"isAdmin":true}}}', "/variables/__proto__", "name_not_kept"],
    [String.raw`[{"\u005f_proto__":1}]`, "/0/__proto__", "name_not_kept"],
    ['{"orderId":9007199254740993}', "/orderId", "number_not_exact"],
    ['{"ids":[1,-12345678901234567890]}', "/ids/1", "number_not_exact"],
    ['{"amount":9007199254740993.5}', "/amount", "number_not_exact"],
    ["[123456789012345678900000000]", "/0", "number_not_exact"],
    ["[1e999]", "/0", "number_not_exact"],
    ["-1e400", "", "number_not_exact"],
    ["[0,1e-999]", "/1", "number_not_exact"],
    ['{"orderId":9007199254740993e0}', "/orderId", "number_not_exact"],
    ["[90071992547409930E-1]", "/0", "number_not_exact"],
    ["[1.23456789012345678901e+22]", "/0", "number_not_exact"],
    ["[12345678901234567.5e0]", "/0", "number_not_exact"],
    [`[1${"0".repeat(4_000)}e-4000,9007199254740993e-0]`, "/1", "number_not_exact"],
    ["[1e99999999999999999999]", "/0", "number_not_exact"],
    [`[${"9".repeat(400)}]`, "/0", "number_not_exact"],
    [String.raw`{"name":"a\ud800b"}`, "/name", "text_not_unicode"],
    [String.raw`["ok","\udc00\ud800"]`, "/1", "text_not_unicode"],
    [String.raw`{"\ud800":1}`, "/\ud800", "text_not_unicode"],
  ])("in %s is at %s: %s", (text, pointer, code) => {
    expect(() => JSON.parse(text)).not.toThrow();
    expect(lossIn(text)).toMatchObject({ pointer, code, message: expect.any(String) });
  });

  test("is named by what it would become", () => {
    expect(lossIn('{"id":9007199254740993}')?.message).toMatch(namingPattern("9007199254740993", "9007199254740992"));
    expect(lossIn('{"a":1,"a":1}')?.message).toMatch(namingPattern('"a"'));
  });
});

test("a number of a million digits is looked at once", () => {
  const zeros = "0".repeat(1_000_000);
  expect(lossIn(`[1${zeros}1e-1000000]`)).toBeNull();
  expect(lossIn(`[0.${zeros}1]`)?.code).toBe("number_not_exact");
  expect(lossIn(`[1${zeros}]`)?.code).toBe("number_not_exact");
}, 2_000);

describe("nothing is said", () => {
  test.each([
    '{"a":{"x":1},"b":{"x":1},"c":[{"x":1},{"x":2}]}',
    '{"a":"a","b":"a:","c":["a","a"]}',
    "9007199254740992",
    "[10000000000000000,0.1,1e21,123456789012345680000,0.30000000000000004,0e5,-0,0.000,1.50]",
    "[1e23,1E5,12345e-2,1.5e+300,5e-324,1.7976931348623157e308,9007199254740992.0,9.007199254740992e15,0.0e-7,-0.0E+9]",
    // As near as a double comes, as everywhere.
    "[0.12345678901234567890,3.141592653589793238462e0,12345678901234567890e-19]",
    "[1180591620717411303424,1.180591620717411303424e21]",
    String.raw`["\ud83d\ude00","😀","\u0000","\\ud800"]`,
    String.raw`{"a\"":1,"a":2}`,
    '{"constructor":1,"prototype":2,"a":"__proto__","proto":["__proto__"]}',
    // No JSON: the parser says where.
    '{"a":1,}',
    "{'a':1}",
    '{"open',
    "--1",
    "1e",
    '{"a":"\\u12"}',
    "",
  ])("of %s", (text) => {
    expect(lossIn(text)).toBeNull();
  });

  test("of any JSON that was written by a machine", () => {
    const values = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('"__proto__":'));
    fc.assert(fc.property(values, (value) => lossIn(JSON.stringify(value)) === null));
    fc.assert(fc.property(values, (value) => lossIn(JSON.stringify(value, null, 2)) === null));
  });

  test("of what comes through JSON.parse unchanged, and of a name put in once more it is", () => {
    const names = fc.string().filter((name) => name !== "__proto__");
    const objects = fc.dictionary(names, fc.integer(), { minKeys: 1 });
    fc.assert(
      fc.property(objects, fc.nat(), (object, pick) => {
        const there = Object.keys(object);
        const name = there[pick % there.length] ?? "";
        const twice = `${JSON.stringify(object).slice(0, -1)},${JSON.stringify(name)}:0}`;
        return lossIn(twice)?.code === "duplicate_name";
      }),
    );
  });
});
