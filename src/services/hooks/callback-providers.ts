// Callback providers: how callbacks of each provider are verified and read, and what they are about. A new provider needs
// one entry here.
import { isForm, fieldsOf } from "#policy/inbound/form.ts";
import { readJson } from "#policy/inbound/body.ts";
import { textOf } from "#policy/inbound/bytes.ts";
import type { ProviderMessage } from "#policy/inbound/callbacks/provider-message.ts";
import { readResendMessages } from "#policy/inbound/callbacks/resend-messages.ts";
import { isSendgridMessage, readSendgridMessages } from "#policy/inbound/callbacks/sendgrid-messages.ts";
import { readTwilioMessages } from "#policy/inbound/callbacks/twilio-messages.ts";
import type { Rate } from "#policy/inbound/rate.ts";
import type { HookRequest, SignatureClaim } from "#policy/inbound/scheme.ts";
import { docusign } from "#policy/inbound/schemes/docusign.ts";
import { sendgrid } from "#policy/inbound/schemes/sendgrid.ts";
import { standardWebhooks } from "#policy/inbound/schemes/standard-webhooks.ts";
import { twilio } from "#policy/inbound/schemes/twilio.ts";
import type { Json } from "#schema/json.ts";
import { BODY_BYTES_MAX } from "#schema/limits/api-requests.ts";
import {
  CALLBACK_AGE_MS,
  CALLBACK_BATCH_BYTES_MAX,
  MESSAGE_CALLBACK_RATE,
  MESSAGE_CALLBACK_SENDER_RATE,
} from "#schema/limits/inbound/callbacks.ts";
import { CALLBACK_RATE, CALLBACK_SENDER_RATE } from "#schema/limits/inbound/trigger-requests.ts";
import { callbackCredentials, type CallbackProviderName } from "#schema/provider/callback-credentials.ts";
import { docusignMessages } from "./docusign-events.ts";
import { byLine, bySpace } from "./hook-keys.ts";

export type CallbackProvider = {
  readonly name: CallbackProviderName;
  /** The action type whose messages the callbacks are about. */
  readonly actionType: string;
  /** The field of the connection's credentials that names the secret. */
  readonly credential: string;
  readonly keySeparator: RegExp;
  readonly rate: Rate;
  readonly senderRate: Rate;
  readonly bodyBytesMax: number;
  /** What to change at the provider if a body is too large. */
  readonly bodyHint: string;
  readonly claim: (request: HookRequest) => SignatureClaim | null;
  /** The oldest time of a callback that is accepted; null if callbacks of the provider contain no time. */
  readonly ageMsMax: number | null;
  /** Returns the messages in a verified request; null if it has another form. */
  readonly read: (request: HookRequest, now: number) => readonly ProviderMessage[] | null;
  /** What to change at the provider if a body has another form. */
  readonly formHint: string;
  readonly isSameMessage: (sent: string, reported: string) => boolean;
};

const isSame = (sent: string, reported: string): boolean => sent === reported;
const messageRates = { rate: MESSAGE_CALLBACK_RATE, senderRate: MESSAGE_CALLBACK_SENDER_RATE } as const;
const oneMessage = {
  bodyBytesMax: BODY_BYTES_MAX,
  bodyHint: "Send one event in each request.",
  isSameMessage: isSame,
} as const;

const providers: { readonly [Name in CallbackProviderName]: Omit<CallbackProvider, "name" | "credential"> } = {
  docusign: {
    ...oneMessage,
    actionType: "docusign_envelope",
    keySeparator: bySpace,
    rate: CALLBACK_RATE,
    senderRate: CALLBACK_SENDER_RATE,
    bodyHint: "Configure DocuSign Connect to omit the documents from its messages.",
    claim: (request) => docusign.claim(request, { scheme: "docusign", secret: "" }),
    ageMsMax: CALLBACK_AGE_MS.docusign,
    read: ({ body }) => docusignMessages(new TextDecoder().decode(body)),
    formHint: "Select the format JSON (REST v2.1) in the Connect configuration.",
  },
  resend: {
    ...oneMessage,
    ...messageRates,
    actionType: "email",
    keySeparator: byLine,
    claim: (request) => standardWebhooks.claim(request, { scheme: "standard_webhooks", secret: "" }),
    ageMsMax: CALLBACK_AGE_MS.resend,
    read: (request) => readResendMessages(jsonOf(request), standardWebhooks.deliveryId(request, null)),
    formHint: "Enter the address in Resend under Webhooks, without a program in between.",
  },
  sendgrid: {
    ...oneMessage,
    ...messageRates,
    actionType: "email",
    keySeparator: byLine,
    bodyBytesMax: CALLBACK_BATCH_BYTES_MAX,
    claim: (request) => sendgrid.claim(request, { scheme: "sendgrid", secret: "" }),
    ageMsMax: CALLBACK_AGE_MS.sendgrid,
    read: (request) => readSendgridMessages(jsonOf(request)),
    formHint: "Enter the address in SendGrid under Event Webhook, without a program in between.",
    isSameMessage: isSendgridMessage,
  },
  twilio: {
    ...oneMessage,
    ...messageRates,
    actionType: "sms",
    keySeparator: byLine,
    claim: (request) => (isForm(request) ? twilio.claim(request, { scheme: "twilio", secret: "" }) : null),
    ageMsMax: null,
    read: (request, now) =>
      readTwilioMessages(fieldsOf(new URLSearchParams(textOf(request.body) ?? "")), request.url, now),
    formHint: "Let Twilio send its status callbacks as forms.",
  },
};

/** Returns the provider of a callback URL; null if there is no such provider. */
export function callbackProvider(name: string): CallbackProvider | null {
  if (!Object.hasOwn(providers, name)) return null;
  const known = name as CallbackProviderName; // The table has this name.
  return { name: known, credential: callbackCredentials[known], ...providers[known] };
}

function jsonOf({ body }: HookRequest): Json {
  const read = readJson(textOf(body) ?? "");
  return read.kind === "read" ? read.value : null;
}
