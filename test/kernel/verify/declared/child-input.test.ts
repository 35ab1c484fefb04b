import { expect, test } from "vitest";
import { childInputWarnings } from "#kernel/verify/declared/child-input.ts";
import { inputSchemaObject } from "#schema/definition/input-schema.ts";
import type { Json } from "#schema/json.ts";
import { naming } from "#test/support/matchers/naming.ts";

const input = {
  properties: {
    amount: { type: "integer", description: "In cents." },
    to: { type: "object", properties: { "e/mail": { type: "string" } }, required: ["e/mail"] },
    either: { anyOf: [{ type: "number" }, { type: "null" }] },
  },
  required: ["amount"],
  additionalProperties: false,
  maxProperties: 3,
};
const told = (variables: Json | undefined, schema: object = input) =>
  childInputWarnings(inputSchemaObject.parse(schema), variables, { where: "/actions/0/config", of: "refund" }).map(
    ({ pointer, message, fix }) => `${pointer}: ${message} ${fix}`,
  );
const place = "/actions/0/config";

test.each<[string, Json | undefined, readonly string[]]>([
  ["all that is asked for", { amount: 5, to: { "e/mail": "a" } }, []],
  [
    "what is rendered",
    { amount: "{{ execution.variables.n }}", to: "{% if now %}x{% endif %}", either: ["{{ now }}"] },
    [],
  ],
  ["nothing", undefined, [naming(`${place}:`, "refund", "amount", "integer", "In cents.")]],
  ["an empty object", {}, [naming(`${place}/variables:`, "refund", "amount", "integer", "In cents.")]],
  ["a text altogether", "x", []],
  [
    "a misspelt one, whatever it is",
    { amuont: "{{ now }}", amount: 5 },
    [naming(`${place}/variables/amuont:`, "refund", "amuont", "amount")],
  ],
  [
    "what is written out and wrong",
    { amount: "5", to: {} },
    [
      naming(`${place}/variables/amount:`, "refund", "amount", "integer", "string", "In cents."),
      naming(`${place}/variables/to:`, "refund", "to.e~1mail", "string"),
    ],
  ],
])("given %s", (_what, variables, said) => {
  expect(told(variables)).toEqual(said);
});

test("with too many violations, or with none of several alternatives, the whole value is named", () => {
  const one = { oneOf: [{ required: ["a"] }, { required: ["b"] }] };
  expect(told({}, one)).toEqual([naming(`${place}/variables:`, "refund", 2)]);
  expect(told(undefined, one)).toEqual([naming(`${place}:`, "refund", 2)]);
  expect(told({ c: "{{ now }}" }, one)).toEqual([]);
});

test("a check that costs too much is left to run time", () => {
  expect(told({ s: "a".repeat(60_000) }, { properties: { s: { pattern: "^(.*a){150}!$" } } })).toEqual([]);
});
