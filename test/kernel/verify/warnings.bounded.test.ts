// Warnings whose search for causes is bounded: bounds of a path, loops of guards that stay true, patches of long texts.
import { expect, test } from "vitest";
import { definition } from "#schema/definition/definition.ts";
import { CORRECTED_TEMPLATE_CHARS_MAX, WARNINGS_RETURNED_MAX } from "#schema/limits/definition-sizes.ts";
import { warningsOf } from "#test/kernel/verify/at-once.ts";

const n = { var: "message.payload.n" };
const parsed = (part: object) => definition.parse({ kind: "machine", name: "sample", initial: "a", ...part });
const codesOf = (part: object): readonly string[] => warningsOf(parsed(part)).map(({ code }) => code);
const guarded = (guard: object) => ({ states: { a: { on: { go: { guard, target: "b" } } }, b: { type: "final" } } });

test.each<[string, readonly object[], boolean]>([
  ["above more than it is below", [{ ">": [n, 2] }, { "<": [n, 1] }], true],
  ["above and below the same", [{ ">": [n, 1] }, { "<": [n, 1] }], true],
  ["at least and at most the same", [{ ">=": [n, 1] }, { "<=": [n, 1] }], false],
  ["at least, above and at most the same", [{ ">=": [n, 1] }, { ">": [n, 1] }, { "<=": [n, 1] }], true],
  ["above, at least and at most the same", [{ ">": [n, 1] }, { ">=": [n, 1] }, { "<=": [n, 1] }], true],
  ["the strictest bounds count", [{ ">": [n, 5] }, { ">": [n, 1] }, { "<": [n, 4] }, { "<": [n, 9] }], true],
  ["the laxest do not", [{ ">": [n, 1] }, { ">": [n, 3] }, { "<": [n, 9] }, { "<": [n, 4] }], false],
])("%s", (_name, and, isNever) => {
  expect(codesOf(guarded({ and })).includes("never_holds")).toBe(isNever);
});

test("states inside one with a guarded loop loop with it, unless a variable of the guard is set on the path", () => {
  const guard = { "==": [{ var: "execution.variables.kind" }, "x"] };
  const round = (name: string) => ({
    states: {
      a: { initial: "one", always: { guard, target: "#b" }, states: { one: { on: { go: "two" } }, two: {} } },
      b: { entry: [{ assign: { [name]: 1 } }], always: { guard, target: "#a.two" } },
    },
  });
  const loops = (name: string) => codesOf(round(name)).filter((code) => code === "always_loop").length;
  expect([loops("kin"), loops("kind")]).toEqual([1, 0]);
});

test("so many letters are read for patches, and warnings behind them have none", () => {
  const html = `{{ execution.variables.nmae }} ${"x".repeat(CORRECTED_TEMPLATE_CHARS_MAX / 2)}`;
  const input = { properties: { name: {} }, additionalProperties: false };
  const actions = ["one", "two"].map((actionId) => {
    return { actionId, triggerState: "a", type: "email", config: { to: "a@example.com", subject: "x", html } };
  });
  const found = warningsOf(parsed({ input, actions, states: { a: { type: "final" } } }));
  const undeclared = found.filter(({ code }) => code === "undeclared_path");
  expect(undeclared.map(({ patch }) => patch?.length ?? 0)).toEqual([1, 0]);
});

test("of very many warnings the first are written in full, with the number of the others", () => {
  const and = Array.from({ length: WARNINGS_RETURNED_MAX + 50 }, (_, at) => ({ "==": [{ var: `vars.v${at}` }, at] }));
  const found = warningsOf(parsed(guarded({ and })));
  expect([found.length, found.at(-2)?.code, found.at(-1)?.code]).toEqual([
    WARNINGS_RETURNED_MAX + 1,
    "unknown_path",
    "more_warnings",
  ]);
});
