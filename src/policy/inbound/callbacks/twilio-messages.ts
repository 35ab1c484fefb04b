// Twilio's status callbacks: reads the status of one text message from a form. The URL contains the reference, and
// Twilio signs the URL together with the form.
import type { Json } from "#schema/json.ts";
import { SID_CHARS_MAX } from "#schema/limits/inbound/callbacks.ts";
import { parseReference, REFERENCE_FIELD } from "#schema/outgoing/run-reference.ts";
import { fieldOf, textField } from "../scheme.ts";
import { excerpt, shortText, type ProviderMessage } from "./provider-message.ts";

const EVENTS: ReadonlyMap<string, string> = new Map([
  ["delivered", "sms_delivered"],
  ["failed", "sms_failed"],
  ["read", "sms_read"],
  ["sent", "sms_sent"],
  ["undelivered", "sms_undelivered"],
]);

/** The recipient has answered STOP, so the carrier or Twilio accepts no message to this number. */
const STOPPED = "21610";

/** Returns the message of the form; null if it is no status of a message. A status has no time, so `now` is used. */
export function readTwilioMessages(body: Json, url: string, now: number): readonly ProviderMessage[] | null {
  const messageId = textField(body, "MessageSid") ?? textField(body, "SmsSid");
  const named = textField(body, "MessageStatus") ?? textField(body, "SmsStatus");
  if (messageId === null || named === null) return null;
  const errorCode = shortText(fieldOf(body, "ErrorCode"));
  return [
    {
      id: `report/twilio/${messageId.slice(0, SID_CHARS_MAX)}/${named.slice(0, SID_CHARS_MAX)}`,
      named,
      event: EVENTS.get(named) ?? null,
      // The action's own result event has reported that the message was sent.
      isSent: named !== "sent",
      at: now,
      reference: parseReference(new URL(url).searchParams.get(REFERENCE_FIELD)),
      messageId: shortText(messageId),
      recipient: recipientOf(textField(body, "To")),
      code: errorCode,
      reason: excerpt(fieldOf(body, "ErrorMessage")),
      details: named === "failed" || named === "undelivered" ? { errorCode } : {},
      isWholePayload: false,
      suppression: errorCode === STOPPED ? "unsubscribe" : null,
      fault: null,
    },
  ];
}

function recipientOf(to: string | null): string | null {
  return shortText(to?.replace(/^whatsapp:/, ""));
}
