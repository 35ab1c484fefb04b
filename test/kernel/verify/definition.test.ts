// All errors in a definition of the right shape, one row per error.
import { describe, expect, test } from "vitest";
import { verify } from "#test/kernel/verify/at-once.ts";
import type { MachineDefinition, StateNode } from "#schema/definition/definition.ts";
import {
  DEFINITION_BYTES_MAX,
  MACHINE_STATES_MAX,
  REGIONS_MAX,
  STATE_DEPTH_MAX,
} from "#schema/limits/definition-sizes.ts";
import { CONFIG_BYTES_MAX } from "#schema/limits/executions.ts";
import { action, machine } from "#test/support/drive.ts";
import { naming } from "#test/support/matchers/naming.ts";

type Part = Parameters<typeof machine>[0];
/** `of` omits the parts that `machine` would add. */
const of = (part: Part): MachineDefinition => ({ ...machine(part), ...part });
const findings = (definition: MachineDefinition) => verify(definition).map(({ pointer, code }) => `${pointer} ${code}`);
const rest = { x: { type: "final" } } as const;
const deep = (levels: number): StateNode => (levels === 0 ? {} : { initial: "s", states: { s: deep(levels - 1) } });
const nest = (...names: string[]): StateNode => ({
  initial: names[0] ?? "",
  states: Object.fromEntries(names.map((name) => [name, {}])),
});
const many = (count: number): Record<string, StateNode> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`s${n}`, {}]));

describe("states", () => {
  test.each<[string, Part, string[]]>([
    ["no initial state", { states: rest, initial: undefined }, ["/initial initial_missing"]],
    ["an unknown initial state", { states: rest, initial: "z" }, ["/initial unknown_state"]],
    [
      "a compound state without states",
      { states: { a: { type: "compound" }, ...rest } },
      ["/states/a/states states_missing"],
    ],
    ["a parallel state without states", { states: { a: { type: "parallel" } } }, ["/states/a/states states_missing"]],
    [
      "a final state with states",
      { states: { a: { type: "final", states: rest } } },
      ["/states/a/states states_unexpected"],
    ],
    ["an atomic state with an initial", { states: { a: { initial: "x" } } }, ["/states/a/initial initial_unexpected"]],
    [
      "a final state that is left",
      { states: { a: { type: "final", on: { go: "a" }, after: { 1: "a" }, always: "a", onDone: "a" } } },
      [
        "/states/a/on transition_unexpected",
        "/states/a/after transition_unexpected",
        "/states/a/always transition_unexpected",
        "/states/a/onDone transition_unexpected",
      ],
    ],
    ["history of what is none", { states: { a: { history: "deep" } } }, ["/states/a/history history_unexpected"]],
    ["a target of what is no history", { states: { a: { target: "a" } } }, ["/states/a/target target_unexpected"]],
    ["an outcome before the end", { states: { a: { outcome: "failed" } } }, ["/states/a/outcome outcome_unexpected"]],
    ["what comes after the end of all", { states: rest, onDone: ".x" }, ["/onDone transition_unexpected"]],
    ["a target that does not exist", { states: { a: { on: { go: "b" } } } }, ["/states/a/on/go unknown_state"]],
    [
      "a target of one of several",
      { states: { a: { on: { go: [{ target: "a" }, { target: ".b" }] } } } },
      ["/states/a/on/go/1/target unknown_state"],
    ],
    ["the root as a target", { states: { a: { always: { target: "#" } } } }, ["/states/a/always/target unknown_state"]],
    [
      "a history's target",
      { states: { a: {}, h: { type: "history", target: "b" } } },
      ["/states/h/target unknown_state"],
    ],
    [
      "targets that exclude each other",
      { states: { a: { on: { go: { target: ["b", "c"] } } }, b: {}, c: {} } },
      ["/states/a/on/go/target targets_clash"],
    ],
    [
      "an unknown one among several",
      { states: { a: { on: { go: { target: ["a", "z"] } } } } },
      ["/states/a/on/go/target unknown_state"],
    ],
    ["too many states", { states: many(MACHINE_STATES_MAX + 1) }, ["/states limit_exceeded"]],
    ["too many regions", { type: "parallel", states: many(REGIONS_MAX + 1) }, ["/states limit_exceeded"]],
    [
      "too deep",
      { states: { s: deep(STATE_DEPTH_MAX) } },
      [`${"/states/s".repeat(STATE_DEPTH_MAX + 1)} limit_exceeded`],
    ],
    [
      "a definition too large",
      { states: { a: { description: "ä".repeat(2_000) } }, variables: { text: "ä".repeat(DEFINITION_BYTES_MAX / 2) } },
      [" limit_exceeded"],
    ],
    [
      "a history transition to the active state",
      { type: "parallel", states: { a: { on: { go: "past" } }, past: { type: "history" } }, on: { go: ".past" } },
      ["/on/go history_from_inside", "/states/a/on/go history_from_inside"],
    ],
    ["an endless loop at the start", { states: { a: { always: "b" }, b: { always: "a" } } }, ["/states endless_loop"]],
  ])("%s", (_what, part, expected) => {
    expect(findings(of(part))).toEqual(expected);
  });

  test.each<[string, Part, readonly string[] | null]>([
    ["/states/a/on/go", { states: { a: { on: { go: "paidd" } }, paid: {} } }, ["#paid"]],
    ["/states/a/on/go", { states: { a: { on: { go: "#elsewhere" } } } }, ['"name"', '".name"', '"#a.b"']],
    ["/states/a/on/go", { states: { a: { on: { go: "packed" } }, b: nest("packed", "sent") } }, ["#b.packed"]],
    ["/states/a/on/go", { states: { a: { on: { go: "#c.packed" } }, b: nest("packed") } }, ["#b.packed"]],
    ["/states/a/on/go", { states: { a: { on: { go: "packd" } }, b: nest("packed") } }, ["#b.packed"]],
    ["/states/a/on/go", { states: { a: { on: { go: "ok" } }, shipping: nest("ok") } }, ["#shipping.ok"]],
    ["/initial", { initial: "paidd", states: { paid: {} } }, ["paid"]],
    ["/initial", { initial: "elsewhere", states: { paid: {}, open: {} } }, ["paid, open"]],
    ["/initial", { initial: undefined, states: { paid: {}, open: {} } }, ["paid, open"]],
    ["/states/a/target", { states: { a: { target: "a" } } }, ["on", "after", "always"]],
    ["/states/a/outcome", { states: { a: { outcome: "failed" } } }, null],
  ])("at %s is a hint", (pointer, part, named) => {
    const { hint } = verify(of(part)).find((each) => each.pointer === pointer) ?? {};
    expect(hint).toEqual(named === null ? undefined : naming(...named));
  });

  test("targets in several regions of one parallel state are sound", () => {
    const regions = { r: { initial: "x", states: { x: {}, y: {} } }, q: { initial: "x", states: { x: {}, y: {} } } };
    const part: Part = {
      states: { a: { on: { go: { target: ["#p.r.y", "#p.q.y"] } } }, p: { type: "parallel", states: regions } },
    };
    expect(findings(of(part))).toEqual([]);
  });

  test("history with a default inside a compound state is sound", () => {
    expect(
      findings(
        of({
          states: { a: { initial: "x", states: { x: {}, h: { type: "history", history: "deep", target: "x" } } } },
        }),
      ),
    ).toEqual([]);
  });
});

