// DocuSign Connect messages on request: signs the message about an envelope's event with the given keys, and sends it to
// the envelope's notification URL. The response contains the message, so that a test can send it again, changed or late.
import { z } from "zod";
import { recipientsOf } from "./definition.ts";
import { envelopeIn, type Envelope } from "./envelopes.ts";
import type { SandboxEnv } from "../env.ts";
import { notFound, parseJson } from "../problem.ts";

const messageRequest = z.strictObject({
  account: z.string().min(1),
  envelopeId: z.string().min(1),
  event: z.enum([
    "sent",
    "delivered",
    "completed",
    "declined",
    "voided",
    "recipient-sent",
    "recipient-delivered",
    "recipient-completed",
    "recipient-declined",
    "recipient-autoresponded",
  ]),
  /** The id of the recipient in an event about one recipient. Default: "1". */
  recipientId: z.string().exactOptional(),
  /** The secret keys of DocuSign Connect that sign the message. The message gets one signature header for each key. */
  keys: z.array(z.string().min(1)).default([]),
  /** The URL to send the message to. Default: the envelope's eventNotification URL. */
  url: z.url().exactOptional(),
  /** If false, the message is only returned and not sent. */
  deliver: z.boolean().default(true),
  reason: z.string().exactOptional(),
  generatedDateTime: z.iso.datetime().exactOptional(),
});
const hints = {
  event: "sent, delivered, completed, declined or voided. For one person, the same words with recipient- in front.",
  keys: "A list of Connect keys. Without a key, the message is not signed.",
  url: "The address that receives the message. Default: the address in the envelope's eventNotification.",
};

export async function sendConnectMessage(request: Request, env: SandboxEnv): Promise<Response> {
  const parsed = await parseJson(messageRequest, request, hints);
  if (!parsed.ok) return parsed.response;
  const { account, envelopeId, keys, deliver } = parsed.value;
  const envelope = await envelopeIn(env, account, envelopeId);
  if (envelope === null) return notFound(request);
  const body = JSON.stringify(connectMessage(envelope, parsed.value));
  const headers: Record<string, string> = { "Content-Type": "application/json; charset=utf-8" };
  for (const [n, key] of keys.entries()) headers[`X-DocuSign-Signature-${n + 1}`] = await signatureOf(key, body);
  const url = parsed.value.url ?? envelope.eventNotification?.url ?? null;
  const sent = { url, headers, body };
  if (!deliver || url === null) return Response.json({ sent, answer: null });
  const response = await fetch(url, { method: "POST", headers, body });
  return Response.json({ sent, answer: { status: response.status, body: await response.text() } });
}

type MessageRequest = z.infer<typeof messageRequest>;

/** The new status of the envelope or of one recipient. */
type MessageOutcome = { readonly status: string; readonly isOfRecipient: boolean; readonly at: string };

function connectMessage(envelope: Envelope, request: MessageRequest): object {
  const { account, event, generatedDateTime, recipientId = "1" } = request;
  const at = generatedDateTime ?? new Date().toISOString();
  const isOfRecipient = event.startsWith("recipient-");
  const { envelopeId } = envelope;
  return {
    event: isOfRecipient ? event : `envelope-${event}`,
    apiVersion: "v2.1",
    uri: `/restapi/v2.1/accounts/${account}/envelopes/${envelopeId}`,
    retryCount: 0,
    configurationId: 1,
    generatedDateTime: at,
    data: {
      accountId: account,
      ...(isOfRecipient ? { recipientId } : {}),
      envelopeId,
      envelopeSummary: envelopeSummary(envelope, request, {
        status: event.replace("recipient-", ""),
        isOfRecipient,
        at,
      }),
    },
  };
}

function envelopeSummary(envelope: Envelope, request: MessageRequest, outcome: MessageOutcome): object {
  const { envelopeId, customFields } = envelope;
  const { status, isOfRecipient, at } = outcome;
  const signers = signersAfter(envelope, request, outcome);
  // An event of one recipient leaves the envelope sent, except that one refusal declines the whole envelope.
  const changesEnvelope = !isOfRecipient || status === "declined";
  return {
    status: changesEnvelope ? status : "sent",
    envelopeId,
    customFields,
    recipients: { signers, recipientCount: String(signers.length) },
    ...(changesEnvelope ? { [`${status}DateTime`]: at } : {}),
    statusChangedDateTime: at,
    ...(request.event === "voided" ? { voidedReason: request.reason ?? "No longer needed." } : {}),
  };
}

function signersAfter(
  envelope: Envelope,
  { reason, recipientId: changedRecipient = "1" }: MessageRequest,
  { status, isOfRecipient, at }: MessageOutcome,
): readonly object[] {
  const changed = {
    status,
    ...(status === "declined" ? { declinedReason: reason ?? "No." } : {}),
    ...(status === "completed" ? { signedDateTime: at } : {}),
  };
  return recipientsOf(envelope).map(({ name, email, roleName, recipientId }) => ({
    name,
    email,
    roleName,
    recipientId,
    ...(!isOfRecipient || recipientId === changedRecipient ? changed : { status: "sent" }),
  }));
}

async function signatureOf(key: string, body: string): Promise<string> {
  const bytes = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", bytes.encode(key), algorithm, false, ["sign"]);
  const signature = await crypto.subtle.sign("HMAC", imported, bytes.encode(body));
  return btoa(String.fromCharCode(...new Uint8Array(signature)));
}
