// Twilio: builds the request of a message and classifies refusals. A part of the SMS runner.
import type { JsonObject } from "#schema/json.ts";
import { ANSWER_BYTES_MAX, MESSAGE_EXCERPT_CHARS_MAX } from "#schema/limits/outgoing/responses.ts";
import { endpointUrl, credential, secretsIn, setting } from "../core/account.ts";
import { base64, utf8 } from "../core/bytes.ts";
import { configurationFailure, type Failure } from "../core/classify.ts";
import { answerDetails, type HttpAnswer, type HttpCall, type HttpRefusal } from "../http/call.ts";
import { textAt, valueAt } from "#schema/provider/json-pointer.ts";
import { callbackUrl } from "../core/callback-reference.ts";
import { refineRefusal } from "../core/refine-refusal.ts";
import type { OpenConnection, RunnerContext } from "../core/runner.ts";
import type { SmsConfig } from "./config.ts";
import { smsMeaning } from "./twilio-errors.ts";

/** The accepted credentials: the account's auth token, or one of its API keys. */
export const TWILIO_CREDENTIALS = [
  ["accountSid", "authToken"],
  ["accountSid", "apiKeySid", "apiKeySecret"],
];

/** The shortest time between now and a scheduled message that Twilio accepts, in milliseconds. */
const SCHEDULED_MS_MIN = 15 * 60_000;
const SCHEDULED_MS_MAX = 35 * 24 * 60 * 60_000;

export function twilioCall(config: SmsConfig, connection: OpenConnection, context: RunnerContext): HttpCall | Failure {
  const accountSid = credential(connection, "accountSid");
  const user = credential(connection, "apiKeySid") || accountSid;
  const password = credential(connection, "apiKeySecret") || credential(connection, "authToken");
  // Twilio has one address for callbacks, and the config's own address is used if there is one.
  const statusCallback = config.statusCallback ?? callbackUrl(connection, context) ?? undefined;
  const form = formOf({ ...config, statusCallback }, senderOf(config, connection), context.now());
  if ("error" in form) return form;
  const basic = base64(utf8(`${user}:${password}`));
  return {
    method: "POST",
    url: endpointUrl(
      connection,
      "https://api.twilio.com",
      `/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`,
    ),
    headers: new Headers({
      Authorization: `Basic ${basic}`,
      "Content-Type": "application/x-www-form-urlencoded",
      "Idempotency-Key": context.ticket.idempotencyKey, // Twilio ignores this header; proxies may read it.
    }),
    body: form.toString(),
    secrets: [...secretsIn(connection), basic],
    answerBytesMax: ANSWER_BYTES_MAX,
  };
}

type Sender = { readonly from: string; readonly service: string };

/** Returns the sender. If the config names a sender, both sender values of the connection are ignored. */
function senderOf({ from = "", messagingServiceSid: service = "" }: SmsConfig, connection: OpenConnection): Sender {
  if (from !== "" || service !== "") return { from, service };
  const ownServiceSid = setting(connection, "messagingServiceSid");
  return ownServiceSid === ""
    ? { from: setting(connection, "from"), service: "" }
    : { from: "", service: ownServiceSid };
}

function formOf(config: SmsConfig, { from, service }: Sender, now: number): URLSearchParams | Failure {
  if (from === "" && service === "")
    return configurationFailure("from: is missing in the config and in the connection", "from_missing");
  const { channel, to, message, contentSid, contentVariables, sendAt, validityPeriod, shortenUrls } = config;
  const refusal = sendAt === undefined ? null : scheduleRefusal(sendAt, now);
  if (refusal !== null) return refusal;
  if (service === "" && (sendAt !== undefined || shortenUrls === true)) {
    // Without a messaging service, Twilio would silently ignore sendAt and shortenUrls, and send immediately.
    const field = sendAt === undefined ? "shortenUrls" : "sendAt";
    const message = `${field}: requires a Messaging Service; set messagingServiceSid here or in the connection`;
    return configurationFailure(message, "messaging_service_missing");
  }
  const fields: { readonly [field: string]: string | undefined } = {
    To: addressFor(channel, to),
    From: from === "" ? undefined : addressFor(channel, from),
    MessagingServiceSid: service === "" ? undefined : service,
    Body: message,
    ContentSid: contentSid,
    ContentVariables: contentVariables === undefined ? undefined : JSON.stringify(contentVariables),
    ScheduleType: sendAt === undefined ? undefined : "fixed",
    SendAt: sendAt === undefined ? undefined : new Date(sendAt).toISOString().replace(/\.\d+Z$/, "Z"),
    ValidityPeriod: validityPeriod?.toString(),
    ShortenUrls: shortenUrls?.toString(),
    StatusCallback: config.statusCallback,
  };
  const form = new URLSearchParams();
  for (const [field, value] of Object.entries(fields)) if (value !== undefined) form.set(field, value);
  for (const url of config.mediaUrls ?? []) form.append("MediaUrl", url);
  return form;
}

function addressFor(channel: SmsConfig["channel"], number: string): string {
  return channel === "sms" || number.startsWith("whatsapp:") ? number : `whatsapp:${number}`;
}

function scheduleRefusal(sendAt: string, now: number): Failure | null {
  const aheadMs = Date.parse(sendAt) - now;
  if (aheadMs >= SCHEDULED_MS_MIN && aheadMs <= SCHEDULED_MS_MAX) return null;
  const message = `sendAt: ${sendAt} must be between 15 minutes and 35 days from now; remove sendAt to send immediately, or use a timer`;
  return configurationFailure(message, "send_at_out_of_range");
}

/** Refines a refusal. Twilio returns { code, message, more_info, status }. */
export function twilioFailure(refusal: HttpRefusal): Failure {
  const data = refusal.answered?.data ?? null;
  return refineRefusal(refusal, { ...smsMeaning(valueAt(data, "/code")), providerMessage: textAt(data, "/message") });
}

/**
 * Returns the failure of a message that Twilio accepted, but that failed immediately. The error code is in Twilio's
 * answer about the message.
 */
export function failedDelivery(answer: HttpAnswer): Failure | null {
  const { data } = answer;
  const status = textAt(data, "/status");
  const code = valueAt(data, "/error_code") ?? null;
  if (status !== "failed" && status !== "undelivered" && code === null) return null;
  const errorCode =
    typeof code === "string" ? code.slice(0, MESSAGE_EXCERPT_CHARS_MAX) : typeof code === "number" ? code : null;
  const details: JsonObject = { ...answerDetails(answer), messageStatus: status, errorCode };
  const error = {
    type: "unknown_error",
    message: "Twilio accepted the message, but could not send it",
    retryable: false,
    details,
  };
  return refineRefusal({ error }, { ...smsMeaning(code), providerMessage: textAt(data, "/error_message") });
}
