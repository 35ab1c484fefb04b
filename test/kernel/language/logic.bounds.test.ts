import { RULE_STEPS_MAX } from "#schema/limits/executions.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { evaluate, ruleFindings, truthy } from "#kernel/language/logic.ts";
import { operators } from "#kernel/language/operators.ts";
import type { JsonObject, Rule } from "#schema/json.ts";
import { naming } from "#test/support/matchers/naming.ts";

const scope = JSON.parse(`{
  "execution": { "id": "exe_1", "variables": {
    "name": "Ada", "nothing": null, "empty": "", "list": [1, 2, 3], "people": [{ "age": 30 }, { "age": 50 }],
    "same": [1, 2, 3], "a.b": "dotted", "o": { "x": [1] }, "p": { "x": [1] }, "q": { "y": [1] }, "pair": [1, "1"],
    "constructor": { "constructor": "own" }, "__proto__": { "polluted": true }
  } },
  "message": null,
  "now": "2026-03-28T10:00:00.000Z"
}`) as JsonObject;

const variable = (name: string) => ({ var: `execution.variables.${name}` });

describe("prototypes are out of reach", () => {
  test.each<[Rule]>([
    [{ var: "constructor" }],
    [{ var: "constructor.constructor" }],
    [{ var: "__proto__" }],
    [{ var: "execution.__proto__.toString" }],
    [{ var: "toString" }],
    [{ var: "execution.id.constructor" }],
    [variable("list.map")],
    [variable("list.constructor")],
    [variable("constructor.constructor")],
    [variable("__proto__.polluted")],
    [{ var: { cat: ["const", "ructor"] } }],
    [{ var: [{ cat: ["__pro", "to__"] }] }],
    [{ reduce: [[1], { var: "../constructor" }, 0] }],
  ])("%j is nothing", (rule) => {
    expect(evaluate(rule, scope)).toEqual({ ok: true, value: null });
  });
});

describe("cost is bounded, and the same everywhere", () => {
  const many = { list: Array.from({ length: 3_000 }, (_, index) => index), text: "x".repeat(60_000) };
  const outer = (levels: number) => ({ var: `${"../../".repeat(levels)}list` });
  const long = "y".repeat(60_000);
  const doubling = { merge: [[{ var: "accumulator" }], [{ var: "accumulator" }]] };
  test.each<[string, Rule]>([
    ["nested iterations", { map: [outer(0), { map: [outer(1), { map: [outer(2), 1] }] }] }],
    ["nested iterations over literals", { map: [outer(0), { some: [outer(1), false] }] }],
    ["a tree that doubles", { reduce: [Array.from({ length: 100 }, () => 1), doubling, [1]] }],
    [
      "a text that doubles",
      { reduce: [{ var: "list" }, { cat: [{ var: "accumulator" }, { var: "accumulator" }] }, "xx"] },
    ],
    ["a long text read again and again", { map: [{ var: "list" }, { in: ["y", { var: "../../text" }] }] }],
    [
      "a long item read again and again",
      { map: [{ var: "list" }, { map: [["9".repeat(60_000)], { "<": [{ var: "" }, 1] }] }] },
    ],
    ["a long literal read again and again", { map: [{ var: "list" }, { in: ["x", long] }] }],
    ["a long literal turned into a number", { map: [{ var: "list" }, { "+": ["1".repeat(60_000), 1] }] }],
    [
      "long lists compared",
      { map: [{ var: "list" }, { "==": [{ var: "../../list" }, { merge: [{ var: "../../list" }] }] }] },
    ],
  ])("%s", (_what, rule) => {
    expect(evaluate(rule, many)).toEqual({ ok: false, code: "steps_exceeded", message: naming(RULE_STEPS_MAX) });
  });
});

test("every operator is described in a sentence", () => {
  expect(Object.values(operators).filter(({ about }) => !/^[A-Z].*\.$/.test(about))).toEqual([]);
});

describe("whatever the rule", () => {
  const names = [...Object.keys(operators), "constructor", "__proto__", "valueOf", "log"];
  const paths = [
    "",
    "a",
    "a.b",
    "constructor",
    "__proto__.x",
    "../",
    "../../a",
    "list",
    "list.0.constructor",
    "toString",
  ];
  const { rule } = fc.letrec<{ rule: Rule }>((tie) => ({
    rule: fc.oneof(
      { maxDepth: 5, depthSize: "medium" },
      fc.oneof(fc.constantFrom<Rule>(...paths, null, 0, 1, -1, 1e308, true, "P1D", "2026-01-01"), fc.string()),
      fc.array(tie("rule"), { maxLength: 4 }),
      fc
        .tuple(fc.constantFrom(...names), fc.array(tie("rule"), { maxLength: 4 }))
        .map(([name, args]) => ({ [name]: args })),
      fc.tuple(fc.constantFrom(...names), tie("rule")).map(([name, arg]) => ({ [name]: arg })),
      fc.tuple(fc.constantFrom(...paths), tie("rule")).map(([path, instead]) => ({ var: [path, instead] })),
    ),
  }));
  const data = { a: { b: 1 }, list: [[1], [2]], constructor: { name: "x" } };

  test("it gives JSON or a sentence, the same each time, and changes nothing", () => {
    fc.assert(
      fc.property(rule, (each) => {
        const before = JSON.stringify([each, data]);
        const result = evaluate(each, data);
        expect(result).toEqual(evaluate(each, data));
        expect(JSON.parse(JSON.stringify(result))).toEqual(result);
        expect(JSON.stringify([each, data])).toBe(before);
        expect(truthy({ "!!": [each] }, data).ok).toBeTypeOf("boolean");
        ruleFindings(each, "");
      }),
      { numRuns: 2_000 },
    );
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});
