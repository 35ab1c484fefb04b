// Callbacks about messages: signs what SendGrid, Resend and Twilio report about a message that the sandbox has accepted,
// and sends it. A message to a magic recipient is reported automatically, if the provider's target is set.
import { waitUntil } from "cloudflare:workers";
import { z } from "zod";
import { type SandboxEnv, storeOf } from "../env.ts";
import { notFound, parseJson } from "../problem.ts";
import { signatures } from "../signed-hook.ts";

const provider = z.enum(["sendgrid", "resend", "twilio"]);
type Provider = z.infer<typeof provider>;

const target = z.strictObject({
  provider,
  /** Default for Twilio: the StatusCallback of each message. */
  url: z.url().exactOptional(),
  /** The key that signs. For sendgrid: the private key (PKCS#8, base64). */
  key: z.string().min(1),
});
type Target = z.infer<typeof target>;

const events = {
  mail: ["delivered", "bounced", "complained", "opened", "clicked", "unsubscribed", "deferred", "dropped"],
  text: ["sent", "delivered", "undelivered", "failed", "read"],
} as const;
const request = z.strictObject({
  provider,
  messageId: z.string().min(1),
  event: z.enum([...events.mail, ...events.text]),
  key: z.string().min(1).exactOptional(),
  url: z.url().exactOptional(),
  /** The id of the event. Default: a random id. */
  id: z.string().min(1).exactOptional(),
  /** For bounced. Default: hard. */
  type: z.enum(["hard", "soft"]).default("hard"),
  errorCode: z.string().default("30005"),
  at: z.iso.datetime().exactOptional(),
  /** If false, the callback is only returned and not sent. */
  deliver: z.boolean().default(true),
});
type CallbackRequest = z.infer<typeof request>;
const hints = {
  provider: "sendgrid, resend or twilio.",
  event: `E-mail: ${events.mail.join(", ")}. Text messages: ${events.text.join(", ")}.`,
  key: "The key that signs. Default: the key of PUT /_control/callbacks.",
  url: "The address that receives the callback. Default: the address of PUT /_control/callbacks, or Twilio's StatusCallback.",
};

/** A message that the sandbox has accepted. `fields`: what the provider returns in callbacks about it. */
export type SentMessage = {
  readonly messageId: string;
  readonly recipients: readonly string[];
  readonly fields: Readonly<Record<string, unknown>>;
  readonly url: string | null;
};

const messageKey = (provider: Provider, messageId: string) => `callbacks/${provider}/message/${messageId}`;
const targetKey = (provider: Provider) => `callbacks/${provider}/target`;
const MESSAGE_KEPT_MS = 7 * 24 * 60 * 60_000;

/** Sets the address and the key of a provider's callbacks. */
export async function putTarget(sent: Request, env: SandboxEnv): Promise<Response> {
  const parsed = await parseJson(target, sent, hints);
  if (!parsed.ok) return parsed.response;
  await storeOf(env).storeValue(targetKey(parsed.value.provider), JSON.stringify(parsed.value));
  return Response.json(parsed.value);
}

/** The events that are reported automatically, by the beginning of the recipient. */
const MAGIC: readonly (readonly [string, CallbackRequest["event"]])[] = [
  ["bounce@", "bounced"],
  ["complaint@", "complained"],
  ["delivered@", "delivered"],
  ["+15005550010", "undelivered"],
  ["+15005550011", "delivered"],
];

/** Stores an accepted message, and reports about it if one of its recipients is magic. */
export async function acceptMessage(env: SandboxEnv, provider: Provider, message: SentMessage): Promise<void> {
  const store = storeOf(env);
  await store.storeOnce(messageKey(provider, message.messageId), JSON.stringify(message), MESSAGE_KEPT_MS);
  const found = MAGIC.find(([start]) => message.recipients.some((each) => each.startsWith(start)));
  const stored = found === undefined ? null : await store.storedValue(targetKey(provider));
  if (found === undefined || stored === null) return;
  const { key, url } = JSON.parse(stored) as Target; // `putTarget` wrote this JSON from a parsed target.
  const asked = request.parse({
    provider,
    messageId: message.messageId,
    event: found[1],
    key,
    ...(url ? { url } : {}),
  });
  waitUntil(reportLater(message, asked));
}

/** Sends the callback after the provider's answer has been sent. */
async function reportLater(message: SentMessage, asked: CallbackRequest): Promise<void> {
  await scheduler.wait(50);
  const callback = await signedCallback(message, asked);
  if (callback !== null) await fetch(callback.url, { method: "POST", headers: callback.headers, body: callback.body });
}