describe("rules, timers and names", () => {
  const badRule = { nonsense: [1] };
  const a = (node: StateNode, more: Partial<Part> = {}): Part => ({
    states: { a: node },
    actions: [action("mail")],
    ...more,
  });
  test.each<[string, Part, string[]]>([
    ["a guard", a({ on: { go: { guard: badRule, target: "a" } } }), ["/states/a/on/go/guard rule_operator_unknown"]],
    [
      "a guard of one of several",
      a({ always: [{ guard: badRule, target: "a" }] }),
      ["/states/a/always/0/guard rule_operator_unknown"],
    ],
    [
      "an assignment",
      a({ after: { 1: { assign: { n: badRule } } } }),
      ["/states/a/after/1/assign/n rule_operator_unknown"],
    ],
    [
      "an assignment on entry",
      a({ entry: [{ assign: { n: badRule } }] }),
      ["/states/a/entry/0/assign/n rule_operator_unknown"],
    ],
    ["an unknown action on entry", a({ entry: ["mail", "male"] }), ["/states/a/entry/1 unknown_action"]],
    ["an unknown action on exit", a({ exit: ["fax"] }), ["/states/a/exit/0 unknown_action"]],
    [
      "an unknown action on the way",
      a({ onDone: { actions: ["fax"] } }),
      ["/states/a/onDone/actions/0 unknown_action"],
    ],
    ["an unknown delay", a({ after: { "soon/ish": "a" } }), ["/states/a/after/soon~1ish unknown_delay"]],
    [
      "the result of an unknown action",
      a({ on: { "action.fax.ok": "a" } }),
      ["/states/a/on/action.fax.ok unknown_action"],
    ],
    [
      "a result that no action has",
      a({ on: { "action.mail.done": "a" } }),
      ["/states/a/on/action.mail.done unknown_event"],
    ],
    [
      "a result that is none",
      a({ on: { "action.mail": "a", "action.mail.x.ok": "a" } }),
      ["/states/a/on/action.mail unknown_event", "/states/a/on/action.mail.x.ok unknown_event"],
    ],
    [
      "an event that the engine never sends",
      a({ on: { "execution.moved": "a" } }),
      ["/states/a/on/execution.moved unknown_event"],
    ],
    [
      "a delay whose anchor is no rule",
      a({}, { delays: { due: { anchor: badRule } } }),
      ["/delays/due/anchor rule_operator_unknown"],
    ],
    ["a delay that reads as a duration", a({}, { delays: { P1D: {} } }), ["/delays/P1D ambiguous_name"]],
  ])("%s", (_what, part, expected) => {
    expect(findings(of(part))).toEqual(expected);
  });

  test.each<[StateNode, ...string[]]>([
    [{ entry: ["mial"] }, "mail"],
    [{ entry: ["something"] }, "actions"],
    [{ after: { reminder: "a" } }, "reminders"],
    [{ after: { tomorrow: "a" } }, "P3D", "delays"],
    [{ on: { "action.mail.done": "a" } }, "action.<actionId>.ok", ".failed", ".skipped", ".archived"],
    [{ on: { "execution.moved": "a" } }, "execution.patched"],
  ])("%j: a hint", (node, ...named) => {
    expect(verify(of(a(node, { delays: { reminders: {} } })))[0]?.hint).toEqual(naming(...named));
  });

  test("results of actions, patches, delays by name and by length are sound", () => {
    const node: StateNode = {
      on: {
        "action.mail.ok": "a",
        "action.mail.failed": {},
        "action.mail.skipped": {},
        "execution.patched": {},
        "*": {},
      },
      after: { 1000: {}, P1D: {}, due: {} },
    };
    expect(findings(of(a(node, { delays: { due: { anchor: { var: "execution.variables.date" } } } })))).toEqual([]);
  });
});

