import { expect, test } from "vitest";
import { bareOrderings } from "#kernel/language/orderings.ts";
import type { Rule } from "#schema/json.ts";

const amount = { var: "message.payload.amount" };
const asked = (rule: Rule) => bareOrderings(rule, "").map(({ path, pointer }) => `${path} ${pointer}`);

test.each<[string, Rule, readonly string[]]>([
  ["an ordering", { "<=": [amount, 100] }, ["message.payload.amount /<=/0"]],
  ["on the right", { ">": [100, { var: ["a.b"] }] }, ["a.b />/1"]],
  ["between", { "<": [1, amount, { var: "b" }] }, ["message.payload.amount /</1", "b /</2"]],
  ["deep inside", { if: [{ "!": { ">=": [amount, 1] } }, 1, 2] }, ["message.payload.amount /if/0/!/>=/0"]],
  ["in a list", [{ "<": [amount, 1] }], ["message.payload.amount /0/</0"]],
  ["as a text", JSON.stringify({ "<=": [amount, 100] }), ["message.payload.amount /<=/0"]],
  ["with nothing standing in", { "<=": [{ var: ["a", null] }, 100] }, ["a /<=/0"]],
  ["with something standing in", { "<=": [{ var: ["a", 0] }, 100] }, []],
  ["that exists", { and: [{ exists: "message.payload.amount" }, { "<=": [amount, 100] }] }, []],
  ["that is not missing", { and: [{ "!": { missing: ["message.payload.amount"] } }, { "<=": [amount, 1] }] }, []],
  ["not missing in a list", { and: [{ "!": { missing_some: [1, ["a"]] } }, { "<=": [{ var: "a" }, 1] }] }, []],
  ["that was asked for", { and: [amount, { "<=": [amount, 100] }] }, []],
  ["that is not null", { and: [{ "!=": [amount, null] }, { "<=": [amount, 100] }] }, []],
  [
    "of another that was asked for",
    { and: [{ exists: "b" }, { "<=": [amount, 1] }] },
    ["message.payload.amount /and/1/<=/0"],
  ],
  ["of items", { some: [{ var: "list" }, { ">": [{ var: "price" }, 5] }] }, []],
  [
    "before its items",
    { some: [{ if: [{ ">": [amount, 5] }, [], []] }, true] },
    ["message.payload.amount /some/0/if/0/>/0"],
  ],
  ["of a literal", { preserve: { "<": [amount, 1] } }, []],
  ["of a computed path", { "<": [{ var: { cat: ["a", "b"] } }, 1] }, []],
  ["of no path", { "<": [{ var: [] }, { var: [1] }] }, []],
  ["of numbers", { "<": [1, 2] }, []],
  ["a text that is no rule", "{", []],
])("%s", (_what, rule, found) => {
  expect(asked(rule)).toEqual(found);
});
