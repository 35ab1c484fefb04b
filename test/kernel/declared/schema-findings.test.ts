// What may not be declared, each with its place. Shapes and keywords are the schema's own to refuse, with a guess.
import { describe, expect, test } from "vitest";
import { schemaFindings } from "#kernel/declared/schema-findings.ts";
import { declaredSchema, type DeclaredSchema } from "#schema/definition/declared.ts";
import { zodFindings } from "#schema/findings.ts";

const told = (schema: object): readonly string[] => {
  const parsed = declaredSchema.safeParse(schema);
  const found = parsed.success ? schemaFindings(parsed.data, "/input") : zodFindings(parsed.error, declaredSchema);
  return found.map(
    ({ pointer, code, message, hint }) => `${pointer} ${code}: ${message}${hint === undefined ? "" : ` ${hint}`}`,
  );
};
const nested = (depth: number): DeclaredSchema =>
  Array.from({ length: depth - 1 }).reduce<DeclaredSchema>((items) => ({ items }), {});

describe("refused is", () => {
  test.each<[string, object, string | RegExp]>([
    [
      "a keyword that there is not",
      { properties: { a: { typ: "string" } } },
      '/properties/a/typ unknown_field: unknown field "typ" did you mean "type"?',
    ],
    [
      "a keyword that is not taken",
      { patternProperties: {} },
      /^\/patternProperties unknown_field: .* known are \$schema/,
    ],
    ["a type that there is not", { type: "int" }, /^\/type /],
    ["a format that is not checked", { format: "phone" }, /^\/format invalid_value: .*"date-time"/],
    [
      "a schema from elsewhere",
      { $ref: "https://example.com/a.json" },
      /^\/\$ref invalid_format: only what stands in the same schema/,
    ],
    ["another dialect", { $schema: "http://json-schema.org/draft-07/schema#" }, /^\/\$schema invalid_value/],
    ["what is no number of letters", { minLength: -1 }, /^\/minLength too_small/],
    ["no choice", { anyOf: [] }, /^\/anyOf too_small/],
    [
      "a reference that leads nowhere",
      { $ref: "#/$defs/amuont", $defs: { amount: {} } },
      "/input/$ref schema_ref_unknown: there is no amuont in $defs Did you mean #/$defs/amount?",
    ],
    [
      "a reference where there are none",
      { items: { $ref: "#/$defs/a" } },
      "/input/items/$ref schema_ref_unknown: there is no a in $defs There are: none.",
    ],
    [
      "definitions inside",
      { properties: { a: { $defs: { b: {} } } } },
      "/input/properties/a/$defs schema_defs_inside: stand at the top of a schema Move them there.",
    ],
    [
      "a pattern that is none",
      { items: { pattern: "(" } },
      "/input/items/pattern schema_pattern: the pattern is no regular expression (as JavaScript has them, with the flag u)",
    ],
    [
      "a pattern that takes too long",
      { allOf: [true, { pattern: "(?=a)" }] },
      /^\/input\/allOf\/1\/pattern schema_pattern: the pattern looks ahead/,
    ],
    [
      "bounds with nothing between them",
      { minLength: 5, maxLength: 4 },
      "/input/maxLength schema_bounds: is less than minLength: nothing fits",
    ],
    [
      "numbers with nothing between them",
      { properties: { n: { minimum: 5, maximum: 4 } } },
      "/input/properties/n/maximum schema_bounds: is less than minimum: nothing fits",
    ],
    [
      "a required field that may not be there",
      { required: ["a", "amuont"], properties: { a: {}, amount: {} }, additionalProperties: false },
      "/input/required/1 schema_required_unknown: amuont is required, and properties does not have it: nothing fits Did you mean amount?",
    ],
    [
      "a required field where there may be none",
      { items: { required: ["a"], additionalProperties: false } },
      "/input/items/required/0 schema_required_unknown: a is required, and properties does not have it: nothing fits Declare it under properties.",
    ],
    [
      "a loop",
      { $ref: "#" },
      "/input schema_loop: refers to itself about the same value, and would never come to an end Refer from properties or items.",
    ],
    [
      "a loop by way of others",
      {
        $defs: { a: { anyOf: [{ $ref: "#/$defs/b" }] }, b: { if: { not: { $ref: "#/$defs/a" } } } },
        items: { $ref: "#/$defs/a" },
      },
      /^\/input\/\S+ schema_loop/,
    ],
    ["too deep a nest", nested(17), /^\/input limit_exceeded: nests more than 16 deep/],
    [
      "too many schemas",
      { properties: Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`p${n}`, {}])) },
      /500 schemas in it/,
    ],
  ])("%s", (_what, schema, said) => {
    expect(told(schema)).toEqual([typeof said === "string" ? said : expect.stringMatching(said)]);
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
