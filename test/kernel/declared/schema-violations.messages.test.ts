// Messages about schema violations, their number, and that the check ends whatever the schema.
import { describe, expect, test } from "vitest";
import { schemaViolations } from "#kernel/declared/schema-violations.ts";
import { schemaFindings } from "#kernel/declared/schema-findings.ts";
import { openWork } from "#kernel/computing/work.ts";
import { inputSchemaObject } from "#schema/definition/input-schema.ts";
import type { Json } from "#schema/json.ts";
import { STEP_WORK_MAX } from "#schema/limits/executions.ts";
import { naming } from "#test/support/matchers/naming.ts";

const told = (schema: object, value: Json): readonly string[] => {
  const parsed = inputSchemaObject.parse(schema);
  expect(schemaFindings(parsed, "")).toEqual([]);
  return schemaViolations(parsed, value, "/p", openWork()).map(
    ({ pointer, code, message, hint }) => `${pointer} ${code}: ${message}${hint === undefined ? "" : ` (${hint})`}`,
  );
};

test("what was declared of a place is said of what is wrong there, and of nothing inside it", () => {
  const schema = { description: "An order.", properties: { n: { type: "number" } }, minProperties: 2 };
  expect(told(schema, { n: "x" })).toEqual([
    naming("/p too_small", 2, "An order."),
    naming("/p/n invalid_type", "number", "string"),
  ]);
});

test("a pattern is parsed once, and an unverified reference requires nothing", () => {
  const declared = inputSchemaObject.parse({ pattern: "^a$", $ref: "#/$defs/none" });
  expect([1, 2].map(() => schemaViolations(declared, "b", "", openWork()).length)).toEqual([1, 1]);
});

test("of very much that is wrong the first is said", () => {
  const items = { type: "string" };
  expect(
    told(
      { items },
      Array.from({ length: 500 }, () => 1),
    ),
  ).toHaveLength(20);
  const fields = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`f${n}`, 1]));
  expect(told({ additionalProperties: items }, fields)).toHaveLength(20);
});

test("of long values that are declared the first are listed", () => {
  const values = Array.from({ length: 100 }, (_, n) => `value_${n}`);
  const [first = "", second = ""] = told({ items: { enum: values } }, ["x", "y"]);
  expect([first.includes("value_9"), first.includes("value_99"), first.length < 400]).toEqual([true, false, true]);
  expect(second.replace("/p/1", "/p/0")).toBe(first);
});

test("what is refused never shows the value", () => {
  const schema = {
    properties: { a: { enum: ["x"] }, b: { pattern: "^y$" }, c: { type: "number" }, d: { maxLength: 1 } },
  };
  const secret = "whsec_4711";
  expect(JSON.stringify(told(schema, { a: secret, b: secret, c: secret, d: secret }))).not.toContain(secret);
});

describe("the check ends", () => {
  const costly = (schema: object, value: Json) => () =>
    schemaViolations(inputSchemaObject.parse(schema), value, "", openWork());

  test("where each choice doubles the work", () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [
        `d${n}`,
        { anyOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] },
      ]),
    );
    const schema = { $ref: "#/$defs/d0", $defs: { ...$defs, d40: false } };
    expect(costly(schema, 1)).toThrow(
      expect.objectContaining({ code: "work_exceeded", message: naming(STEP_WORK_MAX) }),
    );
  });

  test("where a pattern is long, and the text too", () => {
    expect(costly({ pattern: "^(.*a){150}!$" }, "a".repeat(60_000))).toThrow(
      expect.objectContaining({ code: "work_exceeded" }),
    );
  });

  test("where a tree is deeper than any stack", () => {
    const deep = Array.from({ length: 500 }).reduce<Json>((inner) => [inner], []);
    expect(costly({ items: { $ref: "#" } }, deep)).toThrow(
      expect.objectContaining({ code: "too_deep", message: naming(400) }),
    );
  });
});
