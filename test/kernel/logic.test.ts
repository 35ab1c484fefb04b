import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LOGIC_STEPS_MAX, evaluate, ruleFindings, truthy } from "#kernel/logic.ts";
import { operators } from "#kernel/operators.ts";
import type { Json, JsonObject, Rule } from "#schema/json.ts";
import { limits } from "#schema/limits.ts";

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

describe("a rule comes to a value", () => {
  test.each<[Rule, Json]>([
    // literals
    [5, 5],
    ["text", "text"],
    [null, null],
    [[1, { "+": [1, 1] }], [1, 2]],
    [{}, {}],
    [{ preserve: { a: 1, b: [{ c: 2 }] } }, { a: 1, b: [{ c: 2 }] }],
    [{ eachKey: { who: variable("name"), tier: "gold" } }, { who: "Ada", tier: "gold" }],
    // paths
    [{ var: "execution.id" }, "exe_1"],
    [{ var: ["execution.id"] }, "exe_1"],
    [variable("list.1"), 2],
    [variable("list.length"), 3],
    [variable("name.length"), null],
    [variable("nope"), null],
    [variable("nope.deeper"), null],
    [{ var: "message.payload.id" }, null],
    [{ var: ["execution.variables.nope", "instead"] }, "instead"],
    [{ var: ["execution.variables.nothing", "instead"] }, null],
    [variable("a\\.b"), "dotted"],
    [{ map: [["x"], { var: "" }] }, ["x"]],
    [{ map: [["x"], { var: [] }] }, ["x"]],
    [{ map: [["x"], { var: null }] }, ["x"]],
    [{ map: [[[7, 8]], { var: 1 }] }, [8]],
    [{ map: [["x", "y"], { var: "../index" }] }, [0, 1]],
    [{ map: [["x"], { var: "../../execution.id" }] }, ["exe_1"]],
    [{ map: [["x"], { map: [["y"], { var: "../../../../execution.id" }] }] }, [["exe_1"]]],
    [{ map: [["x"], { var: "../../../../../nowhere" }] }, [null]],
    [{ var: "../outside" }, null],
    [{ exists: "execution.variables.nothing" }, true],
    [{ exists: "execution.variables.nope" }, false],
    [{ missing: ["now", "execution.variables.nope", "execution.variables.nothing"] }, ["execution.variables.nope", "execution.variables.nothing"]],
    [{ missing: [["execution.variables.empty"]] }, ["execution.variables.empty"]],
    [{ missing_some: [1, ["now", "nope"]] }, []],
    [{ missing_some: [2, ["now", "nope"]] }, ["nope"]],
    // choices
    [{ if: [false, 1, true, 2, 3] }, 2],
    [{ if: [false, 1] }, null],
    [{ "?:": [true, 1, 2] }, 1],
    [{ and: [1, "", 2] }, ""],
    [{ or: [0, "x"] }, "x"],
    [{ "??": [null, variable("nope"), 0] }, 0],
    [{ "!": [[]] }, true],
    [{ "!!": ["0"] }, true],
    [{ "!!": [{ preserve: {} }] }, false],
    // equality
    [{ "==": [1, "1"] }, true],
    [{ "==": [1, true] }, true],
    [{ "==": [null, 0] }, false],
    [{ "==": [null, null] }, true],
    [{ "==": ["Ada", 5] }, false],
    [{ "==": [1, "1", true] }, true],
    [{ "==": [1, 1, 2] }, false],
    [{ "==": [[1], 1] }, false],
    [{ "==": variable("pair") }, true],
    [{ "==": [variable("list"), variable("same")] }, true],
    [{ "==": [variable("o"), variable("p")] }, true],
    [{ "==": [variable("o"), variable("q")] }, false],
    [{ "==": [variable("o"), { preserve: { x: [1], z: 1 } }] }, false],
    [{ "==": [variable("o"), variable("list")] }, false],
    [{ "==": [[1, 2], [1, 3]] }, false],
    [{ "==": [[1], [1, 2]] }, false],
    [{ "!=": [1, 2] }, true],
    [{ "!=": [1, "1"] }, false],
    [{ "===": [1, "1"] }, false],
    [{ "===": [1, 1] }, true],
    [{ "!==": [1, "1"] }, true],
    [{ "!==": [1, 1] }, false],
    // order and numbers
    [{ "<": [1, 2, 3] }, true],
    [{ "<": ["a", "b"] }, true],
    [{ "<=": [2, 2] }, true],
    [{ ">": [1, 2] }, false],
    [{ ">=": ["10", 9] }, true],
    [{ "+": [1, "2", 3] }, 6],
    [{ "+": ["7"] }, 7],
    [{ "+": "7" }, 7],
    [{ "-": [5, 2] }, 3],
    [{ "*": [2, 3] }, 6],
    [{ "/": [9, 2] }, 4.5],
    [{ "%": [9, 2] }, 1],
    [{ min: [3, 1, 2] }, 1],
    [{ max: [3, 1, 2] }, 3],
    // texts
    [{ cat: ["a", 1, null, true] }, "a1true"],
    [{ cat: [] }, ""],
    [{ substr: ["escapement", 0, 6] }, "escape"],
    [{ in: ["cap", "escapement"] }, true],
    [{ in: [5, "escapement"] }, false],
    [{ in: [2, variable("list")] }, true],
    [{ in: ["2", variable("list")] }, false],
    [{ in: [2, variable("nope")] }, false],
    [{ length: variable("list") }, 3],
    [{ length: "abc" }, 3],
    // lists
    [{ merge: [[1], 2, [3, 4]] }, [1, 2, 3, 4]],
    [{ map: [variable("people"), { var: "age" }] }, [30, 50]],
    [{ map: [[1, 2]] }, [null, null]],
    [{ filter: [variable("list"), { ">": [{ var: "" }, 1] }] }, [2, 3]],
    [{ all: [variable("list"), { ">": [{ var: "" }, 0] }] }, true],
    [{ all: [[], true] }, false],
    [{ some: [variable("list"), { ">": [{ var: "" }, 2] }] }, true],
    [{ none: [variable("list"), { ">": [{ var: "" }, 5] }] }, true],
    [{ reduce: [variable("list"), { "+": [{ var: "accumulator" }, { var: "current" }] }, 10] }, 16],
    [{ reduce: [variable("people"), { merge: [{ var: "accumulator" }, [{ var: "current" }]] }, []] }, [{ age: 30 }, { age: 50 }]],
    // time
    [{ date: { var: "now" } }, Date.parse("2026-03-28T10:00:00Z")],
    [{ date: 5 }, 5],
    [{ date: null }, null],
    [{ date: ["2026-03-28", "Europe/Zurich"] }, Date.parse("2026-03-27T23:00:00Z")],
    [{ duration: "PT90M" }, 5_400_000],
    [{ "<": [{ "-": [{ date: "2026-03-30" }, { date: { var: "now" } }] }, { duration: "P2D" }] }, true],
  ])("%j is %j", (rule, value) => {
    expect(evaluate(rule, scope)).toEqual({ ok: true, value });
  });
});

