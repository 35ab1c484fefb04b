// Definitions that look faulty in schemas, ends or loops, but are sound, get no warning.
import { describe, expect, test } from "vitest";
import { verify, warningsOf } from "#test/kernel/verify/at-once.ts";
import { machineDefinition } from "#schema/definition/definition.ts";
import { action } from "#test/support/drive.ts";
import { asking, regions, sending, setting, shop, states, taking } from "./planted/shop.ts";

const path = (name: string) => ({ var: name });
const days = path("execution.variables.days");
const done = { type: "final" };
const input = {
  type: "object",
  properties: {
    days: { type: "integer" },
    kind: { enum: ["private", "company", null] },
    items: { type: "array", items: { type: "object" } },
    either: { anyOf: [{ type: "string" }, { type: "object" }] },
    also: { $ref: "#/$defs/part", minProperties: 1 },
    part: { $ref: "#/$defs/part", description: "One of them." },
    round: { $ref: "#/$defs/round" },
    any: true,
    prices: { type: "object", additionalProperties: { type: "number" } },
    name: { type: ["string", "null"] },
    only: { const: "x" },
  },
  required: ["days", "part", "only"],
  additionalProperties: false,
  $defs: {
    part: {
      type: "object",
      properties: { n: { type: "number" }, m: {} },
      required: ["n", "m"],
      additionalProperties: false,
    },
    round: { anyOf: [{ $ref: "#/$defs/part" }] },
  },
};
const events = {
  close: {
    type: "object",
    properties: { amount: { type: "number" } },
    required: ["amount"],
    additionalProperties: false,
  },
};
const child = (part: object = {}) =>
  action("begin", { type: "start_execution", config: { definition: "other", wait: true, ...part } });
const task = (part: object = {}) => action("ask", { type: "task", config: { title: "Look" }, ...part });
const heard = { "action.begin.failed": "done" };

