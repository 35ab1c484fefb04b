import { expect, test } from "vitest";
import { childInputWarnings } from "#kernel/verify/declared/child-input.ts";
import { declaredSchema } from "#schema/definition/declared.ts";
import type { Json } from "#schema/json.ts";

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
  childInputWarnings(declaredSchema.parse(schema), variables, { where: "/actions/0/config", of: "refund" }).map(
    ({ pointer, message, fix }) => `${pointer}: ${message}. ${fix}`,
  );
const place = "/actions/0/config";
const refused = "refund would refuse these variables";
const give = "Give what refund declares as its input.";

test.each<[string, Json | undefined, readonly string[]]>([
  ["all that is asked for", { amount: 5, to: { "e/mail": "a" } }, []],
  [
    "what is rendered",
    { amount: "{{ execution.variables.n }}", to: "{% if now %}x{% endif %}", either: ["{{ now }}"] },
    [],
  ],
  ["nothing", undefined, [`${place}: ${refused}: amount is missing (integer expected). In cents. ${give}`]],
  ["an empty object", {}, [`${place}/variables: ${refused}: amount is missing (integer expected). In cents. ${give}`]],
  ["a text altogether", "x", []],
  [
    "a misspelt one, whatever it is",
    { amuont: "{{ now }}", amount: 5 },
    [`${place}/variables/amuont: ${refused}: amuont is not declared here. Did you mean amount? ${give}`],
  ],
  [
    "what is written out and wrong",
    { amount: "5", to: {} },
    [
      `${place}/variables/amount: ${refused}: amount expected integer, here is string. In cents. ${give}`,
      `${place}/variables/to: ${refused}: to.e~1mail is missing (string expected). ${give}`,
    ],
  ],
])("given %s", (_what, variables, said) => {
  expect(told(variables)).toEqual(said);
});

test("of too much, or of none of several, the whole is told", () => {
  const one = { oneOf: [{ required: ["a"] }, { required: ["b"] }] };
  expect(told({}, one)).toEqual([`${place}/variables: ${refused}: this fits none of the 2 that it may be. ${give}`]);
  expect(told(undefined, one)).toEqual([`${place}: ${refused}: this fits none of the 2 that it may be. ${give}`]);
  expect(told({ c: "{{ now }}" }, one)).toEqual([]);
});

test("what costs too much to look at is left to the run", () => {
  expect(told({ s: "a".repeat(60_000) }, { properties: { s: { pattern: "^(.*a){150}!$" } } })).toEqual([]);
});
