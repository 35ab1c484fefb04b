// Planted faults: states without exits, and events without listeners.
import { action } from "#test/support/drive.ts";
import { done, add, put, drop, shop, states, calling, heard, regions, type Planted } from "./shop.ts";

export const statesAndEvents: readonly Planted[] = [
  {
    fault: "a state that nothing leads into",
    definition: states({ on: { close: "done" } }, { lost: { on: { found: "done" } } }),
    code: "unreachable_state",
    pointer: "/states/lost",
    mend: [add("/states/open/on/lose", "lost")],
  },
  {
    fault: "states that lead into each other only",
    definition: states(
      { on: { close: "done" } },
      { here: { initial: "in", states: { in: { on: { go: "out" } }, out: { on: { back: "in" } } } } },
    ),
    code: "unreachable_state",
    pointer: "/states/here",
    mend: [add("/states/open/on/lose", "here")],
  },
  {
    fault: "an inner state that is not the initial one",
    definition: states({ initial: "a", on: { close: "done" }, states: { a: {}, b: {} } }),
    code: "unreachable_state",
    pointer: "/states/open/states/b",
    mend: [drop("/states/open/states/b")],
  },
  {
    fault: "a region's second state",
    definition: regions(
      { initial: "a", states: { a: { on: { x: "end" } }, end: done, b: { on: { y: "end" } } } },
      { initial: "c", states: { c: { on: { z: "d" } }, d: done } },
    ),
    code: "unreachable_state",
    pointer: "/states/open/states/left/states/b",
    mend: [add("/states/open/states/left/states/a/on/w", "b")],
  },
  {
    fault: "a state that nothing leads out of",
    definition: states({ on: { close: "done", hang: "stuck" } }, { stuck: {} }),
    code: "dead_end",
    pointer: "/states/stuck",
  },
  {
    fault: "a state that only records its action's result",
    definition: states(
      { on: { close: "done", call: "calling" } },
      { calling: { on: { "action.call.ok": { assign: { n: 1 } }, "action.call.failed": {} } } },
      { actions: [action("call", { triggerState: "calling" })] },
    ),
    code: "dead_end",
    pointer: "/states/calling",
    mend: [put("/states/calling/on/action.call.ok", { assign: { n: 1 }, target: "done" })],
  },
  {
    fault: "an inner state without a way out",
    definition: states(
      { initial: "a", states: { a: { on: { b: "b" } }, b: {} } },
      {},
      { states: { open: { initial: "a", states: { a: { on: { b: "b", close: "#done" } }, b: {} } }, done } },
    ),
    code: "dead_end",
    pointer: "/states/open/states/b",
    mend: [add("/states/open/states/b/on", { back: "a" })],
  },
  {
    fault: "a nested final state whose end is not handled",
    definition: states({ initial: "a", states: { a: { on: { b: "b", close: "#done" } }, b: done } }),
    code: "dead_end",
    pointer: "/states/open/states/b",
    mend: [add("/states/open/onDone", "done")],
  },
  {
    fault: "a region that keeps the others from ending",
    definition: regions(
      { initial: "a", states: { a: {} } },
      { initial: "c", states: { c: { on: { z: "d" } }, d: done } },
    ),
    code: "dead_end",
    pointer: "/states/open/states/left/states/a",
    mend: [add("/states/open/states/left/states/a/type", "final")],
  },
  {
    fault: "waiting for a success only",
    definition: calling({}, { on: { "action.call.ok": "done" } }),
    code: "failure_unhandled",
    pointer: "/states/open/on/action.call.ok",
  },
  {
    fault: "waiting for a success only, fixed by a listener",
    definition: calling({}, { on: { "action.call.ok": "done" } }),
    code: "failure_unhandled",
    pointer: "/states/open/on/action.call.ok",
    mend: [add("/states/open/on/action.call.failed", "done")],
  },
  {
    fault: "waiting for a success of an action that a transition starts",
    definition: states(
      { on: { call: { target: "calling", actions: ["call"] } } },
      { calling: { on: { "action.call.ok": "done" } } },
      { actions: [action("call")] },
    ),
    code: "failure_unhandled",
    pointer: "/states/calling/on/action.call.ok",
  },
  {
    fault: "waiting for a success in the state around",
    definition: states(
      { initial: "a", on: { "action.call.ok": "done" }, states: { a: { entry: ["call"] } } },
      {},
      { actions: [action("call")] },
    ),
    code: "failure_unhandled",
    pointer: "/states/open/on/action.call.ok",
  },
  {
    fault: "waiting for a success, where something else may come",
    definition: calling({}, { on: { "action.call.ok": "done", cancel: "done" } }),
    code: "failure_unhandled",
    pointer: "/states/open/on/action.call.ok",
    severity: "hint",
  },
  {
    fault: "an event of exhaustion that is not listened for either",
    definition: calling({ onExhausted: { event: "gave_up" } }, { on: { "action.call.ok": "done" } }),
    code: "failure_unhandled",
    pointer: "/states/open/on/action.call.ok",
    mend: [add("/states/open/on/gave_up", "done")],
  },
  {
    fault: "waiting for what may be skipped",
    definition: calling({ maxLateness: "PT1H" }, { on: heard }),
    code: "skip_unhandled",
    pointer: "/states/open/on/action.call.ok",
    mend: [add("/states/open/on/action.call.skipped", "done")],
  },
  {
    fault: "an action that nothing starts",
    definition: shop({ actions: [action("call")] }),
    code: "action_never_started",
    pointer: "/actions/0",
    mend: [add("/actions/0/triggerState", "open")],
  },
  {
    fault: "one event, spelt in two ways",
    definition: states(
      { on: { paid: "packing" } },
      { packing: { on: { paid: "done", sent: "asking" } }, asking: { on: { payed: "done" } } },
    ),
    code: "event_misspelt",
    pointer: "/states/asking/on/payed",
    severity: "hint",
  },
  {
    fault: "an event with a letter more",
    definition: states(
      { on: { go: "next", "order.canceled": "done" } },
      { next: { on: { "order.cancelled": "done" } } },
    ),
    code: "event_misspelt",
    pointer: "/states/next/on/order.cancelled",
    severity: "hint",
  },
  {
    fault: "an event with two letters swapped",
    definition: states(
      { on: { go: "next", recieved: "done" } },
      { next: { on: { received: "open" } }, last: { on: { received: "done" } } },
      { on: { last: "last" } },
    ),
    code: "event_misspelt",
    pointer: "/states/open/on/recieved",
    severity: "hint",
  },
];
