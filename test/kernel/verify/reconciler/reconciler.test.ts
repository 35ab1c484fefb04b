// Errors and probable mistakes in a reconciler, each with its pointer.
import { describe, expect, test } from "vitest";
import { verify, warningsOf } from "#test/kernel/verify/at-once.ts";
import type { Json } from "#schema/json.ts";
import { reconcilerDefinition } from "#schema/definition/reconciler.ts";
import { MACHINE_STATES_MAX } from "#schema/limits/definition-sizes.ts";
import { action } from "#test/support/drive.ts";
import { reconciler, type Written } from "../../programs/reconciler/drive-reconciler.ts";
import { worker } from "../../programs/reconciler/worker.ts";
import { naming } from "#test/support/matchers/naming.ts";

const sound: Written = {
  states: {
    A: {
      rules: [
        { when: { var: "observed.go" }, target: "B" },
        { when: { var: "desired.go" }, emit: "call" },
      ],
    },
    B: { type: "final" },
  },
  actions: [action("call")],
};
const look = { action: "look", every: "PT5S" } as const;
const found = (part: Partial<Written>) =>
  verify(reconciler({ ...sound, ...part } as Written)).map(({ pointer, code, hint }) => [pointer, code, hint ?? ""]);
const warned = (part: Partial<Written>) =>
  warningsOf(reconciler({ ...sound, ...part } as Written)).map(({ pointer, code, fix }) => [pointer, code, fix]);

test("a sound one has nothing wrong with it", () => {
  expect([found({}), warned({})]).toEqual([[], []]);
  expect(verify(reconciler({ states: { A: {} } }))).toEqual([]);
  const own = { collector: { ...look, observed: { var: "result.body" } }, actions: [action("call"), action("look")] };
  expect(found(own)).toEqual([]);
  expect([verify(reconciler(worker)), warningsOf(reconciler(worker))]).toEqual([[], []]);
});

describe("unknown names are reported with a similar name", () => {
  test.each<[Partial<Written>, string, string, string]>([
    [{ initial: "a" }, "/initial", "unknown_state", "A"],
    [{ initial: "nowhere" }, "/initial", "unknown_state", "A, B"],
    [{ onShutdown: "Stoping" }, "/onShutdown", "unknown_state", "A, B"],
    [{ onShutdown: { target: "BB" } }, "/onShutdown/target", "unknown_state", "B"],
    [{ states: { A: { rules: [{ target: "Bb" }] }, B: {} } }, "/states/A/rules/0/target", "unknown_state", "B"],
    [{ states: { A: { rules: [{ emit: "cal" }] } } }, "/states/A/rules/0/emit", "unknown_action", "call"],
    [{ states: { A: { rules: [{ emit: "nothing" }] } } }, "/states/A/rules/0/emit", "unknown_action", "actions"],
    [{ collector: { ...look, action: "cal" } }, "/collector/action", "unknown_action", "call"],
  ])("%j", (part, pointer, code, named) => {
    const at = found(part).find(([where]) => where === pointer);
    expect(at?.[1]).toBe(code);
    expect(at?.[2]).toEqual(naming(named));
  });
});

describe("refused is", () => {
  test.each<[string, Partial<Written>, string, string]>([
    ["a state that nothing leads to", { states: { A: {}, B: {} } }, "/states/B", "unreachable_state"],
    [
      "rules where it ends",
      { states: { A: { type: "final", rules: [{ target: "A" }] } } },
      "/states/A/rules",
      "final_with_rules",
    ],
    [
      "an outcome where it does not end",
      { states: { A: { outcome: "failed" } } },
      "/states/A/outcome",
      "outcome_not_final",
    ],
    ["an action twice", { actions: [action("call"), action("call")] }, "/actions/1/actionId", "duplicate_action"],
    [
      "emitting what observes",
      { actions: [action("call"), action("look")], collector: look, states: { A: { rules: [{ emit: "look" }] } } },
      "/states/A/rules/0/emit",
      "collector_emitted",
    ],
    ["more than one action at once", { concurrency: 2 }, "/concurrency", "not_in_reconcilers"],
    ["an event", { events: {} }, "/events", "not_in_reconcilers"],
    [
      "a limit beside the collector's",
      { collector: { ...look, action: "call" }, staleAfter: "PT1M", states: { A: {} } },
      "/staleAfter",
      "not_in_reconcilers",
    ],
    [
      "an event of an action",
      { actions: [action("call", { onExhausted: { event: "x" } })] },
      "/actions/0/onExhausted",
      "not_in_reconcilers",
    ],
    [
      "a rule that is none",
      { states: { A: { rules: [{ when: { nope: 1 }, target: "A" }] } } },
      "/states/A/rules/0/when",
      "rule_operator_unknown",
    ],
    ["a reason that is no template", { states: { A: { reason: "{{ " } } }, "/states/A/reason", "template_invalid"],
    [
      "a reason of a shutdown that is no template",
      { states: { A: {} }, onShutdown: { target: "A", reason: "{{ " } },
      "/onShutdown/reason",
      "template_invalid",
    ],
  ])("%s", (_what, part, pointer, code) => {
    expect(found(part).map(([where, what]) => [where, what])).toContainEqual([pointer, code]);
  });

  test("to begin where there is nothing", () => {
    const none = reconcilerDefinition.parse({ kind: "reconciler", name: "x", initial: "A", states: {} });
    expect(verify(none)).toMatchObject([{ pointer: "/initial", hint: expect.any(String) }]);
    expect(warningsOf(none)).toEqual([]);
  });

  test("more states than there may be", () => {
    const states = Object.fromEntries(Array.from({ length: MACHINE_STATES_MAX + 1 }, (_, n) => [`S${n}`, {}]));
    expect(found({ states })).toMatchObject([["/states", "limit_exceeded", ""]]);
  });
});

