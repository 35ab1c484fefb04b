// How Twilio's Programmable Messaging wants a message, and how it says no. A part of the SMS runner.
import type { JsonObject } from "#schema/json.ts";
import { addressAt, credential, secretsIn, setting } from "../core/account.ts";
import { base64, utf8 } from "../core/bytes.ts";
import { configurationFailure, type Failure } from "../core/classify.ts";
import { answered, type HttpAnswer, type HttpCall, type HttpRefusal } from "../http/call.ts";
import { textAt, valueAt } from "../core/json-pointer.ts";
import { refined } from "../core/refine.ts";
import type { OpenConnection, RunnerContext } from "../core/runner.ts";
import { smsMeaning } from "./twilio-errors.ts";

export type SmsMessage = {
  readonly to: string;
  readonly from?: string | undefined;
  readonly messagingServiceSid?: string | undefined;
  readonly message: string;
  readonly statusCallback?: string | undefined;
};

/** The account's own token, or an API key of it. */
export const TWILIO_CREDENTIALS = [
  ["accountSid", "authToken"],
  ["accountSid", "apiKeySid", "apiKeySecret"],
];

export function twilioCall(config: SmsMessage, connection: OpenConnection, context: RunnerContext): HttpCall | Failure {
  const accountSid = credential(connection, "accountSid");
  const user = credential(connection, "apiKeySid") || accountSid;
  const password = credential(connection, "apiKeySecret") || credential(connection, "authToken");
  const origin = originOf(config, connection);
  if (origin === null)
    return configurationFailure("from: neither the config nor the connection has one", "from_missing");
  const { to, message, statusCallback } = config;
  const form = {
    To: to,
    ...origin,
    Body: message,
    ...(statusCallback === undefined ? {} : { StatusCallback: statusCallback }),
  };
  const basic = base64(utf8(`${user}:${password}`));
  return {
    method: "POST",
    url: addressAt(
      connection,
      "https://api.twilio.com",
      `/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`,
    ),
    headers: new Headers({
      Authorization: `Basic ${basic}`,
      "Content-Type": "application/x-www-form-urlencoded",
      "Idempotency-Key": context.ticket.idempotencyKey, // Twilio does not read it; whoever stands in between may
    }),
    body: new URLSearchParams(form).toString(),
    secrets: [...secretsIn(connection), basic],
  };
}

function originOf(
  { from, messagingServiceSid }: SmsMessage,
  connection: OpenConnection,
): { [field: string]: string } | null {
  if (messagingServiceSid !== undefined) return { MessagingServiceSid: messagingServiceSid };
  if (from !== undefined) return { From: from };
  const service = setting(connection, "messagingServiceSid");
  const own = setting(connection, "from");
  return service !== "" ? { MessagingServiceSid: service } : own !== "" ? { From: own } : null;
}

/** A refusal comes as { code, message, more_info, status }. */
export function understood(refusal: HttpRefusal): Failure {
  const data = refusal.answered?.data ?? null;
  return refined(refusal, { ...smsMeaning(valueAt(data, "/code")), said: textAt(data, "/message") });
}

/** A message may be accepted and have failed at once: its resource says so, with the code that refusals have too. */
export function undelivered(answer: HttpAnswer): Failure | null {
  const { data } = answer;
  const status = textAt(data, "/status");
  const code = valueAt(data, "/error_code") ?? null;
  if (status !== "failed" && status !== "undelivered" && code === null) return null;
  const details: JsonObject = { ...answered(answer), messageStatus: status, errorCode: code };
  const error = {
    type: "unknown_error",
    message: "Twilio took the message and could not send it",
    retryable: false,
    details,
  };
  return refined({ error }, { ...smsMeaning(code), said: textAt(data, "/error_message") });
}
