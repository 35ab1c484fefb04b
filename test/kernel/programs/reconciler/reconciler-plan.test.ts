// The defaults of a reconciler.
import { describe, expect, test } from "vitest";
import { planOf } from "#kernel/programs/reconciler/reconciler-plan.ts";
import { readsTime } from "#kernel/programs/reconciler/reads-time.ts";
import { reconcilerDefinition } from "#schema/definition/reconciler.ts";
import type { Json } from "#schema/json.ts";
import { action } from "#test/support/drive.ts";
import { reconciler, type Written } from "./drive-reconciler.ts";

const states = { A: {} };
const planned = (part: Partial<Written>) => planOf(reconciler({ states, ...part }));
const look = { action: "look", every: "PT5S" } as const;

describe("a reconciler that says nothing", () => {
  test("looks each ten seconds, waits for no observation and goes nowhere to shut down", () => {
    const { tickMs, staleAfterMs, observesAfter, shutdown, collector } = planOf(
      reconcilerDefinition.parse({ kind: "reconciler", name: "x", initial: "A", states }),
    );
    expect({ tickMs, staleAfterMs, observesAfter, shutdown, collector }).toEqual({
      tickMs: 10_000,
      staleAfterMs: null,
      observesAfter: false,
      shutdown: null,
      collector: null,
    });
  });

  test("gives each action five minutes and four attempts", () => {
    const { actions } = planned({
      actions: [action("a"), action("b", { timeout: 1_000, retryPolicy: { maxAttempts: 2 } })],
    });
    expect(actions.get("a")).toMatchObject({ timeout: 300_000, retryPolicy: "executor" });
    expect(actions.get("b")).toMatchObject({ timeout: 1_000, retryPolicy: { maxAttempts: 2 } });
  });
});

describe("a collector", () => {
  test.each([
    [{}, { timeout: 10_000 }, 25_000],
    [{ timeout: "PT2S" as const }, { timeout: 10_000 }, 17_000],
    [{}, {}, 315_000],
    [{ staleAfter: "PT1M" as const }, {}, 60_000],
  ])("%j of an action %j is valid for %i ms", (more, of, staleAfterMs) => {
    expect(planned({ collector: { ...look, ...more }, actions: [action("look", of)] }).staleAfterMs).toBe(staleAfterMs);
  });

  test("of an unknown action still has a plan: validation reports the error", () => {
    expect(planned({ collector: look }).staleAfterMs).toBe(15_000);
  });

  test("repeats after growing gaps, as written or by default", () => {
    const backoff = { baseDelay: "PT2S", multiplier: 3, maxDelay: 9_000 } as const;
    expect(planned({ collector: { ...look, backoff } }).collector?.backoff).toEqual({
      baseMs: 2_000,
      multiplier: 3,
      maxMs: 9_000,
    });
    expect(planned({ collector: look }).collector?.backoff).toEqual({ baseMs: 1_000, multiplier: 2, maxMs: 60_000 });
  });

  test("has what is observed waited for after an action, unless it is said otherwise", () => {
    expect(planned({ collector: look }).observesAfter).toBe(true);
    expect(planned({ collector: look, afterAction: "decide" }).observesAfter).toBe(false);
    expect(planned({ afterAction: "observe" }).observesAfter).toBe(true);
  });
});

describe("a rule reads the time", () => {
  test.each<[Json]>([
    [{ var: "now" }],
    [{ ">": [{ date: { var: "now" } }, 5] }],
    [{ exists: "now" }],
    [{ missing: ["observed.a", "now"] }],
    [{ missing_some: [1, ["now"]] }],
    [{ some: [{ var: "observed.list" }, { "<": [{ var: "at" }, { var: "../../now" }] }] }],
    [{ var: { cat: ["n", "ow"] } }],
    [{ var: "" }],
    [{ some: [{ var: "observed.list" }, { in: [1, { var: "../../" }] }] }],
    ['{"==": [{"var": "now"}, 1]}'],
  ])("in %j", (when) => {
    expect(readsTime({ when, target: "A" })).toBe(true);
  });

  test.each<[Json]>([
    [{ var: "observed.now" }],
    [{ var: ["observed.a", 3] }],
    [{ some: [{ var: "observed.list" }, { "==": [{ var: "" }, 1] }] }],
    [{ preserve: { var: "now" } }],
    [{ in: ["now", { var: "observed.text" }] }],
    ["no JSON"],
    [true],
    [[1, 2]],
  ])("and not in %j", (when) => {
    expect(readsTime({ when, target: "A" })).toBe(false);
  });

  test("without a condition it does not", () => {
    expect(readsTime({ target: "A" })).toBe(false);
  });
});

describe("what it listens with", () => {
  test("is each condition of the current state, with its target", async () => {
    const { reconcilerProgram } = await import("#kernel/programs/reconciler/reconciler.ts");
    const rules = [
      { when: { var: "observed.b" }, target: "B" },
      { when: { var: "observed.c" }, emit: "call" },
      { target: "B" },
    ];
    const program = reconcilerProgram(reconciler({ states: { A: { rules }, B: { type: "final" } } }));
    const at = { kind: "reconciler", state: "A", states: ["A"], since: 0, reason: "", done: false } as const;
    expect(program.listeners(at)).toMatchObject([
      { on: { kind: "always" }, state: "A", at: "/states/A/rules/0/when", to: ["B"] },
      { on: { kind: "always" }, state: "A", at: "/states/A/rules/1/when", to: [] },
    ]);
    expect(program.listeners({ ...at, done: true })).toEqual([]);
    expect([program.waitsFor(at), program.waitsFor({ ...at, done: true })]).toEqual([["execution.patched"], []]);
    expect(program.ending({ ...at, state: "B", states: ["B"] }, "B")).toEqual({ status: "completed" });
  });
});
