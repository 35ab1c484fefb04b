// Sends a text message through Twilio's Programmable Messaging.
import { z } from "zod";
import { attemptMs } from "#schema/defaults.ts";
import { openAccount } from "../core/account.ts";
import { send } from "../http/call.ts";
import { textAt } from "../core/json-pointer.ts";
import { failed, succeeded } from "../core/outcomes.ts";
import { absoluteUrl } from "../http/request.ts";
import type { Runner } from "../core/runner.ts";
import { segmentsOf } from "./segments.ts";
import { TWILIO_CREDENTIALS, twilioCall, undelivered, understood } from "./twilio.ts";

const MESSAGE_LENGTH_MAX = 1_600;
const e164 = z.string().regex(/^\+[1-9]\d{6,14}$/, { message: "a number in E.164 form such as +14155550123" });
/** A number, a short code, or up to eleven letters and digits with a letter among them. */
const sender = z.string().regex(/^(?:\+[1-9]\d{6,14}|\d{3,8}|(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11})$/, {
  message: "a number in E.164 form, a short code, or a sender's name of at most 11 letters and digits",
});

const smsConfig = z
  .strictObject({
    provider: z.literal("twilio").default("twilio"),
    /** The tenant's account by name; without it, its only one at the provider. */
    connection: z.string().min(1).optional(),
    to: e164,
    /** One of these; without either, the connection's own. */
    from: sender.optional(),
    messagingServiceSid: z
      .string()
      .regex(/^MG[0-9a-fA-F]{32}$/, { message: "MG and 32 hexadecimal digits" })
      .optional(),
    message: z.string().min(1).max(MESSAGE_LENGTH_MAX),
    /** Where Twilio tells what became of the message. */
    statusCallback: absoluteUrl.optional(),
  })
  .refine(({ from, messagingServiceSid }) => from === undefined || messagingServiceSid === undefined, {
    path: ["from"],
    message: "from or messagingServiceSid, not both",
  });
type SmsConfig = z.infer<typeof smsConfig>;

export const sms: Runner<SmsConfig> = {
  type: "sms",
  config: smsConfig,
  permissions: ["sms:send"],
  // Twilio has no idempotency keys for messages: a repeat after a crash is a second text.
  repeats: { mode: "none" },
  timeoutMs: attemptMs.service,
  retryPolicy: "sms",
  run: async (config, context) => {
    const startedAt = context.now();
    const span = () => ({ startedAt, endedAt: context.now() });
    const { provider, to, message } = config;
    const metadata = { provider, ...segmentsOf(message) };
    const opened = await openAccount(context, config.connection, provider, TWILIO_CREDENTIALS);
    if (!opened.ok) return failed(opened.failure, span(), metadata);
    const call = twilioCall(config, opened.connection, context);
    if ("error" in call) return failed(call, span(), metadata);
    const answer = await send(call, context);
    if (!answer.ok) return failed(understood(answer), span(), metadata);
    const failure = undelivered(answer);
    if (failure !== null) return failed(failure, span(), metadata);
    const messageId = textAt(answer.data, "/sid");
    const status = textAt(answer.data, "/status");
    const { segments } = metadata;
    const payload = { messageId, to, status, segments, actionId: context.ticket.action, provider };
    const result = { messageId, to, status, segments, provider };
    return succeeded({ result, events: [{ type: "sms_sent", payload }] }, span(), metadata);
  },
};
