// Findings about declared schemas, each with its place. The definition's own schema refuses unknown shapes and
// keywords.
import { describe, expect, test } from "vitest";
import { schemaFindings } from "#kernel/declared/schema-findings.ts";
import { inputSchemaObject, type InputSchemaObject } from "#schema/definition/input-schema.ts";
import { zodFindings } from "#schema/findings.ts";
import { naming } from "#test/support/matchers/naming.ts";

const told = (schema: object): readonly string[] => {
  const parsed = inputSchemaObject.safeParse(schema);
  const found = parsed.success ? schemaFindings(parsed.data, "/input") : zodFindings(parsed.error, inputSchemaObject);
  return found.map(
    ({ pointer, code, message, hint }) => `${pointer} ${code}: ${message}${hint === undefined ? "" : ` ${hint}`}`,
  );
};
const nested = (depth: number): InputSchemaObject =>
  Array.from({ length: depth - 1 }).reduce<InputSchemaObject>((items) => ({ items }), {});

describe("refused is", () => {
  test.each<[string, object, string]>([
    [
      "a keyword that there is not",
      { properties: { a: { typ: "string" } } },
      naming("/properties/a/typ unknown_field", '"typ"', '"type"'),
    ],
    ["a keyword that is not taken", { patternProperties: {} }, naming("/patternProperties unknown_field", "$schema")],
    ["a type that there is not", { type: "int" }, naming("/type")],
    ["a format that is not checked", { format: "phone" }, naming("/format invalid_value", '"date-time"')],
    ["a schema from elsewhere", { $ref: "https://example.com/a.json" }, naming("/$ref invalid_format")],
    ["another dialect", { $schema: "http://json-schema.org/draft-07/schema#" }, naming("/$schema invalid_value")],
    ["what is no number of letters", { minLength: -1 }, naming("/minLength too_small")],
    ["no choice", { anyOf: [] }, naming("/anyOf too_small")],
    [
      "a reference that leads nowhere",
      { $ref: "#/$defs/amuont", $defs: { amount: {} } },
      naming("/input/$ref schema_ref_unknown", "amuont", "#/$defs/amount"),
    ],
    [
      "a reference where there are none",
      { items: { $ref: "#/$defs/a" } },
      naming("/input/items/$ref schema_ref_unknown", "a"),
    ],
    [
      "definitions inside",
      { properties: { a: { $defs: { b: {} } } } },
      naming("/input/properties/a/$defs schema_defs_inside"),
    ],
    ["a pattern that is none", { items: { pattern: "(" } }, naming("/input/items/pattern schema_pattern")],
    [
      "a pattern that takes too long",
      { allOf: [true, { pattern: "(?=a)" }] },
      naming("/input/allOf/1/pattern schema_pattern", "(?="),
    ],
    [
      "bounds with nothing between them",
      { minLength: 5, maxLength: 4 },
      naming("/input/maxLength schema_bounds", "minLength"),
    ],
    [
      "numbers with nothing between them",
      { properties: { n: { minimum: 5, maximum: 4 } } },
      naming("/input/properties/n/maximum schema_bounds", "minimum"),
    ],
    [
      "a required field that may not be there",
      { required: ["a", "amuont"], properties: { a: {}, amount: {} }, additionalProperties: false },
      naming("/input/required/1 schema_required_unknown", "amuont", "amount"),
    ],
    [
      "a required field where there may be none",
      { items: { required: ["a"], additionalProperties: false } },
      naming("/input/items/required/0 schema_required_unknown", "properties"),
    ],
    ["a loop", { $ref: "#" }, naming("/input schema_loop")],
    [
      "a loop by way of others",
      {
        $defs: { a: { anyOf: [{ $ref: "#/$defs/b" }] }, b: { if: { not: { $ref: "#/$defs/a" } } } },
        items: { $ref: "#/$defs/a" },
      },
      naming("schema_loop"),
    ],
    ["too deep a nest", nested(17), naming("/input limit_exceeded", 16)],
    [
      "too many schemas",
      { properties: Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`p${n}`, {}])) },
      naming("limit_exceeded", 500),
    ],
  ])("%s", (_what, schema, said) => {
    expect(told(schema)).toEqual([said]);
  });
});

describe("taken is", () => {
  test.each<[string, object]>([
    ["as deep a nest as may be", nested(16)],
    [
      "a tree",
      {
        $ref: "#/$defs/node",
        $defs: { node: { properties: { next: { $ref: "#/$defs/node" }, all: { items: { $ref: "#" } } } } },
      },
    ],
    [
      "what is for people",
      {
        title: "a",
        description: "b",
        default: 1,
        examples: [1],
        $comment: "c",
        deprecated: true,
        readOnly: true,
        writeOnly: false,
        $schema: "https://json-schema.org/draft/2020-12/schema",
      },
    ],
    ["bounds that meet", { minItems: 2, maxItems: 2 }],
    [
      "two ways to one place",
      { allOf: [{ $ref: "#/$defs/a" }, { $ref: "#/$defs/a" }], $defs: { a: { properties: { "x/y": true } } } },
    ],
  ])("%s", (_what, schema) => {
    expect(told(schema)).toEqual([]);
  });
});
