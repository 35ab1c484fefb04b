// Tests the callbacks of the imitated SendGrid, Resend and Twilio with the runners that send, and the engine's own
// verification.
import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { callbackProvider } from "#services/hooks/callback-providers.ts";
import { isVerified } from "#services/hooks/verify-hook.ts";
import { SANDBOX, sandboxed } from "./sandboxed.ts";

const { server, perform } = sandboxed();
const control = async (method: string, body: object) => {
  const response = await server.fetch("/_control/callbacks", { method, body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as Sent };
};
type Sent = {
  readonly sent: { readonly url: string; readonly headers: Record<string, string>; readonly body: string };
};

/** Verifies and reads a callback as the engine does. */
async function readCallback(name: string, { url, headers, body }: Sent["sent"], key: string) {
  const provider = callbackProvider(name);
  const lower = Object.entries(headers).map(([header, value]) => [header.toLowerCase(), value] as const);
  const request = { method: "POST", url, headers: new Map(lower), body: new TextEncoder().encode(body) };
  const claim = provider?.claim(request) ?? null;
  if (provider === null || claim === null) throw new Error("the callback has no signature");
  expect(await isVerified(claim, request.body, [key], Date.now())).toBe(true);
  expect(await isVerified(claim, request.body, [btoa("another key")], Date.now())).toBe(false);
  return provider.read(request, Date.now())?.[0];
}

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const signing = privateKey.export({ type: "pkcs8", format: "der" }).toString("base64");
const verifying = publicKey.export({ type: "spki", format: "der" }).toString("base64");
const mail = { from: "shop@example.com", to: "ada@example.com", subject: "Hi", text: "Hi" };
const url = `${SANDBOX}/sink/engine`;
const resultOf = ({ outcome }: Awaited<ReturnType<typeof perform>>) => (outcome.ok ? outcome.result : outcome.error);

describe("callbacks about messages", () => {
  it("of SendGrid contain the run's reference", async () => {
    const account = { baseUrl: `${SANDBOX}/sendgrid`, credentials: { apiKey: "SG.x", webhookKey: verifying } };
    const { messageId } = resultOf(await perform("email", { provider: "sendgrid", ...mail }, account)) as {
      messageId: string;
    };
    const asked = { provider: "sendgrid", messageId, event: "bounced", key: signing, url, deliver: false };
    const { sent } = (await control("POST", asked)).body;
    expect(await readCallback("sendgrid", sent, verifying)).toMatchObject({
      event: "email_bounced",
      reference: { execution: "exe_1" },
      suppression: "hard_bounce",
      recipient: "ada@example.com",
    });
    expect((await control("POST", { ...asked, messageId: "unknown" })).status).toBe(404);
  });

  it("of Resend contain the run's reference", async () => {
    const key = `whsec_${btoa("a secret of twenty-four b")}`;
    const account = { baseUrl: `${SANDBOX}/resend`, credentials: { apiKey: "re_x", webhookKey: key } };
    const { messageId } = resultOf(await perform("email", { provider: "resend", ...mail }, account)) as {
      messageId: string;
    };
    const asked = { provider: "resend", messageId, event: "complained", key, url, deliver: false };
    const { sent } = (await control("POST", asked)).body;
    expect(await readCallback("resend", sent, key)).toMatchObject({
      event: "email_complained",
      reference: { attempt: null },
    });
  });

  it("of Twilio go to the message's own address", async () => {
    const credentials = { accountSid: "AC1", authToken: "token", webhookKey: "token" };
    const account = { baseUrl: `${SANDBOX}/twilio`, credentials, settings: { publicUrl: SANDBOX } };
    const text = { to: "+14155550123", from: "+14155550100", message: "Hi" };
    const { messageId } = resultOf(await perform("sms", text, account)) as { messageId: string };
    const asked = { provider: "twilio", messageId, event: "undelivered", key: "token", deliver: false };
    const { sent } = (await control("POST", asked)).body;
    expect(await readCallback("twilio", sent, "token")).toMatchObject({
      event: "sms_undelivered",
      reference: { execution: "exe_1" },
      code: "30005",
    });
  });

  it("are sent automatically about magic recipients", async () => {
    const arrived: string[] = [];
    const engine = createServer((request, response) => {
      request.on("data", (part: Buffer) => arrived.push(part.toString()));
      request.on("end", () => response.end("{}"));
    });
    await new Promise<void>((resolve) => engine.listen(0, "127.0.0.1", resolve));
    const { port } = engine.address() as AddressInfo; // it listens on a port
    try {
      await control("PUT", { provider: "sendgrid", key: signing, url: `http://127.0.0.1:${port}/` });
      const account = { baseUrl: `${SANDBOX}/sendgrid`, credentials: { apiKey: "SG.x", webhookKey: verifying } };
      await perform("email", { provider: "sendgrid", ...mail, to: "bounce@example.com" }, account);
      await expect.poll(() => arrived.map((body) => JSON.parse(body)[0].event)).toEqual(["bounce"]);
    } finally {
      engine.close();
    }
  });
});
