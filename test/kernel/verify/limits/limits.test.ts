// Windows and caps of machines, reconcilers, journeys and standalone actions are verified alike.
import { describe, expect, test } from "vitest";
import { oneActionFindings } from "#kernel/verify/actions.ts";
import { verify, warningsOf } from "#test/kernel/verify/at-once.ts";
import type { AnyAction } from "#schema/definition/action.ts";
import type { Definition } from "#schema/definition/definition.ts";
import type { JsonObject } from "#schema/json.ts";
import { action, machine } from "#test/support/drive.ts";
import { naming } from "#test/support/matchers/naming.ts";
import { journey } from "../../programs/journey/drive-journey.ts";
import { reconciler } from "../../programs/reconciler/drive-reconciler.ts";

type Limits = Pick<Definition, "windows" | "caps">;
type Fields = Pick<AnyAction, "window" | "limit"> & { readonly cap?: string };

const call = (fields: Fields) => ({ ...action("call"), ...fields });
const on = { "action.call.ok": "b", "action.call.failed": "b", "action.call.skipped": "b" };
const machineWith = (limits: Limits, fields: Fields) =>
  machine({ ...limits, states: { a: { entry: ["call"], on }, b: { type: "final" } }, actions: [call(fields)] });
const reconcilerWith = (limits: Limits, fields: Fields) =>
  reconciler({
    ...limits,
    states: { A: { rules: [{ when: { var: "desired.go" }, emit: "call" }] } },
    actions: [call(fields)],
  });
const journeyWith = (limits: Limits, fields: Fields) =>
  journey({
    ...limits,
    nodes: { a: { type: "webhook", config: { url: "https://example.com" }, ...(fields as JsonObject) } },
  });

const customer = { var: "execution.variables.customerId" };
const limits = {
  windows: { office: { from: "09:00", to: "17:00", timezone: { var: "execution.variables.zone" } } },
  caps: { gentle: { max: 3, per: "P7D", subject: customer } },
};
const found = (definition: Definition) => verify(definition).map(({ pointer, code }) => [pointer, code]);
const kinds = [
  ["machine", machineWith, "/actions/0"],
  ["reconciler", reconcilerWith, "/actions/0"],
  ["journey", journeyWith, "/nodes/a"],
] as const;

describe.each(kinds)("%s", (_kind, definitionWith, at) => {
  test("with a window and a cap has no errors and no warnings about them", () => {
    const definition = definitionWith(limits, { window: "office", cap: "gentle" });
    expect(found(definition)).toEqual([]);
    expect(warningsOf(definition).filter(({ code }) => code.endsWith("_unused"))).toEqual([]);
  });

  test("an unknown name gets the similar name, or the field to add it to", () => {
    expect(verify(definitionWith(limits, { window: "ofice", cap: "gentel" }))).toMatchObject([
      { pointer: `${at}/window`, code: "unknown_window", hint: naming("office") },
      { pointer: `${at}/cap`, code: "unknown_cap", hint: naming("gentle") },
    ]);
    expect(verify(definitionWith({}, { window: "night", cap: "few" }))).toMatchObject([
      { code: "unknown_window", hint: naming("windows") },
      { code: "unknown_cap", hint: naming("caps") },
    ]);
  });

  test("a cap without a subject is refused", () => {
    const caps = { gentle: { max: 3, per: "P7D" } };
    expect(found(definitionWith({ caps }, { cap: "gentle" }))).toEqual([["/caps/gentle", "subject_missing"]]);
  });

  test("rules and templates of named limits are checked", () => {
    const broken = {
      windows: { office: { from: "09:00", to: "17:00", timezone: { vra: "x" } } },
      caps: {
        a: { max: 1, calendar: "day" as const, timezone: { vra: "x" }, subject: { vra: "x" } },
        b: { max: 1, per: "P1D", subject: "{{ execution.variables.id | nofilter }}" },
        c: { max: 1, per: "P1D", subject: "customer {{ secrets.salt }}" },
      },
    };
    expect(found(definitionWith(broken, { window: "office", cap: "a" }))).toEqual(
      expect.arrayContaining([
        ["/windows/office/timezone", "rule_operator_unknown"],
        ["/caps/a/timezone", "rule_operator_unknown"],
        ["/caps/a/subject", "rule_operator_unknown"],
        ["/caps/b/subject", "template_invalid"],
        ["/caps/c/subject", "secret_misused"],
      ]),
    );
  });

  test("rules of an inline window are checked", () => {
    const window = { from: "09:00", to: "17:00", timezone: { vra: "x" } };
    expect(found(definitionWith({}, { window }))).toEqual([[`${at}/window/timezone`, "rule_operator_unknown"]]);
  });

  test("limits that no action uses get a hint that removes them", () => {
    expect(warningsOf(definitionWith(limits, {})).filter(({ code }) => code.endsWith("_unused"))).toMatchObject([
      { pointer: "/windows/office", code: "window_unused", patch: [{ op: "remove", path: "/windows/office" }] },
      { pointer: "/caps/gentle", code: "cap_unused", patch: [{ op: "remove", path: "/caps/gentle" }] },
    ]);
  });
});

