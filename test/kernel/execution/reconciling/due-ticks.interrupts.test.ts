// Rules with `cancelAction`, which replace an action in progress, and the type of `desired.shutdownRequested`.
import { expect, test } from "vitest";
import { action, second } from "#test/support/drive.ts";
import { withShutdownCheck } from "#schema/definition/reconciler.ts";
import { jsonObject } from "#schema/json.ts";
import { anyObject } from "#schema/values.ts";
import { go, type Written } from "../../programs/reconciler/drive-reconciler.ts";

const isUrgent = { "===": [{ var: "desired.urgent" }, true] };
const isIdle = { "===": [{ var: "action.actionName" }, ""] };
const restarting: Written = {
  states: {
    A: {
      rules: [
        { when: isUrgent, emit: "restart", cancelAction: true, reason: "urgent" },
        { when: isIdle, emit: "start" },
      ],
    },
    B: {},
  },
  actions: [action("start"), action("restart")],
};

test("a rule with cancelAction aborts the action in progress and starts another one in the same tick", () => {
  const t = go(restarting);
  t.tickAt(second).claim("start");
  t.desire({ urgent: true });
  expect(t.wake).toBe(2 * second);
  t.tickAt(2 * second);
  expect(t.run("start")).toMatchObject({ status: "canceled", reason: "canceled_by_rule", error: { type: "aborted" } });
  expect(t.effects).toContainEqual({ kind: "abort", run: t.run("start").id, attempt: 1 });
  expect(t.runs()).toEqual(["start canceled", "restart queued"]);
  expect(t.stands()).toBe("A: urgent");
});

test("a rule does not cancel the action that it has started", () => {
  const t = go(restarting, { desired: { urgent: true } });
  t.tickAt(second).claim("restart");
  t.desire({ other: 1 });
  t.tickAt(2 * second);
  expect(t.runs()).toEqual(["restart running"]);
});

test("without a true rule with cancelAction, the action continues", () => {
  const t = go(restarting);
  t.tickAt(second).claim("start");
  t.desire({ urgent: false });
  t.tickAt(2 * second);
  expect(t.runs()).toEqual(["start running"]);
});

test("a rule with cancelAction can enter a state, or stay in its state", () => {
  const rule = (target: string): Written => ({
    ...restarting,
    states: {
      A: {
        rules: [
          { when: isUrgent, target, cancelAction: true },
          { when: isIdle, emit: "start" },
        ],
      },
      B: {},
    },
  });
  for (const target of ["A", "B"]) {
    const t = go({ ...rule(target), onShutdown: "B" });
    t.tickAt(second).claim("start");
    t.desire({ urgent: true });
    t.tickAt(2 * second);
    expect([t.at, t.runs()]).toEqual([target, ["start canceled"]]);
  }
});

test("a rule with cancelAction that cannot be evaluated is reported, and the action continues", () => {
  const sum = { ">": [{ "+": [{ var: "observed.n" }, 1] }, 10] };
  const rules = [
    { when: isIdle, emit: "start" },
    { when: sum, target: "B", cancelAction: true },
  ];
  const t = go({ ...restarting, states: { A: { rules }, B: {} } });
  t.tickAt(second).claim("start");
  t.observe({ n: "many" });
  t.tickAt(2 * second);
  expect([t.reconciling().fault, t.runs()]).toEqual([
    expect.stringContaining("/states/A/rules/1/when"),
    ["start running"],
  ]);
});

test.each([true, false, null])("shutdownRequested can be %j", (shutdownRequested) => {
  expect(withShutdownCheck(jsonObject).safeParse({ shutdownRequested }).success).toBe(true);
});

test.each(["true", 1, {}])("shutdownRequested cannot be %j", (shutdownRequested) => {
  expect(withShutdownCheck(jsonObject).safeParse({ shutdownRequested }).error?.issues).toMatchObject([
    { path: ["shutdownRequested"] },
  ]);
});

test("another value than an object is reported, and not its fields", () => {
  expect(withShutdownCheck(anyObject).safeParse(null).error?.issues).toMatchObject([{ path: [] }]);
});