describe("what counts as true", () => {
  test.each<[Rule, boolean]>([
    [true, true],
    [false, false],
    [0, false],
    [-1, true],
    [[], false],
    [[0], true],
    [{ preserve: {} }, false],
    [{ preserve: { a: 0 } }, true],
    [{ var: "nope" }, false],
    [{ "==": [variable("name"), "Ada"] }, true],
    ['{ "==": [{ "var": "execution.variables.name" }, "Ada"] }', true],
    ["false", false],
  ])("%j: %s", (condition, value) => {
    expect(truthy(condition, scope)).toEqual({ ok: true, value });
  });

  test("a condition that is a text without a rule in it is an error, not true", () => {
    const message = "the condition is a text, but not one that holds a JSON rule";
    expect(truthy("isPaid", scope)).toEqual({ ok: false, message });
  });
});

describe("a rule that cannot be evaluated says why", () => {
  const noNumber = "the rule calculates with, or compares, something that is not a number";
  const noOperand = "the rule gives an operator something it cannot work with";
  const unknown = (name: string) => `the rule has an object that is not one known operator (${name})`;
  test.each<[Rule, string]>([
    [{ "+": [1, "x"] }, noNumber],
    [{ "/": [1, 0] }, noNumber],
    [{ "<": ["x", 5] }, noNumber],
    [{ "*": [1e308, 1e308] }, "the rule comes to a number that is not finite"],
    [{ substr: [5, 1] }, noOperand],
    [{ map: ["text", 1] }, noOperand],
    [{ and: true }, noOperand],
    [{ nope: 1 }, unknown("nope")],
    [{ a: 1, b: 2 }, unknown("a")],
    [{ var: true }, "a path is a text, such as message.payload.id"],
    [{ missing_some: ["1", "now"] }, "missing_some takes a number and a list of paths"],
    [{ "==": [1] }, "a comparison takes two values"],
    [{ cat: [[1]] }, "cat joins texts and numbers, not lists and objects"],
    [{ date: "soon" }, 'date takes an ISO date, a date-time or epoch milliseconds, not "soon"'],
    [{ date: [[1]] }, "date takes an ISO date, a date-time or epoch milliseconds, not a list or an object"],
    [{ duration: "P1M" }, 'duration takes an ISO 8601 duration without years and months, not "P1M"'],
    [{ duration: { preserve: { a: 1 } } }, "duration takes an ISO 8601 duration without years and months, not a list or an object"],
    ...["log", "method", "throw", "try", "pipe", "get", "val", "each"].map((name): [Rule, string] => [{ [name]: [1] }, unknown(name)]),
    ...["valueOf", "toString", "constructor", "hasOwnProperty", "__defineGetter__", "__lookupGetter__"].map(
      (name): [Rule, string] => [{ [name]: ["x"] }, unknown(name)],
    ),
    [JSON.parse('{"__proto__": [1]}') as Rule, unknown("__proto__")],
  ])("%j", (rule, message) => {
    expect(evaluate(rule, scope)).toEqual({ ok: false, message });
    expect(truthy({ "!!": [rule] }, scope).ok || message.includes("finite")).toBe(message.includes("finite"));
  });

  test("a rule nested too deep for the engine is an error", () => {
    const deep = Array.from({ length: 100_000 }).reduce<Rule>((inner) => ({ "!": [inner] }), true);
    expect(evaluate(deep, scope)).toEqual({ ok: false, message: noOperand });
  });
});

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
    [{ map: [[1], { var: "../constructor" }] }],
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
    ["a tree that doubles", { reduce: [{ var: "list" }, doubling, [1]] }],
    ["a text that doubles", { reduce: [{ var: "list" }, { cat: [{ var: "accumulator" }, { var: "accumulator" }] }, "xx"] }],
    ["a long text read again and again", { map: [{ var: "list" }, { in: ["y", { var: "../../text" }] }] }],
    ["a long literal read again and again", { map: [{ var: "list" }, { in: ["x", long] }] }],
    ["a long literal turned into a number", { map: [{ var: "list" }, { "+": ["1".repeat(60_000), 1] }] }],
    ["long lists compared", { map: [{ var: "list" }, { "==": [{ var: "../../list" }, { merge: [{ var: "../../list" }] }] }] }],
  ])("%s", (_what, rule) => {
    expect(evaluate(rule, many)).toEqual({ ok: false, message: `the rule takes more than ${LOGIC_STEPS_MAX} steps` });
  });
});

