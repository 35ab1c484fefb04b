import { machineDefinition } from "#schema/definition/definition.ts";
import { COMPUTATION_SLICE_UNITS } from "#schema/limits/isolates/computations.ts";
import { describe, expect, test } from "vitest";
import { diffDefinitions, diffPart } from "#policy/versions/diff/diff.ts";
import { messageShape } from "#policy/versions/diff/shapes.ts";
import type { VersionChange } from "#schema/definition/version-change.ts";
import type { JsonObject } from "#schema/json.ts";
import { compare, journey, order, put, worker } from "./definitions.ts";

/** Returns the definition with other values at these places; undefined removes a value. */
function but(of: object, places: { readonly [path: string]: unknown }): JsonObject {
  const copy = structuredClone(of) as JsonObject;
  for (const [path, value] of Object.entries(places)) put(copy, path.split("/"), value);
  return copy;
}

function line({ kind, part, aspect, path, fromPointer, pointer, was, is }: VersionChange): string {
  const name = [part.kind, part.name, ...path].filter((each) => each !== null).join(" ");
  const where = fromPointer === pointer ? pointer : `${fromPointer ?? "-"} ${pointer ?? "-"}`;
  return `${kind} ${aspect}: ${name} (${where}) ${JSON.stringify(was)} ${JSON.stringify(is)}`;
}

