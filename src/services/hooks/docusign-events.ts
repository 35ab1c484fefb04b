// DocuSign events: converts a DocuSign Connect message to the event of an execution.
import type { ProviderMessage } from "#policy/inbound/callbacks/provider-message.ts";
import { executionIdText } from "#schema/ids.ts";
import { readEnvelopeMessage, type EnvelopeMessage } from "./docusign-message.ts";

const EVENTS: ReadonlyMap<string, string> = new Map([
  ...["sent", "delivered", "completed", "declined", "voided"].map((each) => eventOf("envelope", each)),
  ...["sent", "delivered", "completed", "declined", "autoresponded"].map((each) => eventOf("recipient", each)),
]);

function eventOf(subject: string, eventName: string): readonly [string, string] {
  return [`${subject}-${eventName}`, `${subject}_${eventName}`];
}

/** Returns the message in the body; null if the body is no message of DocuSign Connect. */
export function docusignMessages(body: string): readonly ProviderMessage[] | null {
  const message = readEnvelopeMessage(body);
  return message === null ? null : [messageOf(message)];
}

function messageOf({ event, envelopeId, recipientId, generatedAt, ...rest }: EnvelopeMessage): ProviderMessage {
  const { execution, run, payload } = rest;
  const eventName = event.replace(/^[a-z]+-/, "");
  const parsedId = executionIdText.safeParse(execution);
  const reason = [payload["declinedReason"], payload["voidedReason"]].find((each) => typeof each === "string");
  return {
    // The id is derived from the envelope, the recipient and the event, so a repeated message gives an event with the
    // same id.
    id: recipientId === null ? `docusign/${envelopeId}/${event}` : `docusign/${envelopeId}/${recipientId}/${eventName}`,
    named: event,
    event: EVENTS.get(event) ?? null,
    isSent: true,
    at: generatedAt,
    reference: parsedId.success ? { execution: parsedId.data, run, attempt: null } : null,
    messageId: envelopeId,
    recipient: null,
    code: null,
    reason: typeof reason === "string" ? reason : null,
    details: payload,
    isWholePayload: true,
    suppression: null,
    fault: event.startsWith("recipient-") && recipientId === null ? "recipient_unknown" : null,
  };
}