describe("actions", () => {
  const one = (part: Parameters<typeof action>[1], more: Partial<Part> = {}): Part => ({
    states: { paid: { on: { go: {} } }, w: { initial: "x", states: { x: {}, past: { type: "history" } } } },
    actions: [action("mail", part)],
    ...more,
  });
  test.each<[string, Part, string[]]>([
    [
      "two of one name",
      one({}, { actions: [action("mail"), action("mail")] }),
      ["/actions/1/actionId duplicate_action"],
    ],
    ["an unknown trigger state", one({ triggerState: "nowhere" }), ["/actions/0/triggerState unknown_state"]],
    ["a history state as trigger", one({ triggerState: "w.past" }), ["/actions/0/triggerState unknown_state"]],
    ["a schedule without a state", one({ schedule: "0 9 * * *" }), ["/actions/0/schedule trigger_state_missing"]],
    [
      "a schedule that is none",
      one({ triggerState: "paid", schedule: "whenever" }),
      ["/actions/0/schedule invalid_schedule"],
    ],
    [
      "a schedule that never comes",
      one({ triggerState: "paid", schedule: "0 0 30 2 *" }),
      ["/actions/0/schedule invalid_schedule"],
    ],
    ["an unknown delay", one({ delay: "soon" }), ["/actions/0/delay unknown_delay"]],
    [
      "a delay whose anchor is no rule",
      one({ delay: { anchor: { nonsense: 1 } } }),
      ["/actions/0/delay/anchor rule_operator_unknown"],
    ],
    ["a condition that is no rule", one({ condition: "not a rule" }), ["/actions/0/condition rule_shape"]],
    ["a bound that is no moment", one({ validUntil: "soon" }), ["/actions/0/validUntil invalid_instant"]],
    ["a bound that is no rule", one({ validUntil: { nonsense: 1 } }), ["/actions/0/validUntil rule_operator_unknown"]],
    [
      "a template that is none",
      one({ config: { to: "{{ execution.variables.to" } }),
      ["/actions/0/config/to template_invalid"],
    ],
    [
      "a config too large",
      one({ config: { text: "ä".repeat(CONFIG_BYTES_MAX / 2) } }),
      ["/actions/0/config limit_exceeded"],
    ],
  ])("%s", (_what, part, expected) => {
    expect(findings(of(part))).toEqual(expected);
  });

  test("a state's name that is nearly right is guessed", () => {
    expect(verify(of(one({ triggerState: "paidd" })))[0]?.hint).toEqual(naming("paid"));
    expect(verify(of(one({ triggerState: "somewhere" })))[0]?.hint).toEqual(naming("a.b"));
  });

  test("all of it together is sound", () => {
    const part = {
      triggerState: "w.x",
      schedule: "0 9 * * *",
      timezone: "Europe/Zurich",
      condition: '{"var":"now"}',
      validUntil: "2027-01-01",
      config: { n: 1 },
    };
    expect(findings(of(one(part, { timezone: "UTC" })))).toEqual([]);
    expect(findings(of(one({ triggerState: "paid", schedule: "0 9 * * *", delay: 5 }, { timezone: "UTC" })))).toEqual(
      [],
    );
    expect(findings(of(one({ triggerState: "paid", schedule: "0 9 * * *", delay: { offset: "P1D" } })))).toEqual([]);
    expect(findings(of({ states: rest, variables: { n: 1 } }))).toEqual([]);
  });
});
