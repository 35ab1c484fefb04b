// Warnings about definitions whose steps may exceed the step budget.
import { describe, expect, test } from "vitest";
import { verify, warningsOf } from "#test/kernel/verify/at-once.ts";
import type { StateNode } from "#schema/definition/definition.ts";
import type { Rule } from "#schema/json.ts";
import { STEP_WORK_MAX } from "#schema/limits/executions.ts";
import { action, machine } from "#test/support/drive.ts";
import { naming } from "#test/support/matchers/naming.ts";

type Part = Parameters<typeof machine>[0];
const warned = (part: Part) =>
  warningsOf(machine(part))
    .filter(({ code }) => code === "step_costly")
    .map(({ pointer }) => pointer);
/** A rule that walks a list in `levels` nested loops. */
const walk = (levels: number, path = "message.payload"): Rule =>
  levels === 0 ? { "===": [1, 2] } : { some: [{ var: path }, walk(levels - 1, path)] };
const back = { on: { back: "a" } };
const b: StateNode = back;
const repeat = <T>(count: number, each: T): T[] => Array.from({ length: count }, () => each);
const zeros = repeat(2_000, 0);
const mine = "execution.variables.list";

describe("steps that may cost too much", () => {
  test.each<[string, Part, string[]]>([
    [
      "one guard that walks an unknown list twice",
      { states: { a: { on: { go: { target: "b", guard: walk(2) } } }, b } },
      [],
    ],
    [
      "one guard that walks it three times",
      { states: { a: { on: { go: { target: "b", guard: walk(3) } } }, b } },
      ["/states/a/on/go/guard"],
    ],
    [
      "fifty guards, most of them cheap",
      {
        states: {
          a: {
            on: {
              go: [...repeat(49, { target: "b", guard: walk(2) }), { target: "b", guard: { and: [walk(2), true] } }],
            },
          },
          b,
        },
      },
      ["/states/a/on/go/49/guard"],
    ],
    [
      "guards of the wildcard, asked for every event",
      {
        states: {
          a: {
            on: { go: repeat(20, { target: "b", guard: walk(2) }), "*": repeat(20, { target: "b", guard: walk(2) }) },
          },
          b,
        },
      },
      ["/states/a/on/go/0/guard"],
    ],
    [
      "a list that the definition shows, and is long",
      { variables: { list: zeros }, states: { a: { on: { go: { target: "b", guard: walk(2, mine) } } }, b } },
      ["/states/a/on/go/guard"],
    ],
    [
      "one that it shows, and is short",
      { variables: { list: [1] }, states: { a: { on: { go: { target: "b", guard: walk(3, mine) } } }, b } },
      [],
    ],
    [
      "a list written out",
      { states: { a: { on: { go: { target: "b", guard: { some: [zeros, { some: [zeros, false] }] } } } }, b } },
      ["/states/a/on/go/guard"],
    ],
    [
      "dates",
      {
        states: {
          a: {
            on: {
              go: repeat(50, {
                target: "b",
                guard: {
                  some: [{ var: "message.payload" }, { "==": [{ date: [{ var: "" }] }, { date: ["2026-01-05"] }] }],
                },
              }),
            },
          },
          b,
        },
      },
      ["/states/a/on/go/0/guard"],
    ],
    [
      "a condition written as text",
      { states: { a: { on: { go: { target: "b", guard: JSON.stringify(walk(3)) } } }, b } },
      ["/states/a/on/go/guard"],
    ],
    [
      "what is no rule at all",
      {
        states: {
          a: {
            on: {
              go: ["no JSON", {}, { some: [] }, { some: [{ var: 1 }, 1] }, { some: 1 }].map((guard) => ({
                guard,
                target: "b",
              })),
            },
          },
          b,
        },
      },
      [],
    ],
    [
      "the same event further in and further out",
      {
        states: {
          a: {
            initial: "c",
            on: { go: { guard: walk(2), target: "b" } },
            states: { c: { on: { go: repeat(40, { target: "#b", guard: walk(2) }) } }, d: { on: { go: "#b" } } },
          },
          b,
        },
      },
      ["/states/a/states/c/on/go/0/guard"],
    ],
    ["a literal, however large", { states: { a: { on: { go: { target: "b", guard: { preserve: zeros } } } }, b } }, []],
    [
      "assignments",
      { states: { a: { on: { go: { target: "b", assign: { x: walk(3) } } } }, b } },
      ["/states/a/on/go/assign/x"],
    ],
    [
      "what is assigned on the way in",
      { states: { a: { ...back, entry: [{ assign: { x: walk(3) } }] } } },
      ["/states/a/entry/0/assign/x"],
    ],
    [
      "and on the way out",
      { states: { a: { ...back, exit: ["mail", { assign: { x: walk(3) } }] } }, actions: [action("mail")] },
      ["/states/a/exit/1/assign/x"],
    ],
    [
      "timers",
      { states: { a: { after: { 1000: { target: "b", guard: walk(3) } } }, b } },
      ["/states/a/after/1000/guard"],
    ],
    [
      "eventless transitions, once for each state that has some",
      {
        states: Object.fromEntries(
          repeat(9, 0).map((_, n) => [
            `s${n}`,
            { ...back, on: {}, always: { target: `s${(n + 1) % 9}`, guard: { and: repeat(3, walk(2)) } } },
          ]),
        ),
      },
      ["/states/s0/always/guard"],
    ],
    [
      "regions, all of which are asked",
      {
        type: "parallel",
        states: Object.fromEntries(
          repeat(30, 0).map((_, n) => [`r${n}`, { on: { go: { guard: walk(2), actions: [] } } }]),
        ),
      },
      ["/states/r0/on/go/guard"],
    ],
    [
      "states, of which one is active",
      {
        states: Object.fromEntries(
          repeat(30, 0).map((_, n) => [`s${n}`, { on: { go: { guard: walk(2), target: "s0" } } }]),
        ),
      },
      [],
    ],
    [
      "conditions of runs that start together",
      {
        states: { a: { on: { go: "b" } }, b },
        actions: repeat(40, 0).map((_, n) =>
          action(`m${n}`, { triggerState: "b", condition: walk(2), ...(n === 7 ? { validUntil: walk(2) } : {}) }),
        ),
      },
      ["/actions/0/condition"],
    ],
    [
      "the key of a limit of a run that starts",
      {
        states: { a: { on: { go: "b" } }, b },
        actions: [action("mail", { triggerState: "b", limit: [{ key: walk(3), concurrency: 1 }] })],
      },
      ["/actions/0/limit/0/key"],
    ],
  ])("%s", (_what, part, expected) => {
    expect(warned(part)).toEqual(expected);
  });

  test("are stored all the same, and the warning says how much and what to do", () => {
    const costly = machine({ states: { a: { on: { go: { target: "b", guard: walk(3) } } }, b } });
    expect(verify(costly)).toEqual([]);
    const found = warningsOf(costly);
    expect(found.find(({ code }) => code === "step_costly")?.message).toMatch(/\d{7}\D.*\d{7}/); // its cost, and the limit
    expect(found).toContainEqual({
      severity: "warning",
      pointer: "/states/a/on/go/guard",
      code: "step_costly",
      message: naming(STEP_WORK_MAX, 100),
      fix: expect.any(String),
    });
  });
});
