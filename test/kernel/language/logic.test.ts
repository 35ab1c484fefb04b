import { describe, expect, test } from "vitest";
import { evaluate, truthy } from "#kernel/language/logic.ts";
import type { Json, JsonObject, Rule } from "#schema/json.ts";
import { naming } from "#test/support/matchers/naming.ts";
import type { FaultCode } from "#kernel/computing/fault.ts";
import { RULE_VALUE_DEPTH_MAX } from "#schema/limits/definition-sizes.ts";

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

describe("a rule gives a value", () => {
  test.each<[Rule, Json]>([
    // literals
    [5, 5],
    ["text", "text"],
    [null, null],
    [
      [1, { "+": [1, 1] }],
      [1, 2],
    ],
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
    [
      { missing: ["now", "execution.variables.nope", "execution.variables.nothing"] },
      ["execution.variables.nope", "execution.variables.nothing"],
    ],
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
    [
      {
        "==": [
          [1, 2],
          [1, 3],
        ],
      },
      false,
    ],
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
    [{ "-": [0] }, 0],
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
    [
      { reduce: [variable("people"), { merge: [{ var: "accumulator" }, [{ var: "current" }]] }, []] },
      [{ age: 30 }, { age: 50 }],
    ],
    // time
    [{ date: { var: "now" } }, Date.parse("2026-03-28T10:00:00Z")],
    [{ date: 5 }, 5],
    [{ date: null }, null],
    [{ date: ["2026-03-28", "Europe/Zurich"] }, Date.parse("2026-03-27T23:00:00Z")],
    [{ date: ["2026-10-25T02:30:00", "Europe/Zurich", "earlier"] }, Date.parse("2026-10-25T00:30:00Z")],
    [{ date: ["2026-10-25T02:30:00", "Europe/Zurich", "later"] }, Date.parse("2026-10-25T01:30:00Z")],
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
    expect(truthy("isPaid", scope)).toMatchObject({ ok: false, code: "condition_invalid" });
  });
});

describe("a rule that cannot be evaluated says why", () => {
  test.each<[Rule, FaultCode, ...(string | number)[]]>([
    [{ "+": [1, "x"] }, "not_a_number"],
    [{ "/": [1, 0] }, "not_a_number"],
    [{ "<": ["x", 5] }, "not_a_number"],
    [
      { reduce: [Array.from({ length: 250 }, () => 1), { merge: [[{ var: "accumulator" }]] }, [1]] },
      "too_deep",
      RULE_VALUE_DEPTH_MAX,
    ],
    [{ "*": [1e308, 1e308] }, "not_finite"],
    [{ substr: [5, 1] }, "operand_invalid"],
    [{ map: ["text", 1] }, "operand_invalid"],
    [{ and: true }, "operand_invalid"],
    [{ nope: 1 }, "operator_unknown", "nope"],
    [{ a: 1, b: 2 }, "operator_unknown", "a"],
    [{ var: true }, "path_invalid"],
    [{ missing_some: ["1", "now"] }, "operand_invalid", "missing_some"],
    [{ "==": [1] }, "operand_invalid"],
    [{ cat: [[1]] }, "operand_invalid", "cat"],
    [{ date: ["2026-10-25", "Europe/Zurich", "last"] }, "operand_invalid", "date", "compatible", "earlier", "later"],
    [{ date: "soon" }, "not_a_date", "date", '"soon"'],
    [{ date: [[1]] }, "not_a_date", "date"],
    [{ duration: "P1M" }, "not_a_duration", "duration", '"P1M"'],
    [{ duration: { preserve: { a: 1 } } }, "not_a_duration", "duration"],
    ...["log", "method", "throw", "try", "pipe", "get", "val", "each"].map((name): [Rule, FaultCode, string] => [
      { [name]: [1] },
      "operator_unknown",
      name,
    ]),
    ...["valueOf", "toString", "constructor", "hasOwnProperty", "__defineGetter__", "__lookupGetter__"].map(
      (name): [Rule, FaultCode, string] => [{ [name]: ["x"] }, "operator_unknown", name],
    ),
    [JSON.parse('{"__proto__": [1]}') as Rule, "operator_unknown", "__proto__"],
  ])("%j", (rule, code, ...named) => {
    expect(evaluate(rule, scope)).toEqual({ ok: false, code, message: naming(...named) });
  });

  test("a rule nested too deep for the engine is an error", () => {
    const deep = Array.from({ length: 100_000 }).reduce<Rule>((inner) => ({ "!": [inner] }), true);
    expect(evaluate(deep, scope)).toMatchObject({ ok: false, code: "operand_invalid" });
  });
});
