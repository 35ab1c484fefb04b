// Each row: what is declared, what fits, and what does not, with all that is said of it.
import { describe, expect, test } from "vitest";
import { misfits } from "#kernel/declared/misfits.ts";
import { schemaFindings } from "#kernel/declared/schema-findings.ts";
import { openWork } from "#kernel/language/work.ts";
import { declaredSchema } from "#schema/definition/declared.ts";
import type { Json } from "#schema/json.ts";

const told = (schema: object, value: Json): readonly string[] => {
  const parsed = declaredSchema.parse(schema);
  expect(schemaFindings(parsed, "")).toEqual([]);
  return misfits(parsed, value, "/p", openWork()).map(
    ({ pointer, code, message, hint }) => `${pointer} ${code}: ${message}${hint === undefined ? "" : ` (${hint})`}`,
  );
};

type Row = readonly [schema: object, fitting: readonly Json[], wrong: readonly (readonly [Json, ...string[]])[]];
const rows: { readonly [what: string]: Row } = {
  "nothing declared": [{}, [null, 1, "a", [], {}], []],
  "a type": [
    { type: "number" },
    [1, 0.5],
    [
      ["1", "/p invalid_type: expected number, here is string"],
      [null, "/p invalid_type: expected number, here is null"],
      [[], "/p invalid_type: expected number, here is array"],
      [{}, "/p invalid_type: expected number, here is object"],
      [true, "/p invalid_type: expected number, here is boolean"],
    ],
  ],
  "several types": [
    { type: ["integer", "null"] },
    [1, 2.0, null],
    [
      [1.5, "/p invalid_type: expected integer or null, here is number"],
      ["a", "/p invalid_type: expected integer or null, here is string"],
    ],
  ],
  "another type for a whole number": [
    { type: "string" },
    ["1"],
    [[1, "/p invalid_type: expected string, here is number"]],
  ],
  "a value": [{ const: { a: [1] } }, [{ a: [1] }], [[{ a: [2] }, '/p invalid_value: must be {"a":[1]}']]],
  "nothing as the value": [{ const: null }, [null], [[0, "/p invalid_value: must be null"]]],
  "one of several values": [
    { enum: ["a", 1, null] },
    ["a", 1, null],
    [["b", '/p invalid_value: must be one of "a", 1, null']],
  ],
  "very many values": [
    { enum: Array.from({ length: 200 }, (_, n) => `value${n}`) },
    ["value199"],
    [["x", expect.stringMatching(/^.{300,340}…$/)]],
  ],
  "bounds of a number": [
    { minimum: 1, maximum: 5, multipleOf: 2 },
    [2, 4, "x"],
    [
      [0, "/p too_small: must be at least 1"],
      [6, "/p too_big: must be at most 5"],
      [3, "/p not_multiple_of: must be a multiple of 2"],
    ],
  ],
  "bounds that are not in it": [
    { exclusiveMinimum: 1, exclusiveMaximum: 5 },
    [2],
    [
      [1, "/p too_small: must be more than 1"],
      [5, "/p too_big: must be less than 5"],
    ],
  ],
  "parts of a whole": [
    { multipleOf: 0.1 },
    [0.3, 1, 1234.5],
    [
      [0.35, "/p not_multiple_of: must be a multiple of 0.1"],
      [1e308, "/p not_multiple_of: must be a multiple of 0.1"],
    ],
  ],
  "lengths, by letters": [
    { minLength: 1, maxLength: 2 },
    ["é😀", "a", 7],
    [
      ["", "/p too_small: has fewer than 1 letters"],
      ["abc", "/p too_big: has more than 2 letters"],
    ],
  ],
  "at least so long": [{ minLength: 2 }, ["ab"], [["a", "/p too_small: has fewer than 2 letters"]]],
  "at most so long": [{ maxLength: 2 }, ["ab"], [["abc", "/p too_big: has more than 2 letters"]]],
  "a pattern": [{ pattern: "^[a-z]+$" }, ["abc", 1], [["a1", "/p invalid_format: does not match ^[a-z]+$"]]],
  "a format": [
    { format: "date" },
    ["2028-02-29", 5],
    [
      [
        "2027-02-29",
        "/p invalid_format: is no date (Such as a day.)".replace("Such as a day.", "A day, such as 2026-11-18."),
      ],
    ],
  ],
  "lengths of a list": [
    { minItems: 1, maxItems: 2 },
    [[1], [1, 2], "abc"],
    [
      [[], "/p too_small: has fewer than 1 items"],
      [[1, 2, 3], "/p too_big: has more than 2 items"],
    ],
  ],
  "items that are all different": [
    { uniqueItems: true },
    [[1, "1", { a: 1, b: 2 }], []],
    [[[{ a: 1, b: [2] }, 5, { b: [2], a: 1 }], "/p/2 not_unique: stands in the list already"]],
  ],
  "items, the first ones by themselves": [
    { prefixItems: [{ type: "string" }, true], items: { type: "number" } },
    [["a", null, 1, 2], ["a"]],
    [
      [
        [1, 2, "x"],
        "/p/0 invalid_type: expected string, here is number",
        "/p/2 invalid_type: expected number, here is string",
      ],
    ],
  ],
  "only the first items": [{ prefixItems: [true] }, [[1, 2]], []],
  "what a list contains": [
    { contains: { const: 1 }, maxContains: 2 },
    [[1], [0, 1, 1]],
    [
      [[], "/p too_small: has fewer than 1 items of the kind it must contain"],
      [[1, 1, 1], "/p too_big: has more than 2 items of the kind it may contain"],
    ],
  ],
  "how many fields": [
    { minProperties: 1, maxProperties: 1 },
    [{ a: 1 }],
    [
      [{}, "/p too_small: has fewer than 1 fields"],
      [{ a: 1, b: 2 }, "/p too_big: has more than 1 fields"],
    ],
  ],
  "fields and what must be there": [
    {
      properties: {
        a: { type: "number", description: "In cents." },
        b: { $ref: "#/$defs/b" },
        c: { type: ["string", "null"] },
        d: {},
        e: { $ref: "#/$defs/any" },
      },
      required: ["a", "b", "c", "d", "e", "f"],
      $defs: { b: { type: "boolean" }, any: true },
    },
    [{ a: 1, b: true, c: null, d: 1, e: 2, f: 3 }],
    [
      [
        {},
        "/p/a required: is missing (number expected) (In cents.)",
        "/p/b required: is missing (boolean expected)",
        "/p/c required: is missing (string or null expected)",
        "/p/d required: is missing",
        "/p/e required: is missing",
        "/p/f required: is missing",
      ],
      [
        { a: "1", b: 1, c: "", d: 1, e: 2, f: 3 },
        "/p/a invalid_type: expected number, here is string (In cents.)",
        "/p/b invalid_type: expected boolean, here is number",
      ],
    ],
  ],
  "no other fields": [
    { properties: { amount: true, "a/b": false }, additionalProperties: false },
    [{ amount: 1 }, {}],
    [
      [{ amuont: 1 }, "/p/amuont unknown_field: is not declared here (Did you mean amount?)"],
      [{ other: 1 }, "/p/other unknown_field: is not declared here (Known are amount, a/b.)"],
      [{ "a/b": 1 }, "/p/a~1b not_allowed: nothing may stand here"],
    ],
  ],
  "no fields at all": [
    { additionalProperties: false },
    [{}],
    [[{ x: 1 }, "/p/x unknown_field: is not declared here (Known are none.)"]],
  ],
  "names like those of every object": [
    { properties: { a: true }, additionalProperties: { type: "number" }, required: ["toString"] },
    [{ toString: 1, a: "x" }],
    [
      [{}, "/p/toString required: is missing"],
      [{ toString: "x" }, "/p/toString invalid_type: expected number, here is string"],
    ],
  ],
  "names of fields": [
    { propertyNames: { maxLength: 2 } },
    [{ ab: 1 }],
    [[{ abc: 1 }, "/p/abc invalid_key: its name has more than 2 letters"]],
  ],
  "names of fields, when no others may be there": [
    { propertyNames: { maxLength: 2 }, additionalProperties: { type: "null" } },
    [{ ab: null }],
    [
      [
        { abc: 1 },
        "/p/abc invalid_key: its name has more than 2 letters",
        "/p/abc invalid_type: expected null, here is number",
      ],
    ],
  ],
  "fields that go with others": [
    { dependentRequired: { card: ["expires"] } },
    [{}, { card: 1, expires: 2 }],
    [[{ card: 1 }, "/p/expires required: is missing: it goes with card"]],
  ],
  "all of": [{ allOf: [{ minimum: 1 }, { maximum: 2 }, true] }, [1, 2], [[3, "/p too_big: must be at most 2"]]],
  "any of, by type": [
    { anyOf: [{ type: "string", minLength: 2 }, { type: "number" }] },
    ["ab", 1],
    [
      ["a", "/p too_small: has fewer than 2 letters"],
      [
        null,
        "/p invalid_union: fits none of the 2 that it may be (expected string, here is null; expected number, here is null)",
      ],
    ],
  ],
  "one of, by a field": [
    {
      oneOf: [
        { title: "a card", properties: { by: { const: "card" }, no: { type: "string" } }, required: ["no"] },
        { title: "a transfer", properties: { by: { const: "transfer" } } },
      ],
    },
    [{ by: "card", no: "1" }, { by: "transfer" }],
    [
      [{ by: "card" }, "/p/no required: is missing (string expected)"],
      [{ by: "cash" }, "/p invalid_union: fits none of the 2 that it may be (One of: a card, a transfer.)"],
      [{ no: "1" }, "/p invalid_union: fits 2 of what it may be, and must fit one only"],
    ],
  ],
  "one of, with nothing to tell them apart": [
    { oneOf: [{ properties: { a: false } }, false] },
    [{}],
    [[{ a: 1 }, "/p invalid_union: fits none of the 2 that it may be (nothing may stand here)"]],
  ],
  "one of, all wrong inside": [
    { oneOf: [{ required: ["a"] }, { required: ["b"] }] },
    [{ a: 1 }],
    [[{}, "/p invalid_union: fits none of the 2 that it may be"]],
  ],
  not: [{ not: { type: "string" } }, [1], [["x", "/p not_allowed: is just what may not stand here"]]],
  "this one if that": [
    { if: { required: ["a"] }, then: { required: ["b"] }, else: { required: ["c"] } },
    [{ a: 1, b: 1 }, { c: 1 }],
    [
      [{ a: 1 }, "/p/b required: is missing"],
      [{}, "/p/c required: is missing"],
    ],
  ],
  "if, and nothing more": [{ if: { const: 1 } }, [1, 2], []],
  "a tree": [
    {
      type: "object",
      properties: { children: { type: "array", items: { $ref: "#" } }, name: { $ref: "#/$defs/a~1b" } },
      required: ["name"],
      $defs: { "a/b": { type: "string" } },
    },
    [{ name: "a", children: [{ name: "b", children: [] }] }],
    [[{ name: "a", children: [{}] }, "/p/children/0/name required: is missing (string expected)"]],
  ],
};

describe.each(Object.entries(rows))("%s", (_what, [schema, fitting, wrong]) => {
  test.each(fitting.map((value) => [value]))("%j fits", (value) => {
    expect(told(schema, value)).toEqual([]);
  });
  test.each(wrong.map(([value, ...said]) => [value, said] as const))("%j does not", (value, said) => {
    expect(told(schema, value)).toEqual(said);
  });
});
