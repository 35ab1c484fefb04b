// Assumptions about variables: an action that reads a variable depends on the assumed event that assigned it.
import { describe, expect, test } from "vitest";
import { action } from "#test/support/drive.ts";
import { play, playMachine } from "./played.ts";

const bounced = { var: "execution.variables.bounced" };
const journey = (nodes: object, more: object = {}) => ({
  kind: "journey",
  name: "onboarding",
  initial: ["watch", "later"],
  nodes: {
    watch: { type: "wait", for: [{ event: "bounced", assign: { bounced: true } }], timeout: { after: "P9D" } },
    ...nodes,
  },
  ...more,
});
const email = (more: object = {}) => ({ type: "email", config: {}, ...more });
const given = [{ at: "P1D", event: "bounced" }];
const assumed = { kind: "event", of: "bounced" };

/** The assumptions of each action. */
function told(nodes: object, events: typeof given = given) {
  const { actions } = play(journey(nodes), { given: events });
  return Object.fromEntries(actions.map(({ action: name, assumes }) => [name, assumes]));
}

describe("an action of a journey depends on the event that assigned the variable", () => {
  const text = { text: "{{ execution.variables.bounced }}" };
  test.each([
    ["in its condition", { later: email({ delay: "P3D", condition: bounced }) }],
    ["in its config", { later: email({ delay: "P3D", config: text }) }],
    ["in its validity", { later: email({ delay: "P3D", validUntil: { if: [bounced, "2030-01-01", "2031-01-01"] } }) }],
    [
      "although a condition reads all variables",
      { later: email({ delay: "P3D", condition: { var: "execution.variables" } }) },
    ],
    ["also if its condition is false", { later: email({ delay: "P3D", condition: { "!": [bounced] } }) }],
  ])("%s", (_what, nodes) => expect(told(nodes)["later"]).toContainEqual(assumed));

  test.each([
    [
      "that reads another variable",
      { later: email({ delay: "P3D", condition: { "!": [{ var: "execution.variables.x" }] } }) },
      given,
    ],
    ["that is done before the event", { later: email({ condition: { "!": [bounced] } }) }, given],
    ["if no event is given", { later: email({ delay: "P3D", condition: { "!": [bounced] } }) }, []],
  ])("but not one %s", (_what, nodes, events) => expect(told(nodes, events)["later"]).toEqual([]));

  test("and so does what follows a branch that reads the variable", () => {
    const pause = { type: "delay", for: "P3D", next: "check" };
    const check = { type: "branch", cases: [{ guard: bounced, next: "sorry" }, { next: "hello" }] };
    const found = told({ later: pause, check, sorry: email(), hello: email() });
    expect(found).toEqual({ sorry: [assumed] });
  });
});

test("an action of a machine depends on it, also by its delay", () => {
  const states = {
    a: { on: { moved: { assign: { day: { var: "message.payload.day" } }, target: "b" } }, after: { P9D: "b" } },
    b: { after: { P1D: "c" } },
    c: { after: { P90D: "d" } },
    d: { type: "final" },
  } as const;
  const onTheDay = { anchor: { var: "execution.variables.day" } };
  const later = action("later", { triggerState: "c", delay: onTheDay });
  const run = playMachine(
    { states, actions: [later] },
    { given: [{ at: "P1D", event: "moved", payload: { day: "2026-02-05" } }] },
  );
  expect(run.actions[0]?.assumes).toContainEqual({ kind: "event", of: "moved" });
  const named = playMachine(
    { states, delays: { onTheDay }, actions: [{ ...later, delay: "onTheDay" }] },
    { given: [{ at: "P1D", event: "moved", payload: { day: "2026-02-05" } }] },
  );
  expect(named.actions[0]?.assumes).toEqual(run.actions[0]?.assumes);
});

describe("an action behind a guard depends on the event that assigned a variable which the guard reads", () => {
  const assigning = { bounced: { assign: { bounced: true } } };
  const mails = [action("sorry", { triggerState: "sorry" }), action("hello", { triggerState: "hello" })];
  const ends = { sorry: { on: { end: "done" } }, hello: { on: { end: "done" } }, done: { type: "final" as const } };
  const toldBy = (a: object, more: object = {}, events = given) => {
    const states = { a: { on: assigning, ...a }, ...more, ...ends };
    const { actions } = playMachine({ states, actions: mails }, { given: events });
    return Object.fromEntries(actions.map(({ action: name, assumes }) => [name, assumes]));
  };
  const choice = [{ guard: bounced, target: "sorry" }, { target: "hello" }];
  const paid = { at: "P2D", event: "paid" };

  test.each<[string, object, object]>([
    ["of a timer's transition", { after: { P3D: choice } }, {}],
    ["of an event's transition", { on: { ...assigning, paid: choice } }, {}],
    ["of an eventless transition that follows", { after: { P3D: "between" } }, { between: { always: choice } }],
    [
      "of an eventless transition that would lead back",
      { after: { P3D: "between" } },
      { between: { always: { guard: { "!": [bounced] }, target: "a" }, after: { P1D: "sorry" } } },
    ],
  ])("%s", (_what, a, more) => {
    expect(toldBy(a, more, [...given, paid])).toEqual({ sorry: expect.arrayContaining([assumed]) });
  });

  test("but not if the guard reads another variable, or no event is given", () => {
    const other = [{ guard: { var: "execution.variables.x" }, target: "sorry" }, { target: "hello" }];
    const silence = { kind: "silence", of: "a" };
    expect(toldBy({ after: { P3D: other } })["hello"]).toEqual([silence]);
    expect(toldBy({ after: { P3D: choice } }, {}, [])["hello"]).toEqual([silence]);
  });

  test("and in a journey the guard of a wait", () => {
    const event = { event: "paid", guard: bounced, next: "sorry" };
    const later = { type: "wait", for: [event], timeout: { after: "P9D", next: "hello" } };
    expect(told({ later, sorry: email(), hello: email() }, [...given, paid])["sorry"]).toContainEqual(assumed);
  });
});
