import { describe, expect, test } from "vitest";
import { ruleFindings } from "#kernel/language/logic.ts";
import type { Rule } from "#schema/json.ts";
import { limits } from "#schema/limits.ts";

describe("findings before a rule runs", () => {
  const nested = (levels: number) => Array.from({ length: levels }).reduce<Rule>((inner) => ({ "!": [inner] }), true);
  test.each<[string, Rule, string, string]>([
    ["an unknown operator", { and: [{ vra: "x" }] }, "/guard/and/0", 'unknown operator "vra"; did you mean "var"?'],
    ["an operator like no other", { frobnicate: 1 }, "/guard", 'unknown operator "frobnicate"'],
    ["a name of the language", { constructor: 1 }, "/guard", 'unknown operator "constructor"'],
    [
      "two operators in one",
      { var: "x", cat: [] },
      "/guard",
      'an object in a rule has one field, its operator; this one has 2; wrap a literal object in {"preserve": …}',
    ],
    ["too few operands", { "==": [1] }, "/guard/==", "== takes 2 or more operands; here are 1"],
    ["one operand where a list is due", { "<": { var: "x" } }, "/guard/<", "< takes 2 or more operands; here are 1"],
    ["too many operands", { in: [1, 2, 3] }, "/guard/in", "in takes 2 operands; here are 3"],
    ["operands between two numbers", { reduce: [1] }, "/guard/reduce", "reduce takes 2 to 3 operands; here are 1"],
    ["a forbidden name", { var: "a.constructor.b" }, "/guard/var", '"constructor" is not a name that data may have'],
    [
      "a forbidden name in a list",
      { missing: ["ok", "a.__proto__"] },
      "/guard/missing",
      '"__proto__" is not a name that data may have',
    ],
    ["fields that are no object", { eachKey: [1] }, "/guard/eachKey", "eachKey takes an object whose fields are rules"],
    [
      "a field with a slash",
      { eachKey: { "a/b~c": { nope: 1 } } },
      "/guard/eachKey/a~1b~0c",
      'unknown operator "nope"; did you mean "none"?',
    ],
    ["too deep", nested(40), `/guard${"/!/0".repeat(33)}`, "the rule is nested more than 32 deep (logicDepthMax)"],
    [
      "lists too deep",
      JSON.parse("[".repeat(40) + "]".repeat(40)) as Rule,
      `/guard${"/0".repeat(33)}`,
      "the rule is nested more than 32 deep (logicDepthMax)",
    ],
    [
      "too big",
      { cat: Array.from({ length: limits.logicNodesMax }, () => 1) },
      "/guard",
      "the rule has more than 2000 parts (logicNodesMax)",
    ],
  ])("%s", (_what, rule, pointer, message) => {
    const found = ruleFindings(rule, "/guard").map((each) => ({
      pointer: each.pointer,
      message: each.hint === undefined ? each.message : `${each.message}; ${each.hint}`,
    }));
    expect(found).toEqual([{ pointer, message }]);
  });

  test.each<[Rule]>([
    [true],
    ["a text"],
    [[1, { var: "x" }]],
    [{}],
    [{ var: "a" }],
    [{ "==": { var: "pair" } }],
    [{ preserve: { constructor: { a: 1, b: 2 } } }],
    [{ eachKey: { a: { var: "b" } } }],
    [nested(limits.logicDepthMax)],
  ])("nothing is wrong with %j", (rule) => {
    expect(ruleFindings(rule, "")).toEqual([]);
  });

  test("a condition may be a text that holds a rule", () => {
    expect(ruleFindings('{"vra":1}', "/c", "condition")).toMatchObject([
      { code: "rule_operator_unknown", pointer: "/c" },
    ]);
    expect(ruleFindings({ vra: 1 }, "/c", "condition")).toMatchObject([
      { code: "rule_operator_unknown", pointer: "/c" },
    ]);
  });

  test("a condition that is another text is wrong", () => {
    const message = "a condition is a rule, or a text that holds one as JSON";
    expect(ruleFindings("isPaid", "/c", "condition")).toEqual([{ pointer: "/c", code: "rule_shape", message }]);
  });
});