describe("findings before a rule runs", () => {
  const nested = (levels: number) => Array.from({ length: levels }).reduce<Rule>((inner) => ({ "!": [inner] }), true);
  test.each<[string, Rule, string, string]>([
    ["an unknown operator", { and: [{ vra: "x" }] }, "/guard/and/0", 'unknown operator "vra"; did you mean "var"?'],
    ["an operator like no other", { frobnicate: 1 }, "/guard", 'unknown operator "frobnicate"'],
    ["a name of the language", { constructor: 1 }, "/guard", 'unknown operator "constructor"'],
    ["two operators in one", { var: "x", cat: [] }, "/guard", "an object in a rule has one field, its operator; this one has 2; wrap a literal object in {\"preserve\": …}"],
    ["too few operands", { "==": [1] }, "/guard/==", "== takes 2 or more operands; here are 1"],
    ["one operand where a list is due", { "<": { var: "x" } }, "/guard/<", "< takes 2 or more operands; here are 1"],
    ["too many operands", { in: [1, 2, 3] }, "/guard/in", "in takes 2 operands; here are 3"],
    ["operands between two numbers", { reduce: [1] }, "/guard/reduce", "reduce takes 2 to 3 operands; here are 1"],
    ["a forbidden name", { var: "a.constructor.b" }, "/guard/var", '"constructor" is not a name that data may have'],
    ["a forbidden name in a list", { missing: ["ok", "a.__proto__"] }, "/guard/missing", '"__proto__" is not a name that data may have'],
    ["fields that are no object", { eachKey: [1] }, "/guard/eachKey", "eachKey takes an object whose fields are rules"],
    ["a field with a slash", { eachKey: { "a/b~c": { nope: 1 } } }, "/guard/eachKey/a~1b~0c", 'unknown operator "nope"; did you mean "none"?'],
    ["too deep", nested(40), `/guard${"/!/0".repeat(33)}`, "the rule is nested more than 32 deep (logicDepthMax)"],
    ["lists too deep", JSON.parse("[".repeat(40) + "]".repeat(40)) as Rule, `/guard${"/0".repeat(33)}`, "the rule is nested more than 32 deep (logicDepthMax)"],
    ["too big", { cat: Array.from({ length: limits.logicNodesMax }, () => 1) }, "/guard", "the rule has more than 2000 parts (logicNodesMax)"],
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
    expect(ruleFindings('{"vra":1}', "/c", "condition")).toMatchObject([{ code: "rule_operator_unknown", pointer: "/c" }]);
    expect(ruleFindings({ vra: 1 }, "/c", "condition")).toMatchObject([{ code: "rule_operator_unknown", pointer: "/c" }]);
  });

  test("a condition that is another text is wrong", () => {
    const message = "a condition is a rule, or a text that holds one as JSON";
    expect(ruleFindings("isPaid", "/c", "condition")).toEqual([{ pointer: "/c", code: "rule_shape", message }]);
  });
});

test("every operator is described in a sentence", () => {
  expect(Object.values(operators).filter(({ about }) => !/^[A-Z].*\.$/.test(about))).toEqual([]);
});

describe("whatever the rule", () => {
  const names = [...Object.keys(operators), "constructor", "__proto__", "valueOf", "log"];
  const paths = ["", "a", "a.b", "constructor", "__proto__.x", "../", "../../a", "list", "list.0.constructor", "toString"];
  const { rule } = fc.letrec<{ rule: Rule }>((tie) => ({
    rule: fc.oneof(
      { maxDepth: 5, depthSize: "medium" },
      fc.oneof(fc.constantFrom<Rule>(...paths, null, 0, 1, -1, 1e308, true, "P1D", "2026-01-01"), fc.string()),
      fc.array(tie("rule"), { maxLength: 4 }),
      fc.tuple(fc.constantFrom(...names), fc.array(tie("rule"), { maxLength: 4 })).map(([name, args]) => ({ [name]: args })),
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
