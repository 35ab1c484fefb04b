// SendGrid's event webhook: reads the events of one request. Each event is about one recipient of one e-mail, and
// contains the custom arguments of the e-mail as fields.
import type { Json, JsonObject } from "#schema/json.ts";
import { CLICKED_URL_CHARS_MAX } from "#schema/limits/inbound/callbacks.ts";
import { parseReference, REFERENCE_FIELD } from "#schema/outgoing/run-reference.ts";
import { fieldOf, textField } from "../scheme.ts";
import { excerpt, shortText, type ProviderMessage } from "./provider-message.ts";

const EVENTS: ReadonlyMap<string, string> = new Map([
  ["bounce", "email_bounced"],
  ["click", "email_clicked"],
  ["deferred", "email_deferred"],
  ["delivered", "email_delivered"],
  ["dropped", "email_dropped"],
  ["group_unsubscribe", "email_unsubscribed"],
  ["open", "email_opened"],
  ["spamreport", "email_complained"],
  ["unsubscribe", "email_unsubscribed"],
]);

/** Returns one message for each event; null if the body is not a list of events. */
export function readSendgridMessages(body: Json): readonly ProviderMessage[] | null {
  return Array.isArray(body) ? body.flatMap((event: Json) => messageOf(event) ?? []) : null;
}

function messageOf(event: Json): ProviderMessage | null {
  const [id, named] = [textField(event, "sg_event_id"), textField(event, "event")];
  if (id === null || named === null) return null;
  const timestamp = fieldOf(event, "timestamp");
  return {
    id: `report/sendgrid/${id}`,
    named,
    event: EVENTS.get(named) ?? null,
    isSent: true,
    at: typeof timestamp === "number" ? timestamp * 1_000 : Number.NaN,
    reference: parseReference(fieldOf(event, REFERENCE_FIELD)),
    messageId: shortText(fieldOf(event, "sg_message_id")),
    recipient: shortText(fieldOf(event, "email")),
    code: shortText(fieldOf(event, "status")),
    reason: excerpt(fieldOf(event, "reason")) ?? excerpt(fieldOf(event, "response")),
    details: detailsOf(named, event),
    isWholePayload: false,
    suppression: suppressionOf(named, event),
    fault: null,
  };
}

/** SendGrid names a message that the receiver rejects for the time being "blocked", and any other bounce "bounce". */
function isHardBounce(event: Json): boolean {
  return fieldOf(event, "type") !== "blocked";
}

function detailsOf(named: string, event: Json): JsonObject {
  switch (named) {
    case "bounce":
      return { type: isHardBounce(event) ? "hard" : "soft" };
    case "click":
      return { url: shortText(fieldOf(event, "url"), CLICKED_URL_CHARS_MAX) };
    case "open":
      // A mail client or a scanner loads the image of a message that no person has opened.
      return { byMachine: fieldOf(event, "sg_machine_open") === true };
  }
  return {};
}

/** An unsubscription from one of the tenant's groups at SendGrid does not concern other e-mails. */
function suppressionOf(named: string, event: Json): ProviderMessage["suppression"] {
  if (named === "bounce") return isHardBounce(event) ? "hard_bounce" : null;
  if (named === "spamreport") return "complaint";
  return named === "unsubscribe" ? "unsubscribe" : null;
}

/** Returns whether an event is about the message that SendGrid accepted under this id. Events have a longer id. */
export function isSendgridMessage(sent: string, reported: string): boolean {
  return reported === sent || reported.startsWith(`${sent}.`);
}