describe("no fault is", () => {
  test.each<[string, object]>([
    ["a variable that some rule sets, although no start brings it", setting(path("execution.variables.x"), { input })],
    [
      "a variable that begins with a value",
      setting(path("execution.variables.no"), { input, variables: { no: null } }),
    ],
    ["what is inside such a variable", setting(path("execution.variables.part.q"), { input, variables: { part: {} } })],
    [
      "an item of a list, and its length",
      setting({ cat: [path("execution.variables.items.length"), path("execution.variables.items.0.n")] }, { input }),
    ],
    [
      "how many there are, in a template",
      sending(
        "{{ execution.variables.items.size }} {{ execution.variables.name.size }} {{ execution.variables.items.first }}",
        { input },
      ),
    ],
    ["what is inside of one of several", setting(path("execution.variables.either.a"), { input })],
    [
      "what is inside of what several speak of",
      setting({ cat: [path("execution.variables.also.q"), path("execution.variables.round.q")] }, { input }),
    ],
    ["what is inside of anything", setting(path("execution.variables.any.q.r"), { input })],
    ["what is inside of what is referred to", setting(path("execution.variables.part.n"), { input })],
    ["an additional property", setting(path("execution.variables.prices.chf"), { input })],
    [
      "another variable where others may come",
      setting(path("execution.variables.coupon"), { input: { properties: { total: {} } } }),
    ],
    ["all variables at once", setting(path("execution.variables"), { input })],
    ["a variable where none are declared", setting(path("execution.variables.q"), { input: {} })],
    ["the whole payload", setting(path("message.payload"), { events })],
    ["the message's own", setting(path("message.id"), { events })],
    [
      "a payload of an event that is not declared",
      states(
        { on: { close: "done", other: { assign: { x: path("message.payload.q") }, target: "done" } } },
        {},
        { events },
      ),
    ],
    [
      "a payload of whatever comes",
      states({ on: { close: "done", "*": { assign: { x: path("message.payload.q") } } } }, {}, { events }),
    ],
    [
      "a payload of an unknown event",
      states({ entry: [{ assign: { x: path("message.payload.q") } }], on: { close: "done" } }, {}, { events }),
    ],
    ["a payload in a template", { ...sending("{{ message.payload.q }}"), events }],
    [
      "a declared event that is taken with all others",
      states({ on: { close: "done", "*": {} } }, {}, { events: { ...events, opened: {} } }),
    ],
    ["asking whether a kind is there", asking({ "==": [path("execution.variables.kind"), null] }, { input })],
    [
      "comparing with a kind that there is",
      asking({ "===": ["company", path("execution.variables.kind")] }, { input }),
    ],
    ["a number as a text, where types are mixed", asking({ "==": [path("message.payload.amount"), "5"] }, { events })],
    ["a number for a whole one", asking({ "===": [path("execution.variables.days"), 5] }, { input })],
    [
      "comparing two that come",
      asking({ "==": [path("execution.variables.kind"), path("execution.variables.name")] }, { input }),
    ],
    [
      "comparing with what is worked out",
      asking({ "==": [{ cat: ["a"] }, path("execution.variables.kind")] }, { input }),
    ],
    ["comparing its default", asking({ "==": [{ var: ["execution.variables.kind", "none"] }, "none"] }, { input })],
    ["a part of a text", asking({ in: [path("execution.variables.kind"), "private or company"] }, { input })],
    [
      "what is worked out, in a list",
      asking({ in: [path("execution.variables.kind"), [path("message.id"), "private"]] }, { input }),
    ],
    ["a text in a list of what comes", asking({ in: ["a", path("execution.variables.items")] }, { input })],
    [
      "comparing an item in a loop",
      asking({ some: [path("execution.variables.items"), { "==": [path("kind"), "q"] }] }, { input }),
    ],
    [
      "a literal that looks like a comparison",
      setting({ preserve: { "==": [path("execution.variables.kind"), "q"] } }, { input }),
    ],
    [
      "an ordering of what always comes",
      asking({ and: [{ ">": [days, 1] }, { ">": [path("execution.variables.part.n"), 1] }] }, { input }),
    ],
    ["an ordering of what is one thing only", asking({ ">": [path("execution.variables.only"), "a"] }, { input })],
    ["an ordering of what a payload always brings", asking({ ">": [path("message.payload.amount"), 1] }, { events })],
    ["a list with a number of operands of its own", asking({ "!!": [path("execution.variables.days")] }, { input })],

    [
      "waiting for a child with a limit of time",
      states({ entry: ["begin"], on: { child_completed: "done" }, after: { P1D: "done" } }, {}, { actions: [child()] }),
    ],
    [
      "hearing of everything that is not a child's success",
      states({ entry: ["begin"], on: { child_completed: "done", "*": "done" } }, {}, { actions: [child()] }),
    ],
    [
      "hearing of a child's failing in another region",
      {
        ...regions(
          {
            initial: "a",
            states: { a: { entry: ["begin"], on: { child_completed: "b", "action.begin.failed": "#done" } }, b: done },
          },
          { initial: "a", states: { a: { on: { child_failed: "#done", child_canceled: "#done", go: "b" } }, b: done } },
        ),
        actions: [child()],
      },
    ],
    [
      "a child that may be waited for",
      states(
        { entry: ["begin"], on: { ...heard, child_completed: "done", child_failed: "done", child_canceled: "done" } },
        {},
        { actions: [child({ wait: "{{ execution.variables.waits }}" })] },
      ),
    ],
    [
      "an event of exhaustion that is called like a task's end",
      states(
        { entry: ["call"], on: { task_completed: "done", close: "done" } },
        {},
        { actions: [action("call", { onExhausted: { event: "task_completed" } })] },
      ),
    ],
    [
      "a task and both of its ends",
      states({ entry: ["ask"], on: { task_completed: "done", task_canceled: "done" } }, {}, { actions: [task()] }),
    ],
    [
      "waiting for what several may say",
      states(
        { entry: ["one", "two"], on: { webhook_called: "done" } },
        {},
        { actions: [action("one"), action("two")] },
      ),
    ],
    [
      "waiting for what another kind of action says",
      states({ entry: ["call"], on: { sent: "done" } }, {}, { actions: [action("call", { type: "fax" })] }),
    ],
    [
      "waiting for an event from outside",
      states({ entry: ["call"], on: { email_sent: "done", close: "done" } }, {}, { actions: [action("call")] }),
    ],

    [
      "an always that counts",
      states(
        { always: { guard: { "<": [days, 3] }, assign: { days: { "+": [days, 1] } } }, on: { close: "done" } },
        {},
        { variables: { days: 0 } },
      ),
    ],
    [
      "an always to itself that counts",
      states(
        {
          always: { target: "open", guard: { "<": [days, 3] }, assign: { days: { "+": [days, 1] } } },
          on: { close: "done" },
        },
        {},
        { variables: { days: 0 } },
      ),
    ],
    [
      "an always that begins anew",
      states({
        always: { target: "open", guard: path("execution.variables.again"), reenter: true },
        on: { close: "done" },
      }),
    ],
    [
      "a loop that coming in ends",
      states(
        { always: { target: "b", guard: { "!": [path("execution.variables.seen")] } }, on: { close: "done" } },
        { b: { entry: [{ assign: { seen: true } }], always: "open" } },
      ),
    ],
    [
      "a loop whose guard reads everything",
      states(
        { on: { close: "done", go: "a" } },
        {
          a: { always: { target: "b", guard: { "!": [{ missing: ["execution.variables"] }] } }, on: { close: "done" } },
          b: { exit: [{ assign: { seen: true } }], always: "a" },
        },
      ),
    ],
    [
      "a loop with two guards",
      states(
        { always: { target: "b", guard: path("execution.variables.a") }, on: { close: "done" } },
        { b: { always: { target: "open", guard: path("execution.variables.b") }, on: { close: "done" } } },
      ),
    ],
    [
      "bounds that leave one number",
      asking({ and: [{ ">=": [days, 3] }, { "<=": [days, 3] }] }, { variables: { days: 0 } }),
    ],
    [
      "bounds of two paths",
      asking({ and: [{ ">": [days, 5] }, { "<": [path("now"), 3] }] }, { variables: { days: 0 } }),
    ],
    [
      "something that is itself",
      asking({ and: [{ "<=": [days, days] }, { "!=": [days, 1] }] }, { variables: { days: 0 } }),
    ],
    ["asking for its own type of event", asking({ "==": [path("message.type"), "close"] })],
    [
      "asking for the type of whatever comes",
      states({ on: { close: "done", "*": { guard: { "==": [path("message.type"), "x"] }, target: "done" } } }),
    ],
    [
      "a type that is an item's",
      taking({ guard: { some: [path("message.payload.all"), { "==": [path("message.type"), "x"] }] } }),
    ],
  ])("%s", (_what, body) => {
    const definition = machineDefinition.parse(body);
    expect(warningsOf(definition)).toEqual([]);
    expect(verify(definition)).toEqual([]);
  });
});

test("what cannot be a declaration at all keeps nothing from being warned of", () => {
  const round = { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } };
  const definition = machineDefinition.parse(setting(path("execution.variables.a.b"), { input: round }));
  expect(warningsOf(definition)).toEqual([]);
  expect(verify(definition)).toMatchObject([{ code: "schema_loop" }]);
});

test("a shop is sound", () => {
  expect(warningsOf(machineDefinition.parse(shop({})))).toEqual([]);
});
