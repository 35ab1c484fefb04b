import { describe, expect, test } from "vitest";
import { verify, warningsOf } from "#test/kernel/verify/at-once.ts";
import { action, machine } from "#test/support/drive.ts";
import { naming } from "#test/support/matchers/naming.ts";

const over = (path: string) => ({ ">": [{ var: path }, 100] });
const pointers = (definition: Parameters<typeof warningsOf>[0]) => warningsOf(definition).map(({ pointer }) => pointer);
const guarded = (path: string, more: Partial<Parameters<typeof machine>[0]> = {}) =>
  machine({ states: { a: { on: { x: { target: "a", guard: over(path) } } } }, ...more });

describe("an ordering is warned of", () => {
  test.each([
    ["of what an event brings", guarded("message.payload.amount")],
    ["of the last action", guarded("action.retries")],
    ["of a variable that nothing sets", guarded("execution.variables.amount")],
    ["of one that begins as null", guarded("execution.variables.amount", { variables: { amount: null } })],
  ])("%s", (_what, definition) => {
    expect(verify(definition)).toEqual([]);
    expect(warningsOf(definition)).toMatchObject([
      { severity: "warning", pointer: "/states/a/on/x/guard/>/0", code: "ordering_of_nothing" },
    ]);
  });

  test("for a rule in any place", () => {
    const assign = { big: over("message.payload.n") };
    const definition = machine({
      states: {
        a: {
          entry: ["mail", { assign }],
          exit: [{ assign }],
          always: [{ target: "b", guard: over("message.payload.n"), assign }],
        },
        b: { type: "final" },
      },
      actions: [action("mail", { condition: over("message.payload.n") })],
    });
    expect(pointers(definition)).toEqual([
      "/states/a/entry/1/assign/big/>/0",
      "/states/a/exit/0/assign/big/>/0",
      "/states/a/always/0/guard/>/0",
      "/states/a/always/0/assign/big/>/0",
      "/actions/0/condition/>/0",
    ]);
  });
});

describe("and not", () => {
  test.each([
    ["of a variable with a value", guarded("execution.variables.amount", { variables: { amount: 0 } })],
    ["of the moment", guarded("now")],
    ["of the execution's own", guarded("execution.createdAt")],
    [
      "of a variable that a rule sets",
      machine({
        states: { a: { entry: [{ assign: { amount: 1 } }], on: { x: { guard: over("execution.variables.amount") } } } },
      }),
    ],
  ])("%s", (_what, definition) => {
    expect(warningsOf(definition)).toEqual([]);
  });
});

test("an attribute without quotes in an action's HTML is warned of", () => {
  const config = { to: "Ada <x-{{ execution.id }}@example.com>", html: "<a href={{ now }}>", parts: [{ html: 1 }] };
  const definition = machine({
    states: { a: { type: "final" } },
    actions: [action("mail", { triggerState: "a", config })],
  });
  expect(warningsOf(definition)).toEqual([
    {
      severity: "warning",
      pointer: "/actions/0/config/html",
      code: "unquoted_attribute",
      message: naming("{{ now }}", 1),
      fix: naming('"{{ now }}"'),
    },
  ]);
});

test("what is wrong besides keeps nothing from being warned of", () => {
  const definition = machine({
    initial: "nowhere",
    states: {
      a: {
        type: "parallel",
        on: { x: { target: "#b.nowhere", actions: ["call"] } },
        always: "nobody",
        after: { someday: "b" },
        states: {},
      },
      b: { initial: "c", states: { d: { type: "history", target: "e" } }, always: { target: "b", guard: { "!": [] } } },
      c: { always: "nobody", on: { x: { guard: "{{ no rule" } }, after: { P1D: "nobody" } },
      d: { always: "b.x" },
      e: { states: { f: {} } },
      g: { always: "e" },
    },
    actions: [
      action("call"),
      action("call", { triggerState: "z", delay: 5 }),
      action("mail", { triggerState: "a", delay: "sometime" }),
    ],
  });
  expect(verify(definition).length).toBeGreaterThan(5);
  expect(pointers(definition)).toContain("/states/a");
});

test("of very many warnings the first are listed, with the number of the others", () => {
  const payload = Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`p${n}`, "{{ variables.x }}"]));
  const definition = machine({
    states: { a: { type: "final" } },
    actions: [action("mail", { triggerState: "a", config: { payload } })],
  });
  const warnings = warningsOf(definition);
  expect(warnings).toHaveLength(201);
  expect(warnings.at(-1)).toMatchObject({ severity: "hint", code: "more_warnings", message: naming(50) });
});

test("among very many types of event no misspelt ones are looked for", () => {
  const types = Array.from({ length: 150 }, (_, n) => `event.${"abcdefghijklmnopqrstuvwxyz"[n % 26]}${n}`);
  const listening = (letter: string, more: readonly string[] = []) =>
    Object.fromEntries([...types.map((type) => `${type}.${letter}`), ...more].map((type) => [type, "#b"]));
  const definition = (...more: string[]) =>
    machine({ states: { a: { on: listening("x", more) }, b: { on: listening("y") } } });
  expect(warningsOf(definition())).toHaveLength(150);
  expect(warningsOf(definition("another"))).toEqual([]);
});

test("a state that waits only for the arrival of a message is warned of, because it may never be sent", () => {
  const config = { to: "ada@example.com", subject: "Hello", text: "Hello" };
  const definition = machine({
    states: { a: { on: { email_delivered: "b" } }, b: { type: "final" } },
    actions: [action("mail", { type: "email", triggerState: "a", config })],
  });
  expect(warningsOf(definition)).toMatchObject([
    { pointer: "/states/a/on/email_delivered", code: "failure_unhandled" },
  ]);
});
