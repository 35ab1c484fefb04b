import { describe, expect, test } from "vitest";
import { ruleFindings } from "#kernel/language/logic.ts";
import type { Rule } from "#schema/json.ts";
import { RULE_DEPTH_MAX, RULE_NODES_MAX } from "#schema/limits/definition-sizes.ts";
import { naming } from "#test/support/matchers/naming.ts";

describe("findings before a rule runs", () => {
  const nested = (levels: number) => Array.from({ length: levels }).reduce<Rule>((inner) => ({ "!": [inner] }), true);
  test.each<[string, Rule, string, string, ...(string | number)[]]>([
    ["an unknown operator", { and: [{ vra: "x" }] }, "/guard/and/0", "rule_operator_unknown", '"vra"', '"var"'],
    ["an operator like no other", { frobnicate: 1 }, "/guard", "rule_operator_unknown", '"frobnicate"'],
    ["a name of the language", { constructor: 1 }, "/guard", "rule_operator_unknown", '"constructor"'],
    ["two operators in one", { var: "x", cat: [] }, "/guard", "rule_shape", 2, '{"preserve": …}'],
    ["too few operands", { "==": [1] }, "/guard/==", "rule_shape", "==", 2, 1],
    ["one operand where a list is due", { "<": { var: "x" } }, "/guard/<", "rule_shape", "<", 2, 1],
    ["too many operands", { in: [1, 2, 3] }, "/guard/in", "rule_shape", "in", 2, 3],
    ["operands between two numbers", { reduce: [1] }, "/guard/reduce", "rule_shape", "reduce", 2, 3, 1],
    ["a forbidden name", { var: "a.constructor.b" }, "/guard/var", "rule_path_forbidden", '"constructor"'],
    [
      "a forbidden name in a list",
      { missing: ["ok", "a.__proto__"] },
      "/guard/missing",
      "rule_path_forbidden",
      '"__proto__"',
    ],
    ["fields that are no object", { eachKey: [1] }, "/guard/eachKey", "rule_shape", "eachKey"],
    [
      "a field with a slash",
      { eachKey: { "a/b~c": { nope: 1 } } },
      "/guard/eachKey/a~1b~0c",
      "rule_operator_unknown",
      '"nope"',
      '"none"',
    ],
    ["too deep", nested(40), `/guard${"/!/0".repeat(33)}`, "rule_too_deep", 32, "RULE_DEPTH_MAX"],
    [
      "lists too deep",
      JSON.parse("[".repeat(40) + "]".repeat(40)) as Rule,
      `/guard${"/0".repeat(33)}`,
      "rule_too_deep",
      32,
      "RULE_DEPTH_MAX",
    ],
    [
      "too big",
      { cat: Array.from({ length: RULE_NODES_MAX }, () => 1) },
      "/guard",
      "rule_too_big",
      2000,
      "RULE_NODES_MAX",
    ],
  ])("%s", (_what, rule, pointer, code, ...named) => {
    const found = ruleFindings(rule, "/guard").map((each) => ({
      ...each,
      message: [each.message, each.hint].join("; "),
    }));
    expect(found).toEqual([expect.objectContaining({ pointer, code, message: naming(...named) })]);
  });

  test.each([{ vra: 1 }, { var: "x", cat: [] }, { frobnicate: 1 }])(
    "%j: what to do is a hint, where it is known",
    (rule) => {
      const [found] = ruleFindings(rule, "");
      expect(found?.hint === undefined).toBe("frobnicate" in rule);
    },
  );

  test.each<[Rule]>([
    [true],
    ["a text"],
    [[1, { var: "x" }]],
    [{}],
    [{ var: "a" }],
    [{ "==": { var: "pair" } }],
    [{ preserve: { constructor: { a: 1, b: 2 } } }],
    [{ eachKey: { a: { var: "b" } } }],
    [nested(RULE_DEPTH_MAX)],
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
    const message = expect.any(String) as string; // a matcher in a field of type text
    expect(ruleFindings("isPaid", "/c", "condition")).toEqual([{ pointer: "/c", code: "rule_shape", message }]);
  });
});
