// Which outcomes of attempts suppress their recipient.
import { expect, test } from "vitest";
import { refusedRecipient } from "#policy/suppressions/refused-recipient.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { JsonObject } from "#schema/json.ts";

const span = { startedAt: 0, endedAt: 1 };
const failed = (code?: string): Outcome => ({
  ok: false,
  error: { type: "x", message: "x", retryable: false, ...(code === undefined ? {} : { code }) },
  ...span,
});

test.each<readonly [string, JsonObject, Outcome, object | null]>([
  ["push", { token: "t" }, failed("subscription_gone"), { channel: "push", address: "t", reason: "gone" }],
  [
    "push",
    { subscription: { endpoint: "https://push.example/1" } },
    failed("subscription_gone"),
    { channel: "push", address: "https://push.example/1", reason: "gone" },
  ],
  ["push", { topic: "news" }, failed("subscription_gone"), null],
  ["push", { token: "t" }, failed("unavailable"), null],
  ["sms", { to: "+1" }, failed("recipient_unsubscribed"), { channel: "sms", address: "+1", reason: "unsubscribe" }],
  [
    "sms",
    { phoneNumber: "+2" },
    failed("recipient_unsubscribed"),
    { channel: "sms", address: "+2", reason: "unsubscribe" },
  ],
  ["sms", {}, failed("recipient_unsubscribed"), null],
  ["sms", { to: "+1" }, failed(), null],
  ["email", { to: "a@example.com" }, failed("recipient_unsubscribed"), null],
  ["sms", { to: "+1" }, { ok: true, result: null, events: [], ...span }, null],
])("%s %j", (type, config, outcome, expected) => {
  expect(refusedRecipient(type, config, outcome)).toEqual(expected);
});
