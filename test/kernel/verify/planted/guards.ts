// Planted faults: guards with a constant result, and loops.
import { action } from "#test/support/drive.ts";
import { add, put, drop, states, calling, asking, guard, type Planted } from "./shop.ts";

const vip = { var: "execution.variables.vip" };
const days = { var: "execution.variables.days" };

export const guards: readonly Planted[] = [
  { fault: "a guard that is false", definition: asking(false), code: "never_holds", pointer: guard },
  {
    fault: "a guard that compares constants",
    definition: asking({ "==": ["a", "b"] }),
    code: "never_holds",
    pointer: guard,
  },
  { fault: "a guard that is a text and false", definition: asking('{"<":[2,1]}'), code: "never_holds", pointer: guard },
  {
    fault: "a guard with a false part",
    definition: asking({ and: [{ var: "message.payload.ok" }, { "!": [true] }] }),
    code: "never_holds",
    pointer: guard,
  },
  {
    fault: "a guard of alternatives of which none holds",
    definition: asking({ or: [false, { "===": [1, "1"] }] }),
    code: "never_holds",
    pointer: guard,
  },
  {
    fault: "a guard that wants one path to be two texts",
    definition: asking({
      and: [{ "==": [{ var: "message.payload.kind" }, "a"] }, { "===": ["b", { var: "message.payload.kind" }] }],
    }),
    code: "never_holds",
    pointer: guard,
  },
  {
    fault: "a guard that wants one path to be two numbers",
    definition: asking({
      and: [{ "==": [{ var: "message.payload.n" }, 1] }, { "==": [{ var: "message.payload.n" }, 2] }],
    }),
    code: "never_holds",
    pointer: guard,
  },
  {
    fault: "a condition that never holds",
    definition: calling({ condition: { "==": [1, 2] } }),
    code: "never_holds",
    pointer: "/actions/0/condition",
  },
  {
    fault: "a transition after one without a guard",
    definition: states(
      {
        on: {
          close: [
            { target: "done" },
            { target: "other", guard: { var: "message.payload.ok" } },
            { target: "other", guard: { var: "message.payload.also" } },
          ],
        },
      },
      { other: { on: { close: "done" } } },
    ),
    code: "never_taken",
    pointer: "/states/open/on/close/1",
  },
  {
    fault: "two transitions without a guard",
    definition: states(
      { on: { close: [{ target: "done" }, { target: "other" }] } },
      { other: { on: { close: "done" } } },
    ),
    code: "never_taken",
    pointer: "/states/open/on/close/1",
    mend: [add("/states/open/on/close/0/guard", { var: "message.payload.ok" })],
  },
  {
    fault: "a transition after one whose guard always holds",
    definition: states(
      {
        on: {
          close: [
            { target: "done", guard: { or: [true, { var: "message.payload.a" }] } },
            { target: "other", guard: { var: "message.payload.ok" } },
          ],
        },
      },
      { other: { on: { close: "done" } } },
    ),
    code: "never_taken",
    pointer: "/states/open/on/close/1",
    mend: [drop("/states/open/on/close/0")],
  },
  {
    fault: "the same guard twice",
    definition: states(
      {
        on: {
          close: [
            { target: "done", guard: { var: "message.payload.ok" } },
            { target: "other", guard: { var: "message.payload.ok" } },
          ],
          go: "other",
        },
      },
      { other: { on: { close: "done" } } },
    ),
    code: "never_taken",
    pointer: "/states/open/on/close/1",
  },
  {
    fault: "a loop of always that no start comes into",
    definition: states({ on: { close: "done", go: "a" } }, { a: { always: "b" }, b: { always: [{ target: "a" }] } }),
    code: "always_loop",
    pointer: "/states/a/always",
    mend: [put("/states/b/always", "done")],
  },
  {
    fault: "an always that assigns for ever",
    definition: states(
      { on: { close: "done", go: "a" } },
      { a: { always: { assign: { n: { "+": [{ var: "execution.variables.n" }, 1] } } }, on: { close: "done" } } },
    ),
    code: "always_loop",
    pointer: "/states/a/always",
    mend: [add("/states/a/always/guard", { "<": [{ var: ["execution.variables.n", 0] }, 3] })],
  },
  {
    fault: "a loop through a state with states of its own",
    definition: states(
      { on: { close: "done", go: "a" } },
      { a: { initial: "b", states: { b: { always: "#c" } } }, c: { always: "a" } },
    ),
    code: "always_loop",
    pointer: "/states/a/states/b/always",
    mend: [add("/states/c/on", { close: "done" }), drop("/states/c/always")],
  },
  {
    fault: "a loop that a guard leads into, and nothing out of",
    definition: states(
      { on: { close: "done", go: "a" } },
      { a: { always: { target: "b", guard: vip }, on: { close: "done" } }, b: { always: "a" } },
    ),
    code: "always_loop",
    pointer: "/states/a/always",
    mend: [put("/states/b/always", "done")],
  },
  {
    fault: "a loop beside an always that a guard ends",
    definition: states(
      { always: { target: "done", guard: vip }, on: { close: "done", go: "a" } },
      { a: { always: "b" }, b: { always: "a" } },
    ),
    code: "always_loop",
    pointer: "/states/a/always",
    mend: [put("/states/b/always", "done")],
  },
  {
    fault: "an endless always that assigns a variable which its guard does not read",
    definition: states({ always: { guard: vip, assign: { n: 1 } }, on: { close: "done" } }),
    code: "always_loop",
    pointer: "/states/open/always",
    mend: [put("/states/open/always/guard", { and: [vip, { "!": [{ var: "execution.variables.n" }] }] })],
  },
  {
    fault: "an always to itself",
    definition: states({ always: "open", on: { close: "done" } }),
    code: "always_to_itself",
    pointer: "/states/open/always",
  },
  {
    fault: "an always to itself, with a guard, among others",
    definition: states({
      always: [
        { target: "done", guard: { var: "execution.variables.over" } },
        { target: "open", guard: vip },
      ],
    }),
    code: "always_to_itself",
    pointer: "/states/open/always/1",
  },
  {
    fault: "an always to itself that starts an action",
    definition: states(
      { always: { target: "#open", guard: vip, actions: ["call"] }, on: { close: "done" } },
      {},
      { actions: [action("call")] },
    ),
    code: "always_to_itself",
    pointer: "/states/open/always",
  },
  {
    fault: "a guard that wants more than five and less than three",
    definition: asking({ and: [{ ">": [days, 5] }, { "<": [days, 3] }] }, { variables: { days: 0 } }),
    code: "never_holds",
    pointer: guard,
  },
  {
    fault: "a guard that leaves no number between its bounds",
    definition: asking({ and: [{ "<=": [5, days, 9] }, { ">": [5, days] }] }, { variables: { days: 0 } }),
    code: "never_holds",
    pointer: guard,
  },
  {
    fault: "a guard that looks into a list of nothing",
    definition: asking({ in: [{ var: "message.payload.kind" }, []] }),
    code: "never_holds",
    pointer: guard,
  },
  {
    fault: "a guard that compares something with itself",
    definition: asking({ "!=": [days, days] }, { variables: { days: 0 } }),
    code: "never_holds",
    pointer: guard,
  },
  {
    fault: "a guard that asks for another type of event than the one it is about",
    definition: asking({ or: [{ "==": [{ var: "message.type" }, "opened"] }, { "!": [{ var: "message.type" }] }] }),
    code: "never_holds",
    pointer: guard,
  },
  {
    fault: "a transition after one that asks for the type of its own event",
    definition: states({
      on: { close: [{ target: "done", guard: { "==": [{ var: "message.type" }, "close"] } }, { actions: [] }] },
    }),
    code: "never_taken",
    pointer: "/states/open/on/close/1",
    mend: [drop("/states/open/on/close/1")],
  },
];