describe("warned is of", () => {
  test.each<[string, Partial<Written>, string, string]>([
    [
      "a rule behind one that always holds",
      { states: { A: { rules: [{ target: "B" }, { emit: "call" }] }, B: {} } },
      "/states/A/rules/1",
      "never_taken",
    ],
    [
      "a rule that never holds",
      { states: { A: { rules: [{ when: { "==": [1, 2] }, emit: "call" }] } } },
      "/states/A/rules/0/when",
      "never_holds",
    ],
    ["an action that nothing starts", { states: { A: {} } }, "/actions/0", "action_never_started"],
    [
      "a name that rules do not see",
      { states: { A: { rules: [{ when: { var: "observd.go" }, emit: "call" }] } } },
      "/states/A/rules/0/when/var",
      "unknown_path",
    ],
    [
      "a field that nothing has",
      { states: { A: { rules: [{ when: { var: "state.nam" }, emit: "call" }] } } },
      "/states/A/rules/0/when/var",
      "unknown_path",
    ],
    [
      "a name that a reason does not see",
      { states: { A: { reason: "{{ actoin.retries }}", rules: [{ emit: "call" }] } } },
      "/states/A/reason",
      "unknown_path",
    ],
  ])("%s", (_what, part, pointer, code) => {
    expect(warned(part).map(([where, what]) => [where, what])).toContainEqual([pointer, code]);
  });

  test("the alias of an action's status, with the name that the other kinds use", () => {
    const rule = (when: Json) => ({ states: { A: { reason: "ok", rules: [{ when, emit: "call" }] } } });
    const hintOf = (part: Partial<Written>) =>
      warningsOf(reconciler({ ...sound, ...part } as Written))
        .filter(({ code }) => code === "action_status_alias" || code === "unknown_path")
        .map(({ code, severity, pointer, patch }) => [code, severity, pointer, patch?.[0]]);
    const value = "action.inProgress";
    const where = "/states/A/rules/0/when/var";
    expect(hintOf(rule({ var: "observed.actionStatus.inProgress" }))).toEqual([
      ["action_status_alias", "hint", where, { op: "replace", path: where, value }],
    ]);
    expect(hintOf(rule({ var: "observed.actionStatus.inProgres" }))).toMatchObject([
      ["unknown_path", "warning", where, { value }],
    ]);
    const reason = (text: string) => ({ states: { A: { reason: text, rules: [{ emit: "call" }] } } });
    expect(hintOf(reason("{{ observed.actionStatus.errorMessage }}"))).toMatchObject([
      ["action_status_alias", "hint", "/states/A/reason", undefined],
    ]);
    expect(hintOf(reason("{{ observed.actionStatus.errorMesage }}"))).toMatchObject([
      ["unknown_path", "warning", "/states/A/reason", { value: "{{ action.errorMessage }}" }],
    ]);
  });

  test("nothing where the last rule always holds, and the collector starts its action", () => {
    const rules = [{ when: { var: "observed.go" }, target: "B" }, { emit: "call" }];
    const states = { A: { rules }, B: {} };
    expect(warned({ states, actions: [action("call"), action("look")], collector: look })).toEqual([]);
  });

  test("what is meant is said", () => {
    const rule = (path: string) => ({ states: { A: { rules: [{ when: { var: path }, emit: "call" }] } } });
    expect(warned(rule("observd.go"))[0]?.[2]).toEqual(naming('"observed.go"'));
    expect(warned(rule("state.nme"))[0]?.[2]).toEqual(naming('"state.name"'));
    expect(warned(rule("state.zzzzzz"))[0]?.[2]).toEqual(naming("state", "name, since, reason"));
  });
});

describe("the shape", () => {
  const parsed = (part: object) =>
    reconcilerDefinition.safeParse({ kind: "reconciler", name: "x", initial: "A", ...sound, ...part });
  const said = (part: object) =>
    parsed(part).error?.issues.map(({ path, message }) => `/${path.join("/")}: ${message}`) ?? [];

  test.each([
    [{}, []],
    [{ target: "B", emit: "call" }, ["target", "emit"]],
  ])("asks of a rule %j for one thing that it does", (rule, more) => {
    const text = said({ states: { A: { rules: [rule] } } }).join();
    expect(text).toEqual(naming("target", "emit", "signal"));
    for (const name of more) expect(text.split(name).length).toBeGreaterThan(2); // among all, and as one too many
  });

  test.each([
    ["/tick", { tick: 999 }],
    ["/tick", { tick: "P2D" }],
    ["/staleAfter", { staleAfter: 10 }],
    ["/collector/every", { collector: { action: "call", every: "PT0.5S" } }],
    ["/collector/timeout", { collector: { action: "call", every: "PT5S", timeout: "PT1H" } }],
    ["/collector/backoff/maxDelay", { collector: { action: "call", every: "PT5S", backoff: { maxDelay: "P1D" } } }],
  ])("has a range for %s", (pointer, part) => {
    expect(said(part)[0]).toMatch(new RegExp(`^${pointer}: \\D*\\d+\\D+\\d+`)); // the message has both numbers
  });
});
