// Text message runner: sends a message through Twilio's Programmable Messaging.
import type { Json, JsonObject } from "#schema/json.ts";
import { attemptMs } from "#schema/defaults.ts";
import { openAccount } from "../core/account.ts";
import { incompleteNote, send } from "../http/call.ts";
import { textAt } from "#schema/provider/json-pointer.ts";
import { failureOutcome, successOutcome } from "../core/outcomes.ts";
import type { Runner } from "../core/runner.ts";
import { smsConfig, type SmsConfig } from "./config.ts";
import { segmentsOf } from "./segments.ts";
import { TWILIO_CREDENTIALS, twilioCall, failedDelivery, twilioFailure } from "./twilio.ts";

export const sms: Runner<SmsConfig> = {
  type: "sms",
  config: smsConfig,
  permissions: ["sms:send"],
  // Twilio has no idempotency keys for messages, so a repeat after a crash sends a second message.
  repeats: { mode: "none" },
  recipients: {
    of: ({ to, heedSuppressions = true }) => ({ channel: "sms", addresses: [to], isHeeding: heedSuppressions }),
    without: () => null,
  },
  timeoutMs: attemptMs.service,
  retryPolicy: "sms",
  run: async (config, context) => {
    const startedAt = context.now();
    const span = () => ({ startedAt, endedAt: context.now() });
    const { provider, channel, to, sendAt } = config;
    const parts = partsOf(config);
    const metadata = { provider, channel, ...parts };
    const opened = await openAccount(context, config.connection, provider, TWILIO_CREDENTIALS);
    if (!opened.ok) return failureOutcome(opened.failure, span(), metadata);
    const call = twilioCall(config, opened.connection, context);
    if ("error" in call) return failureOutcome(call, span(), metadata);
    const answer = await send(call, context);
    if (!answer.ok) return failureOutcome(twilioFailure(answer), span(), metadata);
    const failure = failedDelivery(answer);
    if (failure !== null) return failureOutcome(failure, span(), metadata);
    const messageId = textAt(answer.data, "/sid");
    const status = textAt(answer.data, "/status");
    const segments: Json = parts["segments"] ?? null;
    const result = { messageId, to, channel, status, segments, provider, ...(sendAt === undefined ? {} : { sendAt }) };
    const payload = { ...result, actionId: context.ticket.action };
    const resultWithNote = { ...result, ...incompleteNote(answer) };
    return successOutcome({ result: resultWithNote, events: [{ type: "sms_sent", payload }] }, span(), metadata);
  },
};

/** Counts the segments of a plain SMS. Messages with files have no segments, and shortened links change the count. */
function partsOf({ channel, message, mediaUrls, shortenUrls }: SmsConfig): JsonObject {
  const isPlain = channel === "sms" && message !== undefined && mediaUrls === undefined && shortenUrls !== true;
  return isPlain ? segmentsOf(message) : {};
}
