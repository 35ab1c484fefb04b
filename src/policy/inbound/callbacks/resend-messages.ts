// Resend's webhook: reads the event of one request. It contains the tags of the e-mail. The id of the event is in a
// signed header.
import type { Json, JsonObject } from "#schema/json.ts";
import { CLICKED_URL_CHARS_MAX } from "#schema/limits/inbound/callbacks.ts";
import { parseReference, REFERENCE_FIELD, type RunReference } from "#schema/outgoing/run-reference.ts";
import { fieldOf, textField } from "../scheme.ts";
import { excerpt, shortText, type ProviderMessage } from "./provider-message.ts";

const EVENTS: ReadonlyMap<string, string> = new Map([
  ["email.bounced", "email_bounced"],
  ["email.clicked", "email_clicked"],
  ["email.complained", "email_complained"],
  ["email.delivered", "email_delivered"],
  ["email.delivery_delayed", "email_deferred"],
  ["email.failed", "email_dropped"],
  ["email.opened", "email_opened"],
  ["email.suppressed", "email_dropped"],
]);

/** Returns the message of the event; null if the body is no event of Resend. `id`: the id in the signed header. */
export function readResendMessages(body: Json, id: string | null): readonly ProviderMessage[] | null {
  const named = textField(body, "type");
  const data = fieldOf(body, "data");
  if (named === null || id === null || data === undefined) return null;
  const recipient = recipientOf(data);
  const bounce = fieldOf(data, "bounce");
  const part = [bounce, fieldOf(data, "failed"), fieldOf(data, "suppressed")].find((each) => each !== undefined);
  return [
    {
      id: `report/resend/${id}`,
      named,
      event: EVENTS.get(named) ?? null,
      isSent: true,
      at: Date.parse(textField(body, "created_at") ?? ""),
      reference: referenceIn(fieldOf(data, "tags")),
      messageId: shortText(fieldOf(data, "email_id")),
      recipient,
      code: shortText(fieldOf(bounce, "subType")) ?? shortText(fieldOf(part, "type")),
      reason: excerpt(fieldOf(part, "message")) ?? excerpt(fieldOf(part, "reason")),
      details: detailsOf(named, data),
      isWholePayload: false,
      suppression: suppressionOf(named, bounce),
      fault: null,
    },
  ];
}

/** A message to several recipients has one event, which does not say about which of them it is. */
function recipientOf(data: Json): string | null {
  const to = fieldOf(data, "to");
  if (!Array.isArray(to)) return shortText(to);
  return to.length === 1 ? shortText(to[0]) : null;
}

/** Returns the reference from the tags, which are an object in some events and a list of names and values in others. */
function referenceIn(tags: Json | undefined): RunReference | null {
  if (!Array.isArray(tags)) return parseReference(fieldOf(tags, REFERENCE_FIELD));
  const tag = tags.find((each: Json) => fieldOf(each, "name") === REFERENCE_FIELD);
  return parseReference(fieldOf(tag, "value"));
}

/** Resend reports a bounce after its last attempt. A transient one may concern only this message. */
function isHardBounce(bounce: Json | undefined): boolean {
  return fieldOf(bounce, "type") === "Permanent";
}

function detailsOf(named: string, data: Json): JsonObject {
  if (named === "email.bounced") return { type: isHardBounce(fieldOf(data, "bounce")) ? "hard" : "soft" };
  return named === "email.clicked"
    ? { url: shortText(fieldOf(fieldOf(data, "click"), "link"), CLICKED_URL_CHARS_MAX) }
    : {};
}

function suppressionOf(named: string, bounce: Json | undefined): ProviderMessage["suppression"] {
  if (named === "email.complained") return "complaint";
  return named === "email.bounced" && isHardBounce(bounce) ? "hard_bounce" : null;
}
