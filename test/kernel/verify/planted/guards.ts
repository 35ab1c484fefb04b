// Guards that say always the same, and loops.
import { add, put, drop, states, calling, asking, guard, type Planted } from "./shop.ts";

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
    ...{ code: "never_holds", pointer: guard },
  },
  {
    fault: "a guard of alternatives of which none holds",
    definition: asking({ or: [false, { "===": [1, "1"] }] }),
    ...{ code: "never_holds", pointer: guard },
  },
  {
    fault: "a guard that wants one path to be two texts",
    definition: asking({
      and: [{ "==": [{ var: "message.payload.kind" }, "a"] }, { "===": ["b", { var: "message.payload.kind" }] }],
    }),
    ...{ code: "never_holds", pointer: guard },
  },
  {
    fault: "a guard that wants one path to be two numbers",
    definition: asking({
      and: [{ "==": [{ var: "message.payload.n" }, 1] }, { "==": [{ var: "message.payload.n" }, 2] }],
    }),
    ...{ code: "never_holds", pointer: guard },
  },
  {
    fault: "a condition that never holds",
    definition: calling({ condition: { "==": [1, 2] } }),
    ...{ code: "never_holds", pointer: "/actions/0/condition" },
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
    ...{ code: "never_taken", pointer: "/states/open/on/close/1" },
  },
  {
    fault: "two transitions without a guard",
    definition: states(
      { on: { close: [{ target: "done" }, { target: "other" }] } },
      { other: { on: { close: "done" } } },
    ),
    ...{ code: "never_taken", pointer: "/states/open/on/close/1" },
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
    ...{ code: "never_taken", pointer: "/states/open/on/close/1" },
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
    ...{ code: "never_taken", pointer: "/states/open/on/close/1" },
  },
  {
    fault: "a loop of always that no start comes into",
    definition: states({ on: { close: "done", go: "a" } }, { a: { always: "b" }, b: { always: [{ target: "a" }] } }),
    ...{ code: "always_loop", pointer: "/states/a/always" },
    mend: [put("/states/b/always", [{ target: "a", guard: { var: "message.payload.again" } }, { target: "done" }])],
  },
  {
    fault: "an always that assigns for ever",
    definition: states(
      { on: { close: "done", go: "a" } },
      { a: { always: { assign: { n: { "+": [{ var: "execution.variables.n" }, 1] } } }, on: { close: "done" } } },
    ),
    ...{ code: "always_loop", pointer: "/states/a/always" },
    mend: [add("/states/a/always/guard", { "<": [{ var: ["execution.variables.n", 0] }, 3] })],
  },
  {
    fault: "a loop through a state with states of its own",
    definition: states(
      { on: { close: "done", go: "a" } },
      { a: { initial: "b", states: { b: { always: "#c" } } }, c: { always: "a" } },
    ),
    ...{ code: "always_loop", pointer: "/states/a/states/b/always" },
    mend: [add("/states/c/on", { close: "done" }), drop("/states/c/always")],
  },
  {
    fault: "an always of a state around that comes back",
    definition: states(
      { on: { close: "done", go: "a" } },
      { a: { initial: "b", always: ".b", states: { b: { on: { close: "#done" } } } } },
    ),
    ...{ code: "always_loop", pointer: "/states/a/always" },
    mend: [drop("/states/a/always")],
  },
];
