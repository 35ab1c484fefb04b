// Sound definitions of whole processes that wait for other services and for each other: no warning is expected.
import { done, failed, hook, p, v } from "./parts.ts";

export const withMachines: { readonly [what: string]: object } = {
  "a child for each of two parts, side by side": {
    initial: "both",
    states: {
      both: {
        type: "parallel",
        onDone: "done",
        on: {
          child_failed: "given_up",
          child_canceled: "given_up",
          "action.one.failed": "given_up",
          "action.two.failed": "given_up",
        },
        states: {
          first: {
            initial: "running",
            states: {
              running: { on: { child_completed: { guard: { "==": [p("actionId"), "one"] }, target: "over" } } },
              over: done,
            },
          },
          second: {
            initial: "running",
            states: {
              running: { on: { child_completed: { guard: { "==": [p("actionId"), "two"] }, target: "over" } } },
              over: done,
            },
          },
        },
      },
      given_up: failed,
      done,
    },
    actions: ["one", "two"].map((actionId) => ({
      actionId,
      type: "start_execution",
      triggerState: "both",
      config: { definition: "part", wait: true, variables: { of: "{{ execution.id }}" } },
    })),
  },
  "polling until it is ready": {
    variables: { tries: 0 },
    initial: "asking",
    states: {
      asking: {
        entry: [{ assign: { tries: { "+": [v("tries"), 1] } } }],
        on: {
          "action.look.ok": [
            { guard: { "==": [p("result.body.status"), "ready"] }, target: "ready" },
            { target: "waiting" },
          ],
          "action.look.failed": "waiting",
        },
      },
      waiting: { always: { guard: { ">=": [v("tries"), 50] }, target: "given_up" }, after: { PT5M: "asking" } },
      ready: done,
      given_up: failed,
    },
    actions: [
      {
        actionId: "look",
        type: "api_call",
        triggerState: "asking",
        config: { url: "https://crm.example/jobs/{{ execution.variables.job }}", method: "GET" },
      },
    ],
  },
  "a token that is minted, and an owner that is notified": {
    initial: "minting",
    states: {
      minting: {
        on: { nft_minted: { assign: { token: p("tokenId") }, target: "telling" }, "action.mint.failed": "failed" },
      },
      telling: { on: { "action.tell.ok": "done", "action.tell.failed": "done" } },
      failed,
      done,
    },
    actions: [
      {
        actionId: "mint",
        type: "blockchain_mint",
        triggerState: "minting",
        priority: 95,
        config: { contract: "0x1", to: "{{ execution.variables.wallet }}" },
      },
      {
        actionId: "tell",
        type: "push",
        triggerState: "telling",
        config: { title: "Yours", body: "Token {{ execution.variables.token }}" },
      },
    ],
  },
  "numbers every morning, until they are canceled": {
    initial: "on",
    states: { on: { on: { stop: "off" } }, off: { on: { start: "on", end: "done" } }, done },
    actions: [
      {
        actionId: "report",
        type: "database",
        triggerState: "on",
        schedule: "0 7 * * MON-FRI",
        timezone: "Europe/Zurich",
        config: { database: "crm", sql: "select 1", params: ["{{ now }}"] },
      },
      {
        actionId: "count",
        type: "worker",
        triggerState: "on",
        schedule: "0 8 * * MON-FRI",
        timezone: "Europe/Zurich",
        config: { service: "shop", method: "count", input: { at: "{{ now }}" } },
      },
    ],
  },
  "regions that know of each other": {
    type: "parallel",
    states: {
      door: { initial: "closed", states: { closed: { on: { open: "opened" } }, opened: { on: { close: "closed" } } } },
      light: {
        initial: "off",
        states: {
          off: { on: { open: { guard: { "<": [{ var: ["message.payload.lux", 0] }, 50] }, target: "on" } } },
          on: { after: { PT10M: "off" }, on: { close: { target: "off" } } },
        },
      },
    },
  },
  "one execution that starts another, and waits for nothing": {
    initial: "telling",
    states: { telling: { on: { event_sent: "done", "action.tell.failed": "lost" } }, lost: failed, done },
    actions: [
      {
        actionId: "tell",
        type: "send_event",
        triggerState: "telling",
        config: {
          execution: "{{ execution.variables.other }}",
          type: "ready",
          payload: { from: "{{ execution.id }}" },
        },
      },
    ],
  },
  "a saga that takes back what it did": {
    initial: "flight",
    states: {
      flight: { on: { "action.book_flight.ok": "hotel", "action.book_flight.failed": "nothing" } },
      hotel: { on: { "action.book_hotel.ok": "booked", "action.book_hotel.failed": "taking_back" } },
      taking_back: { on: { "action.cancel_flight.ok": "nothing" } },
      booked: done,
      nothing: failed,
    },
    actions: [
      hook("book_flight", { triggerState: "flight", retryPolicy: "reaction" }),
      hook("book_hotel", { triggerState: "hotel", timeout: 20_000 }),
      hook("cancel_flight", { triggerState: "taking_back", onExhausted: "pause" }),
    ],
  },
  "stages inside of stages, each with an end": {
    initial: "build",
    states: {
      build: {
        initial: "compile",
        onDone: "release",
        on: { abort: "aborted" },
        states: {
          compile: { on: { compiled: "test" } },
          test: {
            type: "parallel",
            onDone: "packed",
            states: {
              unit: { initial: "run", states: { run: { on: { "unit.passed": "ok" } }, ok: done } },
              e2e: {
                initial: "run",
                states: {
                  run: { on: { "e2e.passed": "ok", "e2e.flaky": { target: "run", reenter: true } } },
                  ok: done,
                },
              },
            },
          },
          packed: done,
        },
      },
      release: { always: [{ guard: v("dryRun"), target: "done" }], on: { approved: "done", abort: "aborted" } },
      aborted: failed,
      done,
    },
  },
  "a delay that is only a moment": {
    initial: "waiting",
    states: { waiting: { on: { delay_elapsed: "done", "action.later.failed": "done" } }, done },
    actions: [{ actionId: "later", type: "delay", triggerState: "waiting", delay: "PT10M", config: {} }],
  },
  "a call of a contract, and a page to sign": {
    initial: "calling",
    states: {
      calling: { on: { contract_called: "signing", "action.call.failed": "failed" } },
      signing: {
        on: { recipient_view_created: { assign: { page: p("url") } }, signed: "done", "action.view.failed": "failed" },
      },
      failed,
      done,
    },
    actions: [
      {
        actionId: "call",
        type: "contract_call",
        triggerState: "calling",
        config: { contract: "0x1", method: "pay()", account: "{{ secrets.wallet }}" },
      },
      {
        actionId: "view",
        type: "docusign_recipient_view",
        triggerState: "signing",
        config: { envelopeId: "{{ execution.variables.envelope }}", returnUrl: "https://example.com" },
      },
    ],
  },
};
