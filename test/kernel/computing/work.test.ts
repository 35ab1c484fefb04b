// The budget of a step, and operations that cost more than a plain operator.
import { describe, expect, test } from "vitest";
import { evaluate, truthy } from "#kernel/language/logic.ts";
import { render } from "#kernel/language/render.ts";
import { isExhausted, openWork, charge, addReserve, workOf } from "#kernel/computing/work.ts";
import type { Json, JsonObject, Rule } from "#schema/json.ts";
import { STEP_WORK_MAX, STEP_WORK_SPARE } from "#schema/limits/executions.ts";
import { naming } from "#test/support/matchers/naming.ts";

const names = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`k${n}`, n]));
const fewer = Object.fromEntries(Object.entries(names).slice(1));
const scope: JsonObject = { names, fewer, list: [1, 2, 3], deep: { a: { b: { c: 1 } } } };

function costOf(
  rule: Rule,
  use = evaluate as (rule: Rule, scope: JsonObject, work: ReturnType<typeof openWork>) => unknown,
) {
  const work = openWork();
  use(rule, scope, work);
  return work.used;
}

test("is used up once, and says so with the limit's name", () => {
  const work = openWork();
  charge(work, STEP_WORK_MAX);
  expect([isExhausted(work), work.used]).toEqual([false, STEP_WORK_MAX]);
  expect(() => charge(work, 1)).toThrow(`${STEP_WORK_MAX}`);
  expect(isExhausted(work)).toBe(true);
  expect(() => charge(work, 0)).toThrow("STEP_WORK_MAX");
});

test("is not increased by a negative cost", () => {
  const work = openWork();
  charge(work, -100);
  charge(work, Number.NaN);
  expect([work.left, work.used]).toEqual([STEP_WORK_MAX, 0]);
});

test("has a spare for one failure", () => {
  const work = openWork();
  expect(() => charge(work, 2 * STEP_WORK_MAX)).toThrow("STEP_WORK_MAX");
  expect([addReserve(work), work.left]).toEqual([true, STEP_WORK_SPARE]);
  expect(() => charge(work, 2 * STEP_WORK_SPARE)).toThrow("STEP_WORK_MAX");
  expect(addReserve(work)).toBe(false);
});

describe("costs more the more there is to look through", () => {
  test.each<[string, Rule, number]>([
    ["a date", { date: ["2026-01-05"] }, workOf.date],
    ["whether an object has fields", { "!!": [{ var: "names" }] }, 5_000],
    ["how many fields an object has", { length: { var: "names" } }, 5_000],
    ["objects of different size", { "==": [{ var: "names" }, { var: "fewer" }] }, 2_500],
    ["a long path", { var: "deep.a.b.c" }, 4 * workOf.pathName],
    ["a path from inside", { map: [{ var: "list" }, { var: "../../deep" }] }, 6 * workOf.pathClimb],
  ])("%s", (_what, rule, least) => {
    expect(costOf(rule)).toBeGreaterThanOrEqual(least);
    expect(costOf(rule)).toBeLessThan(4 * least + 100);
  });

  test("a condition written as text", () => {
    const text = `${" ".repeat(8_000)}true`;
    expect(costOf(text, truthy)).toBeGreaterThan(900);
  });
});

test("what a template does is work as well", () => {
  const costOfText = (text: Json) => {
    const work = openWork();
    render({ text }, { long: "x".repeat(8_000) }, work);
    return work.used;
  };
  expect(costOfText("plain")).toBeLessThan(5);
  expect(costOfText("{{ long }}!")).toBeGreaterThan(2_000);
  expect(costOfText("{% for i in (1..100) %}{{ i }}{% endfor %}")).toBeGreaterThan(400);
  expect(costOfText("{{ '2026-01-05' | date: '%F' }}")).toBeGreaterThan(workOf.date);
});

test("evaluations of one step share one budget", () => {
  const work = openWork();
  const rule: Rule = { map: [{ var: "all" }, { date: [{ var: "" }] }] };
  const all = { all: Array.from({ length: 6_000 }, () => "2026-01-05") };
  expect(evaluate(rule, all, work).ok).toBe(true);
  expect(evaluate(rule, all, work)).toEqual({ ok: false, code: "work_exceeded", message: naming("STEP_WORK_MAX") });
  expect(evaluate(rule, all).ok).toBe(true);
});
