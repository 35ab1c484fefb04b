// Definitions that look faulty, but are sound, get no warning.
import { describe, expect, test } from "vitest";
import { warningsOf } from "#test/kernel/verify/at-once.ts";
import type { MachineDefinition } from "#schema/definition/definition.ts";
import type { JsonObject } from "#schema/json.ts";
import { action, machine } from "#test/support/drive.ts";

const done = { type: "final" } as const;
const path = (name: string) => ({ var: `execution.variables.${name}` });
const open = (node: object, part: object = {}, more: object = {}) =>
  machine({ states: { open: { on: { close: "done" }, ...node }, done, ...more }, ...part });
const called = (part: object, node: object = {}) =>
  open(node, { actions: [action("call", { triggerState: "open", ...part })] });
const told = (text: string | JsonObject, part: object = {}) =>
  open(
    {},
    {
      actions: [action("call", { triggerState: "open", config: { url: "https://x.example", payload: { text } } })],
      ...part,
    },
  );
const guarded = (guard: unknown) => open({ on: { close: { target: "done", guard: guard as never } } });

describe("no fault is", () => {
  test.each<[string, MachineDefinition]>([
    ["an action whose end no state awaits", called({})],
    [
      "waiting for a success with a limit of time",
      called({}, { on: { "action.call.ok": "done" }, after: { P1D: "done" } }),
    ],
    [
      "waiting for a success, where a person sends it again",
      called({ onExhausted: "deadLetter" }, { on: { "action.call.ok": "done" } }),
    ],
    [
      "waiting for a success, where failing pauses",
      called({ onExhausted: "pause" }, { on: { "action.call.ok": "done" } }),
    ],
    [
      "waiting for a success, where failing fails",
      called({ onExhausted: "fail" }, { on: { "action.call.ok": "done" } }),
    ],
    ["waiting for anything", called({ maxLateness: 1000 }, { on: { "action.call.ok": "done", "*": "done" } })],
    [
      "hearing of failing inside",
      called(
        {},
        { initial: "a", on: { "action.call.ok": "done" }, states: { a: { on: { "action.call.failed": "#done" } } } },
      ),
    ],
    [
      "hearing of failing under another name",
      called({ onExhausted: { event: "gave_up" } }, { on: { "action.call.ok": "done", gave_up: "done" } }),
    ],
    [
      "hearing of failing in another region",
      machine({
        states: {
          both: {
            type: "parallel",
            onDone: "done",
            states: {
              a: { initial: "x", states: { x: { entry: ["call"], on: { "action.call.ok": "y" } }, y: done } },
              b: { initial: "x", states: { x: { on: { "action.call.failed": "#done", go: "y" } }, y: done } },
            },
          },
          done,
        },
        actions: [action("call")],
      }),
    ],
    ["an action that leaving starts", open({ exit: ["call"] }, { actions: [action("call")] })],
    [
      "a state with a schedule and nothing else",
      machine({ states: { open: {} }, actions: [action("call", { triggerState: "open", schedule: "0 9 * * *" })] }),
    ],
    ["counting for ever", machine({ states: { open: { on: { tick: { assign: { n: 1 } } } } } })],
    [
      "a state that waits for a patch",
      machine({ states: { open: { always: { guard: path("ok"), target: "done" } }, done } }),
    ],
    [
      "a state that another region leads out of",
      machine({
        type: "parallel",
        states: {
          a: { initial: "x", states: { x: {}, y: done } },
          b: { initial: "x", states: { x: { on: { go: { target: ["#a.y", "#b.y"] } } }, y: done } },
        },
      }),
    ],
    [
      "regions inside of regions that end together",
      machine({
        states: {
          all: {
            type: "parallel",
            onDone: "done",
            states: {
              a: { type: "parallel", states: { b: { initial: "x", states: { x: { on: { go: "y" } }, y: done } } } },
            },
          },
          done,
        },
      }),
    ],
    [
      "a history, with and without a target of its own",
      machine({
        states: {
          open: {
            initial: "a",
            on: { pause: "paused", close: "done" },
            states: {
              a: { on: { b: "b" } },
              b: {},
              past: { type: "history" },
              ever: { type: "history", target: ".b" },
            },
          },
          paused: { on: { go: "#open.past", again: "#open.ever" } },
          done,
        },
      }),
    ],
    ["events with numbers", open({ on: { step_1: "later" } }, {}, { later: { on: { step_2: "done" } } })],
    [
      "an event and its past",
      open(
        { on: { open: "later", "order.pay": "done" } },
        {},
        { later: { on: { opened: "done", unpaid: "open", paid: "done", "order.paid": "done" } } },
      ),
    ],
    [
      "two like events that one state tells apart",
      open({ on: { packed: "done", picked: "later" } }, {}, { later: { on: { packed: "done" } } }),
    ],
    ["short events", open({ on: { yes: "later" } }, {}, { later: { on: { yeo: "done", no: "open" } } })],
    [
      "a guard that may hold",
      guarded({
        and: [{ "==": [{ var: "message.payload.a" }, "1"] }, { "==": [{ var: "message.payload.a" }, "1.0"] }],
      }),
    ],
    [
      "a guard that asks two paths",
      guarded({ and: [{ "==": [{ var: "message.payload.a" }, 1] }, { "==": [{ var: "message.payload.b" }, 2] }] }),
    ],
    [
      "a guard that asks for the same twice",
      guarded({ and: [{ "==": [{ var: "message.payload.a" }, 1] }, { "==": [{ var: "message.payload.a" }, 1] }] }),
    ],
    [
      "a guard that compares with nothing",
      guarded({
        and: [
          { "==": [{ var: "message.payload.a" }, null] },
          { "==": [{ var: "message.payload.a" }, { var: "message.id" }] },
          { "!=": [{ var: "message.payload.a" }, 1] },
        ],
      }),
    ],
    ["a guard of alternatives", guarded({ or: [{ var: "message.payload.a" }, false] })],
    ["a guard that asks for the opposite", guarded({ "!": { var: "message.payload.a" } })],
    ["a guard that always holds, alone", guarded(true)],
    ["a guard that cannot be worked out before", guarded({ "/": [1, 0] })],
    [
      "an item in a loop",
      guarded({
        some: [
          { var: "message.payload.items" },
          { "==": [{ var: "kind" }, { var: "../../execution.variables.kind" }] },
        ],
      }),
    ],
    [
      "paths that are worked out",
      guarded({ "!": [{ missing: [{ cat: ["message.payload.", { var: "message.type" }] }] }] }),
    ],
    ["a list of paths that is worked out", guarded({ missing_some: [1, { var: "execution.variables.wanted" }] })],
    ["everything that there is", guarded({ "!!": { var: "" } })],
    ["a literal with braces", open({ entry: [{ assign: { text: { preserve: { body: "{{ x }}" } } } }] })],
    [
      "names that a template makes itself",
      told(
        "{% assign total = execution.variables.a %}{% for x in message.payload.items %}{{ x }}{{ forloop.index }}{% endfor %}{{ total }}",
      ),
    ],
    ["a secret", told("Bearer {{ secrets.token }}")],
    ["a path in prose", told("variables.name and event.payload")],
    ["an object with a field of its own called in", told({ in: ["a", "b"] })],
    ["an object that another service reads as a rule", told({ var: "x" })],
    ["a part looked up by a variable", told("{{ execution.variables[message.type] }}")],
    ["a delay within the state's time", called({ delay: "PT30M" }, { after: { PT1H: "done" } })],
    ["a delay that outlives its state", called({ delay: "PT2H", cancelOnExit: false }, { after: { PT1H: "done" } })],
    ["a delay as long as the state lasts", called({ delay: "PT1H" }, { after: { PT1H: "done" } })],
    [
      "a delay beside a timer that may do nothing",
      called({ delay: "PT2H" }, { after: { PT1H: { guard: path("x"), target: "done" } } }),
    ],
    ["a delay beside a timer that comes back", called({ delay: "PT2H" }, { after: { PT1H: "open" } })],
    ["a delay that hangs on a date", called({ delay: { anchor: path("day") } }, { after: { PT1H: "done" } })],
    [
      "a delay beside a timer on a date",
      open(
        { after: { due: "done" } },
        {
          delays: { due: { anchor: path("day"), offset: "P1D" } },
          actions: [action("call", { triggerState: "open", delay: "P9D" })],
        },
      ),
    ],
    [
      "tries within the state's time",
      called(
        { timeout: 1000, retryPolicy: { maxAttempts: 9, baseDelay: 60_000, totalTimeMs: 1000 } },
        { after: { PT1H: "done" } },
      ),
    ],
    [
      "a task due within the state's time",
      called({ type: "task", config: { title: "x", dueDate: "PT10M" } }, { after: { PT1H: "done" } }),
    ],
    [
      "a task due on a day",
      called({ type: "task", config: { title: "x", dueDate: "2027-01-01" } }, { after: { PT1H: "done" } }),
    ],
    [
      "an always that does something once",
      machine({
        states: { open: { always: { actions: ["call"], guard: path("x") }, on: { close: "done" } }, done },
        actions: [action("call")],
      }),
    ],
    [
      "always from one to the next",
      machine({ states: { a: { always: "b" }, b: { always: "c" }, c: { on: { close: "done" } }, done } }),
    ],
    [
      "always into several regions",
      machine({
        states: {
          a: { always: { target: ["#p.x.t", "#p.y.t"] } },
          p: {
            type: "parallel",
            on: { close: "done" },
            states: {
              x: { initial: "s", states: { s: {}, t: { on: { s: "s" } } } },
              y: { initial: "s", states: { s: {}, t: { on: { s: "s" } } } },
            },
          },
          done,
        },
      }),
    ],
    [
      "always, where an action starts",
      machine({
        states: { a: { always: { actions: ["call"] }, on: { close: "done" } }, done },
        actions: [action("call")],
      }),
    ],
    [
      "always, into what has regions",
      machine({
        states: { a: { always: "p" }, p: { type: "parallel", on: { close: "done" }, states: { x: {} } }, done },
      }),
    ],
    ["a guard of what is always so", guarded({ and: ["x", { "==": [1, 1] }] })],
    [
      "two guards of constants and paths",
      guarded({ and: [{ "==": [1, 1] }, { "==": [{ var: "message.payload.a" }, "x"] }] }),
    ],
    [
      "the shortest of several times",
      called({ delay: "PT30M" }, { after: { PT2H: "done", PT1H: "done", PT3H: "done" } }),
    ],
    [
      "always into a past, and into regions",
      machine({
        states: {
          a: { always: "#b.past" },
          b: { initial: "x", states: { x: { on: { p: "#p", close: "#done" } }, past: { type: "history" } } },
          p: {
            type: "parallel",
            always: { target: "done", guard: path("x") },
            states: { q: { on: { close: "#done" } } },
          },
          done,
        },
      }),
    ],
  ])("%s", (_what, definition) => {
    expect(warningsOf(definition)).toEqual([]);
  });
});
