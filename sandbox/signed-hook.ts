// Signed webhooks on request: signs a body as GitHub, Stripe, Slack or Standard Webhooks do, and sends the signed
// message to a trigger. The response contains the sent message, so that a test can send the message again, changed or
// late.
import { z } from "zod";
import type { SandboxEnv } from "./env.ts";
import { parseJson } from "./problem.ts";

const hook = z.strictObject({
  url: z.url(),
  scheme: z.enum(["github", "standard_webhooks", "stripe", "slack"]).default("github"),
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
  scheme: "github, standard_webhooks, stripe or slack.",
  key: "The value of the trigger's secret, with which the sandbox signs.",
};

export async function sendHook(request: Request, _env: SandboxEnv): Promise<Response> {
  const parsed = await parseJson(hook, request, hints);
  if (!parsed.ok) return parsed.response;
  const { url, body: content, deliver } = parsed.value;
  const body = typeof content === "string" ? content : JSON.stringify(content);
  const signed = await signatures[parsed.value.scheme](parsed.value, body);
  const headers = { "Content-Type": "application/json", ...signed, ...parsed.value.headers };
  const sent = { url, headers, body };
  if (!deliver) return Response.json({ sent, answer: null });
  const response = await fetch(url, { method: "POST", headers, body });
  return Response.json({ sent, answer: { status: response.status, body: await response.text() } });
}

/** Returns the headers with which the sender signs a body. */
type Sign = (hook: Hook, body: string) => Promise<Record<string, string>>;

const signatures: { readonly [scheme in Hook["scheme"]]: Sign } = {
  github: async ({ key, id = crypto.randomUUID() }, body) => ({
    "X-GitHub-Event": "push",
    "X-GitHub-Delivery": id,
    "X-Hub-Signature-256": `sha256=${hex(await digest(utf8(key), body))}`,
  }),
  standard_webhooks: async ({ key, id = `msg_${crypto.randomUUID()}`, at }, body) => {
    const time = seconds(at);
    const raw = Uint8Array.from(atob(key.replace(/^whsec_/, "")), (char) => char.charCodeAt(0));
    const signature = btoa(String.fromCharCode(...(await digest(raw, `${id}.${time}.${body}`))));
    return { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": `v1,${signature}` };
  },
  stripe: async ({ key, at }, body) => {
    const time = seconds(at);
    return { "Stripe-Signature": `t=${time},v1=${hex(await digest(utf8(key), `${time}.${body}`))}` };
  },
  slack: async ({ key, at }, body) => {
    const time = seconds(at);
    const signature = hex(await digest(utf8(key), `v0:${time}:${body}`));
    return { "X-Slack-Request-Timestamp": time, "X-Slack-Signature": `v0=${signature}` };
  },
};

function seconds(at: string | undefined): string {
  return String(Math.floor((at === undefined ? Date.now() : Date.parse(at)) / 1_000));
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

async function digest(key: Uint8Array, text: string): Promise<Uint8Array> {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, utf8(text)));
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
