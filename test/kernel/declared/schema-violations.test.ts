// Each row: a schema, values that match it, and values that do not, with all violations.
import { describe, expect, test } from "vitest";
import { schemaViolations } from "#kernel/declared/schema-violations.ts";
import { schemaFindings } from "#kernel/declared/schema-findings.ts";
import { openWork } from "#kernel/computing/work.ts";
import { inputSchemaObject } from "#schema/definition/input-schema.ts";
import type { Json } from "#schema/json.ts";
import { naming } from "#test/support/matchers/naming.ts";

const told = (schema: object, value: Json): readonly string[] => {
  const parsed = inputSchemaObject.parse(schema);
  expect(schemaFindings(parsed, "")).toEqual([]);
  return schemaViolations(parsed, value, "/p", openWork()).map(
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
      ["1", naming("/p invalid_type", "number", "string")],
      [null, naming("/p invalid_type", "number", "null")],
      [[], naming("/p invalid_type", "number", "array")],
      [{}, naming("/p invalid_type", "number", "object")],
      [true, naming("/p invalid_type", "number", "boolean")],
    ],
  ],
  "several types": [
    { type: ["integer", "null"] },
    [1, 2.0, null],
    [
      [1.5, naming("/p invalid_type", "integer", "null", "number")],
      ["a", naming("/p invalid_type", "integer", "null", "string")],
    ],
  ],
  "another type for a whole number": [{ type: "string" }, ["1"], [[1, naming("/p invalid_type", "string", "number")]]],
  "a value": [{ const: { a: [1] } }, [{ a: [1] }], [[{ a: [2] }, naming("/p invalid_value", '{"a":[1]}')]]],
  "nothing as the value": [{ const: null }, [null], [[0, naming("/p invalid_value", "null")]]],
  "one of several values": [
    { enum: ["a", 1, null] },
    ["a", 1, null],
    [["b", naming("/p invalid_value", '"a", 1, null')]],
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
      [0, naming("/p too_small", 1)],
      [6, naming("/p too_big", 5)],
      [3, naming("/p not_multiple_of", 2)],
    ],
  ],
  "bounds that are not in it": [
    { exclusiveMinimum: 1, exclusiveMaximum: 5 },
    [2],
    [
      [1, naming("/p too_small", 1)],
      [5, naming("/p too_big", 5)],
    ],
  ],
  "parts of a whole": [
    { multipleOf: 0.1 },
    [0.3, 1, 1234.5],
    [
      [0.35, naming("/p not_multiple_of", 0.1)],
      [1e308, naming("/p not_multiple_of", 0.1)],
    ],
  ],
  "lengths, by letters": [
    { minLength: 1, maxLength: 2 },
    ["é😀", "a", 7],
    [
      ["", naming("/p too_small", 1)],
      ["abc", naming("/p too_big", 2)],
    ],
  ],
  "at least so long": [{ minLength: 2 }, ["ab"], [["a", naming("/p too_small", 2)]]],
  "at most so long": [{ maxLength: 2 }, ["ab"], [["abc", naming("/p too_big", 2)]]],
  "a pattern": [{ pattern: "^[a-z]+$" }, ["abc", 1], [["a1", naming("/p invalid_format", "^[a-z]+$")]]],
  "a format": [
    { format: "date" },
    ["2028-02-29", 5],
    [["2027-02-29", naming("/p invalid_format", "date", "2026-11-18")]],
  ],
  "lengths of a list": [
    { minItems: 1, maxItems: 2 },
    [[1], [1, 2], "abc"],
    [
      [[], naming("/p too_small", 1)],
      [[1, 2, 3], naming("/p too_big", 2)],
    ],
  ],
  "items that are all different": [
    { uniqueItems: true },
    [[1, "1", { a: 1, b: 2 }], []],
    [[[{ a: 1, b: [2] }, 5, { b: [2], a: 1 }], naming("/p/2 not_unique")]],
  ],
  "items, the first ones separately": [
    { prefixItems: [{ type: "string" }, true], items: { type: "number" } },
    [["a", null, 1, 2], ["a"]],
    [[[1, 2, "x"], naming("/p/0 invalid_type", "string", "number"), naming("/p/2 invalid_type", "number", "string")]],
  ],
  "only the first items": [{ prefixItems: [true] }, [[1, 2]], []],
  "what a list contains": [
    { contains: { const: 1 }, maxContains: 2 },
    [[1], [0, 1, 1]],
    [
      [[], naming("/p too_small", 1)],
      [[1, 1, 1], naming("/p too_big", 2)],
    ],
  ],
  "how many fields": [
    { minProperties: 1, maxProperties: 1 },
    [{ a: 1 }],
    [
      [{}, naming("/p too_small", 1)],
      [{ a: 1, b: 2 }, naming("/p too_big", 1)],
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
        naming("/p/a required", "number", "In cents."),
        naming("/p/b required", "boolean"),
        naming("/p/c required", "string", "null"),
        naming("/p/d required"),
        naming("/p/e required"),
        naming("/p/f required"),
      ],
      [
        { a: "1", b: 1, c: "", d: 1, e: 2, f: 3 },
        naming("/p/a invalid_type", "number", "string", "In cents."),
        naming("/p/b invalid_type", "boolean", "number"),
      ],
    ],
  ],
  "no other fields": [
    { properties: { amount: true, "a/b": false }, additionalProperties: false },
    [{ amount: 1 }, {}],
    [
      [{ amuont: 1 }, naming("/p/amuont unknown_field", "amount")],
      [{ other: 1 }, naming("/p/other unknown_field", "amount, a/b")],
      [{ "a/b": 1 }, naming("/p/a~1b not_allowed")],
    ],
  ],
  "no fields at all": [{ additionalProperties: false }, [{}], [[{ x: 1 }, naming("/p/x unknown_field")]]],
  "names like those of every object": [
    { properties: { a: true }, additionalProperties: { type: "number" }, required: ["toString"] },
    [{ toString: 1, a: "x" }],
    [
      [{}, naming("/p/toString required")],
      [{ toString: "x" }, naming("/p/toString invalid_type", "number", "string")],
    ],
  ],
  "names of fields": [
    { propertyNames: { maxLength: 2 } },
    [{ ab: 1 }],
    [[{ abc: 1 }, naming("/p/abc invalid_key", 2)]],
  ],
  "names of fields, when no others may be there": [
    { propertyNames: { maxLength: 2 }, additionalProperties: { type: "null" } },
    [{ ab: null }],
    [[{ abc: 1 }, naming("/p/abc invalid_key", 2), naming("/p/abc invalid_type", "null", "number")]],
  ],
  "fields that go with others": [
    { dependentRequired: { card: ["expires"] } },
    [{}, { card: 1, expires: 2 }],
    [[{ card: 1 }, naming("/p/expires required", "card")]],
  ],
  "all of": [{ allOf: [{ minimum: 1 }, { maximum: 2 }, true] }, [1, 2], [[3, naming("/p too_big", 2)]]],
  "any of, by type": [
    { anyOf: [{ type: "string", minLength: 2 }, { type: "number" }] },
    ["ab", 1],
    [
      ["a", naming("/p too_small", 2)],
      [null, naming("/p invalid_union", 2, "string", "null", "number")],
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
      [{ by: "card" }, naming("/p/no required", "string")],
      [{ by: "cash" }, naming("/p invalid_union", 2, "a card, a transfer")],
      [{ no: "1" }, naming("/p invalid_union", 2)],
    ],
  ],
  "one of, with nothing to tell them apart": [
    { oneOf: [{ properties: { a: false } }, false] },
    [{}],
    [[{ a: 1 }, naming("/p invalid_union", 2)]],
  ],
  "one of, all wrong inside": [
    { oneOf: [{ required: ["a"] }, { required: ["b"] }] },
    [{ a: 1 }],
    [[{}, naming("/p invalid_union", 2)]],
  ],
  not: [{ not: { type: "string" } }, [1], [["x", naming("/p not_allowed")]]],
  "this one if that": [
    { if: { required: ["a"] }, then: { required: ["b"] }, else: { required: ["c"] } },
    [{ a: 1, b: 1 }, { c: 1 }],
    [
      [{ a: 1 }, naming("/p/b required")],
      [{}, naming("/p/c required")],
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
    [[{ name: "a", children: [{}] }, naming("/p/children/0/name required", "string")]],
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