describe("the diff of two versions contains", () => {
  test.each<[string, object, { readonly [path: string]: unknown }, readonly string[]]>([
    ["no change for equal values", order, {}, []],
    [
      "its description, and its variables by name",
      order,
      { concurrency: 2, "variables/total": 5, "variables/note": undefined, description: "Orders" },
      [
        'added text: definition description (- /description) null "Orders"',
        "changed value: variable total (/variables/total) 0 5",
        'removed whole: variable note (/variables/note -) "none" null',
        "added setting: definition concurrency (- /concurrency) null 2",
      ],
    ],
    [
      "a new, removed or nested state as a whole",
      order,
      { "states/held": { on: { go: "done" } }, "states/done": undefined, "states/late/states/second": undefined },
      [
        "removed whole: state late.second (/states/late/states/second -) {} null",
        'removed whole: state done (/states/done -) {"type":"final"} null',
        'added whole: state held (- /states/held) null {"on":{"go":"done"}}',
      ],
    ],
    [
      "the target of a transition, in any notation",
      order,
      {
        "states/open/on/paid": { target: "late", assign: { paid: true } },
        "states/late/states/first/after/P1D": "third",
      },
      [
        'changed flow: state open on paid target (/states/open/on/paid /states/open/on/paid/target) "done" "late"',
        "added rule: state open on paid assign paid (- /states/open/on/paid/assign/paid) null true",
        'changed flow: state late.first after P1D target (/states/late/states/first/after/P1D) "second" "third"',
      ],
    ],
    [
      "a different notation",
      order,
      { "states/open/on/paid": { target: "done" } },
      ['changed flow: state open on paid (/states/open/on/paid) "done" {"target":"done"}'],
    ],
    [
      "a guard as a whole, and other transitions by position",
      order,
      { "states/open/on/late": [{ target: "done" }, { guard: { var: "b" }, target: "done" }, { target: "late" }] },
      [
        'removed rule: state open on late 1 guard (/states/open/on/late/0/guard -) {"var":"a"} null',
        'added flow: state open on late 2 (- /states/open/on/late/1) null {"guard":{"var":"b"},"target":"done"}',
      ],
    ],
    [
      "a removed and an added event",
      order,
      { "states/open/on/paid": undefined, "states/open/always": "late" },
      [
        'removed flow: state open on paid (/states/open/on/paid -) "done" null',
        'added flow: state open always (- /states/open/always) null "late"',
      ],
    ],
    [
      "texts and settings of an action by its id, wherever it is listed",
      order,
      {
        "actions/0": { ...order.actions[1], timeout: 5 },
        "actions/1": { ...order.actions[0], config: { to: "{{ to }}", subject: "Too late", copies: 2 } },
      },
      [
        "added timing: action call timeout (- /actions/0/timeout) null 5",
        'changed text: action mail config subject (/actions/0/config/subject /actions/1/config/subject) "Late" "Too late"',
        "changed setting: action mail config copies (/actions/0/config/copies /actions/1/config/copies) 1 2",
        'reordered whole: definition actions (/actions) ["mail","call"] ["call","mail"]',
      ],
    ],
    [
      "its first and last action",
      but(order, { actions: undefined }),
      { actions: order.actions.slice(1) },
      [`added whole: action call (- /actions/0) null ${JSON.stringify(order.actions[1])}`],
    ],
    [
      "its tests by name",
      order,
      { "tests/0/expect/0/states/0": "late", "tests/1": { name: "too", expect: [] } },
      [
        'changed setting: test holds expect 1 states 1 (/tests/0/expect/0/states/0) "open" "late"',
        'added whole: test too (- /tests/1) null {"name":"too","expect":[]}',
      ],
    ],
    [
      "delays, windows and events by name, and dates as rules",
      but(order, { delays: { due: { anchor: { var: "x" }, offset: "P1D" } } }),
      { "delays/due/anchor": { var: "y" }, "delays/due/offset": "P2D", events: { paid: { type: "object" } } },
      [
        'added whole: event paid (- /events/paid) null {"type":"object"}',
        'changed rule: delay due anchor (/delays/due/anchor) {"var":"x"} {"var":"y"}',
        'changed timing: delay due offset (/delays/due/offset) "P1D" "P2D"',
      ],
    ],
    [
      "nodes of a journey with their branches, dates and texts",
      journey,
      {
        "nodes/hello/config/template": "hello@2",
        "nodes/hello/delay": "P3D",
        "nodes/which/cases/0/guard": { var: "b" },
        "nodes/hold/for": "P3D",
        "nodes/bye": undefined,
      },
      [
        'changed text: node hello config template (/nodes/hello/config/template) "hello@1" "hello@2"',
        'changed timing: node hello delay (/nodes/hello/delay) "P1D" "P3D"',
        'changed rule: node which cases 1 guard (/nodes/which/cases/0/guard) {"var":"a"} {"var":"b"}',
        'changed timing: node hold for (/nodes/hold/for) "P2D" "P3D"',
        'removed whole: node bye (/nodes/bye -) {"type":"sms","config":{"text":"Bye"}} null',
      ],
    ],
    [
      "the condition and the expression of a branch",
      journey,
      { "nodes/which": { type: "split", ways: [{ weight: 1, next: "bye" }] }, "nodes/hold/until": { offset: "P1D" } },
      [
        'changed flow: node which type (/nodes/which/type) "branch" "split"',
        'removed flow: node which cases (/nodes/which/cases -) [{"guard":{"var":"a"},"next":"bye"},{"next":"hold"}] null',
        'added flow: node which ways (- /nodes/which/ways) null [{"weight":1,"next":"bye"}]',
        'added timing: node hold until (- /nodes/hold/until) null {"offset":"P1D"}',
      ],
    ],
    [
      "rules of a reconciler by position, with their reasons",
      worker,
      {
        "states/Starting/rules": [
          { when: { var: "desired.down" }, signal: "remove" },
          { when: { var: "observed.up" }, target: "Running", reason: "answers" },
          { when: { var: "desired.up" }, emit: "start" },
        ],
        "states/Starting/reason": "starts",
        tick: "PT2S",
      },
      [
        'changed timing: definition tick (/tick) "PT1S" "PT2S"',
        'changed text: state Starting reason (/states/Starting/reason) "begins" "starts"',
        'added flow: state Starting rules 1 (- /states/Starting/rules/0) null {"when":{"var":"desired.down"},"signal":"remove"}',
        'changed text: state Starting rules 2 reason (/states/Starting/rules/0/reason /states/Starting/rules/1/reason) "is up" "answers"',
      ],
    ],
    [
      "lists of unnamed items by position",
      but(order, { actions: [1, 2] }),
      { "actions/1": 3 },
      ["changed setting: definition actions 2 (/actions/1) 2 3"],
    ],
    [
      "a value of another form as a whole",
      order,
      { actions: 7, states: [] },
      [
        `changed setting: definition states (/states) ${JSON.stringify(order.states)} []`,
        `changed setting: definition actions (/actions) ${JSON.stringify(order.actions)} 7`,
      ],
    ],
    [
      "the assigned value of an entry behaviour",
      but(order, { "states/open/entry": ["a", { assign: { n: 1 } }] }),
      { "states/open/entry": ["b", { assign: { n: 2 } }] },
      [
        'changed flow: state open entry 1 (/states/open/entry/0) "a" "b"',
        "changed rule: state open entry 2 assign n (/states/open/entry/1/assign/n) 1 2",
      ],
    ],
  ])("%s", (_what, from, places, expected) => expect(compare(from, but(from, places)).map(line)).toEqual(expected));

  test("one change if the kinds differ", () => {
    expect(compare(order, journey)).toMatchObject([{ kind: "changed", aspect: "whole", fromPointer: "", pointer: "" }]);
  });

  test("the texts of a message, without stored metadata", () => {
    const was = { subject: "Hello", html: "<p>Hello</p>", text: null, variables: [] };
    const part = { kind: "template", name: "hello" } as const;
    expect(diffPart(messageShape, part, was, { ...was, html: "<p>Hi</p>" }).map(line)).toEqual([
      'changed text: template hello html (/html) "<p>Hello</p>" "<p>Hi</p>"',
    ]);
  });
});

test("very many changes, computed in parts", () => {
  const names = (prefix: string) => Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`${prefix}${n}`, n]));
  const version = (variables: object) => machineDefinition.parse({ ...bare, variables });
  const computation = diffDefinitions(version({ ...names("old"), kept: 1 }), version({ kept: 1, ...names("new") }));
  const units: number[] = [];
  for (;;) {
    const part = computation.next();
    if (part.done === true) {
      const changed = part.value.map(({ kind, part: { name } }) => `${kind} ${name}`);
      expect([changed.length, changed[0], changed.at(-1)]).toEqual([2_000, "removed old0", "added new999"]);
      break;
    }
    units.push(part.value);
  }
  expect(units).toHaveLength(20);
  expect(Math.max(...units)).toBeLessThanOrEqual(COMPUTATION_SLICE_UNITS);
});

const bare = { kind: "machine", name: "bare", initial: "a", states: { a: {} } };