export async function sendMessageCallback(sent: Request, env: SandboxEnv): Promise<Response> {
  const parsed = await parseJson(request, sent, hints);
  if (!parsed.ok) return parsed.response;
  const { provider, messageId } = parsed.value;
  const stored = await storeOf(env).storedValue(messageKey(provider, messageId));
  if (stored === null) return notFound(sent);
  const usual = await storeOf(env).storedValue(targetKey(provider));
  const asked = { ...(usual === null ? {} : (JSON.parse(usual) as Target)), ...parsed.value }; // `putTarget` wrote this JSON.
  const callback = await signedCallback(JSON.parse(stored) as SentMessage, asked); // `acceptMessage` wrote this JSON.
  if (callback === null || !parsed.value.deliver) return Response.json({ sent: callback, answer: null });
  const response = await fetch(callback.url, { method: "POST", headers: callback.headers, body: callback.body });
  return Response.json({ sent: callback, answer: { status: response.status, body: await response.text() } });
}

type Callback = { readonly url: string; readonly headers: Record<string, string>; readonly body: string };

/** Returns the signed callback; null if its address or its key is unknown. */
async function signedCallback(message: SentMessage, asked: CallbackRequest): Promise<Callback | null> {
  const { provider, key, id = crypto.randomUUID(), at } = asked;
  const url = provider === "twilio" ? (message.url ?? asked.url) : asked.url;
  if (url === undefined || url === null || key === undefined) return null;
  const when = at ?? new Date().toISOString();
  const signing = { scheme: "sendgrid", url, key, body: null, id, headers: {}, at: when, deliver: true } as const;
  switch (provider) {
    case "sendgrid": {
      const body = JSON.stringify(message.recipients.map((each) => sendgridEvent(message, each, asked, when)));
      return {
        url,
        body,
        headers: { "Content-Type": "application/json", ...(await signatures.sendgrid(signing, body)) },
      };
    }
    case "resend": {
      const body = JSON.stringify(resendEvent(message, asked, when));
      const signed = await signatures.standard_webhooks(signing, body);
      const headers = Object.entries(signed).map(([name, value]) => [name.replace("webhook-", "svix-"), value]);
      return { url, body, headers: { "Content-Type": "application/json", ...Object.fromEntries(headers) } };
    }
    case "twilio": {
      const fields = twilioFields(message, asked);
      const joined = Object.entries(fields)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map((each) => each.join(""))
        .join("");
      const signed = await signatures.twilio({ ...signing, url: url + joined }, "");
      const headers = { "Content-Type": "application/x-www-form-urlencoded", ...signed };
      return { url, body: new URLSearchParams(fields).toString(), headers };
    }
  }
}

const sendgridNames: Readonly<Record<string, string>> = {
  ...{ bounced: "bounce", complained: "spamreport", opened: "open", clicked: "click", unsubscribed: "unsubscribe" },
};

function sendgridEvent({ messageId, fields }: SentMessage, email: string, asked: CallbackRequest, at: string): object {
  const { event, type, id = crypto.randomUUID() } = asked;
  const bounce = { type: type === "hard" ? "bounce" : "blocked", status: "5.1.1", reason: "550 5.1.1 no such user" };
  return {
    ...fields,
    email,
    timestamp: Math.floor(Date.parse(at) / 1_000),
    event: sendgridNames[event] ?? event,
    sg_event_id: `${id}-${email}`,
    sg_message_id: `${messageId}.filter0001.16648.5515E0B88.0`,
    ...(event === "bounced" ? bounce : {}),
    ...(event === "dropped" ? { reason: "Invalid" } : {}),
    ...(event === "clicked" ? { url: "https://example.com/" } : {}),
  };
}

const resendNames: Readonly<Record<string, string>> = { deferred: "delivery_delayed", dropped: "failed" };

function resendEvent({ messageId, recipients, fields }: SentMessage, asked: CallbackRequest, at: string): object {
  const { event, type } = asked;
  const bounce = { type: type === "hard" ? "Permanent" : "Transient", subType: "General", message: "no such user" };
  const data = {
    email_id: messageId,
    created_at: at,
    to: recipients,
    ...fields,
    ...(event === "bounced" ? { bounce } : {}),
    ...(event === "dropped" ? { failed: { reason: "invalid" } } : {}),
    ...(event === "clicked" ? { click: { link: "https://example.com/", timestamp: at } } : {}),
  };
  return { type: `email.${resendNames[event] ?? event}`, created_at: at, data };
}

function twilioFields({ messageId, recipients, fields }: SentMessage, asked: CallbackRequest): Record<string, string> {
  const { event, errorCode } = asked;
  const isFailure = event === "failed" || event === "undelivered";
  const texts = Object.entries(fields).map(([name, value]) => [name, String(value)]);
  return {
    ...Object.fromEntries(texts),
    To: recipients[0] ?? "",
    MessageSid: messageId,
    SmsSid: messageId,
    MessageStatus: event,
    SmsStatus: event,
    ApiVersion: "2010-04-01",
    ...(isFailure ? { ErrorCode: errorCode } : {}),
  };
}