test("limits of the defaults and of repeated nodes of a journey count as used", () => {
  const node = { type: "webhook", config: { url: "https://example.com" } };
  const used = journey({
    ...limits,
    defaults: { webhook: { window: "office" } },
    nodes: {
      a: { type: "each", times: 2, node: { ...node, cap: "gentle" }, next: "b" },
      b: { type: "delay", for: "P1D" },
    },
  });
  expect(warningsOf(used).filter(({ code }) => code.endsWith("_unused"))).toEqual([]);
});

test("definitions without actions have no used limits", () => {
  const codes = (definition: Definition) =>
    warningsOf(definition).flatMap(({ code }) => (code.endsWith("_unused") ? [code] : []));
  expect(codes(machine({ ...limits, states: { a: {} } }))).toEqual(["window_unused", "cap_unused"]);
  expect(verify(machine({ ...limits, states: { a: {} } }))).toEqual([]);
});

describe("a machine that waits for the success of an action", () => {
  const waiting = (fields: Fields, over: "wait" | "skip") =>
    machine({
      caps: { gentle: { max: 3, per: "P7D", subject: customer, over } },
      states: {
        a: { entry: ["call"], on: { "action.call.ok": "b", "action.call.failed": "b" } },
        b: { type: "final" },
      },
      actions: [call(fields)],
    });
  const unheard = (definition: Definition) => warningsOf(definition).filter(({ code }) => code === "skip_unhandled");

  test("is warned if the cap skips the action", () => {
    expect(unheard(waiting({ cap: "gentle" }, "skip"))).toMatchObject([{ pointer: "/states/a/on/action.call.ok" }]);
    expect(unheard(waiting({ cap: "gentle" }, "wait"))).toEqual([]);
    expect(unheard(waiting({}, "skip"))).toEqual([]);
  });

  test("is warned if a limit by key skips the action", () => {
    const at = [{ pointer: "/states/a/on/action.call.ok" }];
    expect(unheard(waiting({ limit: byKey("skip") }, "wait"))).toMatchObject(at);
    expect(unheard(waiting({ limit: [{ key: "a", rate: { max: 1, per: "PT1H" } }] }, "wait"))).toMatchObject(at);
    expect(unheard(waiting({ limit: [{ key: "a", debounce: { for: "PT1M" } }] }, "wait"))).toMatchObject(at);
    expect(unheard(waiting({ limit: [{ key: "a", concurrency: 1 }] }, "wait"))).toEqual([]);
  });
});

/** A limit by key with this kind of singleton. */
function byKey(singleton: "skip" | "cancel") {
  return [{ key: "a", singleton }];
}

test("the key of a limit is checked as a rule, in every kind of definition", () => {
  const limit = [{ key: { vra: "x" }, concurrency: 1 }];
  const codes = (one: AnyAction) => oneActionFindings(one, null, "").map(({ pointer, code }) => [pointer, code]);
  expect(codes({ ...action("call"), limit })).toEqual([["/limit/0/key", "rule_operator_unknown"]]);
});

test("the action of a reconciler's collector has no window, no cap and no limit by key", () => {
  const definition = reconciler({
    ...limits,
    collector: { action: "look", every: "PT5S" },
    states: { A: { rules: [{ when: { var: "desired.go" }, emit: "call" }] } },
    actions: [call({ window: "office" }), { ...action("look"), window: "office", cap: "gentle", limit: byKey("skip") }],
  });
  expect(found(definition)).toEqual([
    ["/actions/1/window", "not_in_reconcilers"],
    ["/actions/1/cap", "not_in_reconcilers"],
    ["/actions/1/limit", "not_in_reconcilers"],
  ]);
});

test("a standalone action's window and cap are checked", () => {
  const windowed = { ...action("call"), window: { from: "09:00", to: "17:00", timezone: { vra: "x" } } };
  const named = { name: "gentle", max: 3 };
  const byRule = { ...named, calendar: "day" as const, timezone: { vra: "x" }, subject: { vra: "x" } };
  const byText = { ...named, per: "P1D", subject: "{{ secrets.salt }} {{" };
  const codes = (one: AnyAction) => oneActionFindings(one, null, "").map(({ pointer, code }) => [pointer, code]);
  expect(codes(windowed)).toEqual([["/window/timezone", "rule_operator_unknown"]]);
  expect(codes({ ...action("call"), cap: byRule })).toEqual([
    ["/cap/timezone", "rule_operator_unknown"],
    ["/cap/subject", "rule_operator_unknown"],
  ]);
  expect(codes({ ...action("call"), cap: byText })).toEqual([["/cap/subject", "template_invalid"]]);
  expect(codes({ ...action("call"), cap: { ...byText, subject: "{{ secrets.salt }} x" } })).toEqual([
    ["/cap/subject", "secret_misused"],
  ]);
});
