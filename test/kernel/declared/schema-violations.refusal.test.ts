import { expect, test } from "vitest";
import { refuseViolations, type SchemaCheck } from "#kernel/declared/schema-violations.ts";
import { openWork } from "#kernel/computing/work.ts";
import { inputSchemaObject } from "#schema/definition/input-schema.ts";
import type { Json } from "#schema/json.ts";
import { naming } from "#test/support/matchers/naming.ts";

const refused = (schema: object | null, value: Json, part: Partial<SchemaCheck> = {}) =>
  refuseViolations({
    schema: schema === null ? undefined : inputSchemaObject.parse(schema),
    value,
    pointer: "/payload",
    code: "payload_invalid",
    what: "no",
    work: openWork(),
    ...part,
  })?.refusal ?? null;

test("where nothing is declared, and where it fits, nothing is refused", () => {
  expect(refused(null, 1)).toBeNull();
  expect(refused({ type: "number" }, 1)).toBeNull();
});

test("every violation is listed with its pointer, and the first is in the message", () => {
  const schema = { properties: { a: { type: "number" }, b: { type: "number", description: "In cents." } } };
  expect(refused(schema, { a: "x", b: "y" })).toEqual({
    code: "payload_invalid",
    message: naming("no", "/payload/a", "number", "string"),
    hint: expect.any(String),
    errors: [
      { pointer: "/payload/a", code: "invalid_type", message: naming("number", "string") },
      { pointer: "/payload/b", code: "invalid_type", message: naming("number", "string"), hint: "In cents." },
    ],
  });
  expect(refused(schema, { b: "y" })).toMatchObject({ hint: naming("In cents.") });
});

test("what costs more than a step may is refused as that, and what nests too deep as what it is", () => {
  const work = { left: 2, used: 0, pauses: null, hasSpare: true };
  expect(refused({ items: { type: "number" } }, [1, 2], { work })).toMatchObject({ code: "rule_too_costly" });
  const deep = Array.from({ length: 500 }).reduce<Json>((inner) => [inner], []);
  expect(refused({ items: { $ref: "#" } }, deep)).toMatchObject({
    code: "payload_invalid",
    message: naming("no", 400),
  });
});
