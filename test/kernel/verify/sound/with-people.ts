// Sound definitions of whole processes that wait for people: no warning is expected.
import { done, failed, hook, p, v } from "./parts.ts";

export const withPeople: { readonly [what: string]: object } = {
  "dunning in steps, each later than the last": {
    variables: { reminders: 0, paid: 0, total: 100 },
    on: {
      "payment.received": [
        {
          guard: { ">=": [{ "+": [v("paid"), { var: ["message.payload.amount", 0] }] }, v("total")] },
          target: ".paid",
        },
        { assign: { paid: { "+": [v("paid"), { var: ["message.payload.amount", 0] }] } } },
      ],
    },
    initial: "open",
    states: {
      open: { after: { P14D: "reminding" } },
      reminding: {
        entry: [{ assign: { reminders: { "+": [v("reminders"), 1] } } }, "remind"],
        after: {
          P7D: [{ guard: { "<": [v("reminders"), 3] }, target: "reminding", reenter: true }, { target: "collecting" }],
        },
      },
      collecting: {
        entry: ["hand_over"],
        on: { "action.hand_over.ok": "handed_over", "action.hand_over.failed": "stuck" },
      },
      stuck: { on: { again: "collecting" } },
      paid: done,
      handed_over: failed,
    },
    actions: [
      {
        actionId: "remind",
        type: "email",
        config: {
          to: "{{ execution.variables.email }}",
          subject: "{{ execution.variables.reminders }}. reminder",
          text: "{{ execution.variables.total | minus: execution.variables.paid }} are open.",
        },
      },
      hook("hand_over"),
    ],
  },
  "an approval by a person, with a reminder, and an end of patience": {
    initial: "asking",
    states: {
      asking: {
        on: {
          task_completed: [
            { guard: { "==": [p("result.approved"), true] }, target: "approved" },
            { target: "refused" },
          ],
          task_canceled: "refused",
          task_reminder: { actions: ["nudge"] },
        },
        after: { P14D: "refused" },
      },
      approved: done,
      refused: failed,
    },
    actions: [
      {
        actionId: "ask",
        type: "task",
        triggerState: "asking",
        config: { title: "Approve {{ execution.id }}", dueDate: "P10D", reminder: { every: "P3D" } },
      },
      {
        actionId: "nudge",
        type: "slack",
        config: { channel: "#approvals", text: "Still open: {{ message.payload.title }}" },
      },
    ],
  },
  "a pause that comes back to where it was": {
    initial: "working",
    states: {
      working: {
        initial: "draft",
        on: { hold: "held", cancel: "canceled" },
        states: {
          draft: { on: { submit: "review" } },
          review: { on: { accept: "#done", reject: "draft" } },
          past: { type: "history", history: "deep" },
        },
      },
      held: { on: { resume: "#working.past", cancel: "canceled" }, after: { P90D: "canceled" } },
      canceled: failed,
      done,
    },
  },
  "a contract that is signed, with its outcomes": {
    initial: "sending",
    states: {
      sending: {
        on: { envelope_sent: { assign: { envelope: p("envelopeId") }, target: "out" }, "action.send.failed": "failed" },
      },
      out: {
        on: {
          envelope_completed: { guard: { "===": [p("envelopeId"), v("envelope")] }, target: "signed" },
          envelope_declined: "refused",
          envelope_voided: "refused",
        },
        after: { reminder: { actions: ["tell"] }, P60D: "refused" },
      },
      signed: done,
      refused: failed,
      failed,
    },
    delays: { reminder: { offset: "P5D", at: "09:00" } },
    actions: [
      {
        actionId: "send",
        type: "docusign_envelope",
        triggerState: "sending",
        config: {
          templateId: "t",
          recipients: [{ role: "Tenant", name: "Ada", email: "{{ execution.variables.email }}" }],
        },
      },
      { actionId: "tell", type: "sms", config: { to: "{{ execution.variables.phone }}", body: "Please sign." } },
    ],
  },
  "a lease with dates that move": {
    timezone: "Europe/Zurich",
    delays: {
      end: { anchor: v("endsOn"), at: "09:00", ifPast: "run" },
      notice: { anchor: v("endsOn"), offset: "-P3M" },
    },
    initial: "running",
    states: {
      running: { on: { "notice.received": { assign: { endsOn: p("on") }, target: "ending" } } },
      ending: { after: { notice: { actions: ["advertise"] }, end: "over" }, on: { "notice.withdrawn": "running" } },
      over: {
        on: {
          "action.hand_over.ok": "done",
          "action.hand_over.failed": "checking",
          "action.hand_over.skipped": "done",
        },
      },
      checking: { on: { checked: "done" } },
      done,
    },
    actions: [
      hook("advertise"),
      hook("hand_over", {
        triggerState: "over",
        maxLateness: "P1D",
        validUntil: { "+": [{ date: [v("endsOn")] }, { duration: ["P30D"] }] },
      }),
    ],
  },
  "something declared, from the first to the last": {
    input: {
      type: "object",
      properties: {
        kind: { enum: ["private", "company"] },
        total: { type: "integer", minimum: 0 },
        customer: {
          type: "object",
          properties: { email: { type: "string", format: "email" }, name: { type: "string" } },
          required: ["email"],
        },
        items: {
          type: "array",
          items: { type: "object", properties: { sku: { type: "string" }, n: { type: "integer" } } },
        },
      },
      required: ["kind", "total", "customer"],
      additionalProperties: false,
    },
    events: {
      paid: {
        type: "object",
        properties: { amount: { type: "integer" }, by: { enum: ["card", "cash"] } },
        required: ["amount", "by"],
      },
    },
    variables: { paid: 0, note: null },
    initial: "open",
    states: {
      open: {
        on: {
          paid: [
            { guard: { and: [{ "==": [p("by"), "cash"] }, { ">": [p("amount"), 1000] }] }, target: "checking" },
            { guard: { ">=": [{ "+": [v("paid"), p("amount")] }, v("total")] }, target: "over" },
            {
              assign: {
                paid: { "+": [v("paid"), p("amount")] },
                note: { cat: [v("customer.name"), " ", v("items.0.sku")] },
              },
            },
          ],
        },
      },
      checking: { on: { cleared: "over", refused: "lost" } },
      over: done,
      lost: failed,
    },
    actions: [
      {
        actionId: "thank",
        type: "email",
        triggerState: "over",
        condition: { "===": [v("kind"), "private"] },
        config: {
          to: "{{ execution.variables.customer.email }}",
          subject: "Thank you",
          text: "{% for item in execution.variables.items %}{{ item.n }} × {{ item.sku }}\n{% endfor %}{{ execution.variables.note }}",
        },
      },
    ],
  },
  "a trial that everything may end": {
    initial: "trial",
    on: { "account.deleted": ".gone" },
    states: {
      trial: {
        initial: "fresh",
        after: { P14D: "over" },
        on: { subscribed: "customer" },
        states: {
          fresh: { after: { P7D: "halfway" } },
          halfway: { entry: ["hint"], after: { P5D: "ending" } },
          ending: { entry: ["warn"] },
        },
      },
      over: { after: { P30D: "gone" }, on: { subscribed: "customer" } },
      customer: { on: { canceled: "over" } },
      gone: { entry: ["forget"], type: "final" },
    },
    actions: [hook("hint"), hook("warn", { cancelOnExit: false }), hook("forget")],
  },
};
