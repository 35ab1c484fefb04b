// Signed webhooks on request: signs a body as GitHub, SendGrid, Slack, Standard Webhooks, Stripe or Twilio do, and sends
// the signed message to a trigger. The response contains the sent message, so that a test can send the message again, changed or
// late.
import { z } from "zod";
import type { SandboxEnv } from "./env.ts";
import { parseJson } from "./problem.ts";

const hook = z.strictObject({
  url: z.url(),
  scheme: z.enum(["github", "sendgrid", "slack", "standard_webhooks", "stripe", "twilio"]).default("github"),
  key: z.string().min(1),
  /** A string is sent unchanged. Any other body is sent as its JSON text. */
  body: z.unknown().default({}),
  /** The id that the sender gives the delivery. Default: a random id. */
  id: z.string().exactOptional(),
  headers: z.record(z.string(), z.string()).default({}),
  /** The time that the signature contains. Default: now. */
  at: z.iso.datetime().exactOptional(),
  /** If false, the message is only returned and not sent. */
  deliver: z.boolean().default(true),
});
type Hook = z.infer<typeof hook>;
const hints = {
  url: "The address that POST /v1/triggers returned.",
  scheme: "github, sendgrid, slack, standard_webhooks, stripe or twilio.",
  key: "The value of the trigger's secret, with which the sandbox signs. For sendgrid: the private key (PKCS#8, base64) of the trigger's public key.",
};

export async function sendHook(request: Request, _env: SandboxEnv): Promise<Response> {
  const parsed = await parseJson(hook, request, hints);
  if (!parsed.ok) return parsed.response;
  const { scheme, url: address, body: content, deliver } = parsed.value;
  const body = typeof content === "string" ? content : JSON.stringify(content);
  const url = scheme === "twilio" ? await withBodyDigest(address, body) : address;
  const signed = await signatures[scheme]({ ...parsed.value, url }, body);
  const headers = { "Content-Type": "application/json", ...signed, ...parsed.value.headers };
  const sent = { url, headers, body };
  if (!deliver) return Response.json({ sent, answer: null });
  const response = await fetch(url, { method: "POST", headers, body });
  return Response.json({ sent, answer: { status: response.status, body: await response.text() } });
}

/** Returns the headers with which the sender signs a body. */
type Sign = (hook: Hook, body: string) => Promise<Record<string, string>>;

export const signatures: { readonly [scheme in Hook["scheme"]]: Sign } = {
  github: async ({ key, id = crypto.randomUUID() }, body) => ({
    "X-GitHub-Event": "push",
    "X-GitHub-Delivery": id,
    "X-Hub-Signature-256": `sha256=${hex(await digest(utf8(key), body))}`,
  }),
  standard_webhooks: async ({ key, id = `msg_${crypto.randomUUID()}`, at }, body) => {
    const time = seconds(at);
    const signature = base64(await digest(bytesOf(key.replace(/^whsec_/, "")), `${id}.${time}.${body}`));
    return { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": `v1,${signature}` };
  },
  stripe: async ({ key, at }, body) => {
    const time = seconds(at);
    return { "Stripe-Signature": `t=${time},v1=${hex(await digest(utf8(key), `${time}.${body}`))}` };
  },
  sendgrid: async ({ key, at }, body) => {
    const time = seconds(at);
    const curve = { name: "ECDSA", namedCurve: "P-256" };
    const imported = await crypto.subtle.importKey("pkcs8", bytesOf(key), curve, false, ["sign"]);
    const signature = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, imported, utf8(time + body));
    return {
      "X-Twilio-Email-Event-Webhook-Timestamp": time,
      "X-Twilio-Email-Event-Webhook-Signature": base64(derOf(new Uint8Array(signature))),
    };
  },
  twilio: async ({ key, url }) => ({ "X-Twilio-Signature": base64(await digest(utf8(key), url, "SHA-1")) }),
  slack: async ({ key, at }, body) => {
    const time = seconds(at);
    const signature = hex(await digest(utf8(key), `v0:${time}:${body}`));
    return { "X-Slack-Request-Timestamp": time, "X-Slack-Signature": `v0=${signature}` };
  },
};

/** Twilio signs a body that is no form by its digest in the URL. */
async function withBodyDigest(url: string, body: string): Promise<string> {
  const signed = new URL(url);
  signed.searchParams.set("bodySHA256", hex(new Uint8Array(await crypto.subtle.digest("SHA-256", utf8(body)))));
  return signed.href;
}

/** Encodes an ECDSA signature, two numbers of 32 bytes, as DER. */
function derOf(signature: Uint8Array): Uint8Array {
  const numbers = [signature.slice(0, 32), signature.slice(32)].flatMap((number) => {
    const first = number.findIndex((byte) => byte !== 0);
    const digits = Array.from(number.slice(Math.max(first, 0)));
    // A leading 1 bit would make the number negative.
    const padded = Number(digits[0]) > 127 ? [0, ...digits] : digits;
    return [2, padded.length, ...padded];
  });
  return Uint8Array.from([0x30, numbers.length, ...numbers]);
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

function seconds(at: string | undefined): string {
  return String(Math.floor((at === undefined ? Date.now() : Date.parse(at)) / 1_000));
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

async function digest(key: Uint8Array, text: string, hash = "SHA-256"): Promise<Uint8Array> {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, utf8(text)));
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
