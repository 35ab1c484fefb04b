// Twilio signs an address, with the fields of a form, or with the digest of any other body.
import { createHash } from "node:crypto";
import twilioWebhooks from "twilio/lib/webhooks/webhooks.js";
import { describe, expect, test } from "vitest";
import type { Verification } from "#schema/inbound/verification.ts";
import { believed, type Sent } from "./scheme-contract.ts";

const body = '{"id":"evt_1","name":"Ünïcödé ✓"}';
const json = { "Content-Type": "application/json" };
const url = "https://hooks.example/hooks/t";
const form = { To: "+15017122661", MessageSid: "SM1", MessageStatus: "sent", Body: "Grüezi & hoi", Empty: "" };
const formBody = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const asForm = { "Content-Type": "application/x-www-form-urlencoded; charset=UTF-8" };
const withDigest = (of: string) => `${url}?foo=1&bodySHA256=${createHash("sha256").update(of).digest("hex")}`;

describe("27. Signed URL, other JSON", () => {
  const key = "12345";
  const twilio: Verification = { scheme: "twilio", secret: "s" };
  const signed = (address: string, more: Partial<Sent> = {}): Sent => ({
    body,
    url: address,
    headers: { ...json, "X-Twilio-Signature": twilioWebhooks.getExpectedTwilioSignature(key, address, {}) },
    ...more,
  });

  test("a body is refused if its digest is not the one in the address", async () => {
    expect(await believed(twilio, signed(withDigest(body)), [key])).toBe(true);
    expect(await believed(twilio, signed(withDigest(body), { body: '{"id":"evil"}' }), [key])).toBe(false);
  });

  test("an address without a digest verifies no body", async () => {
    expect(await believed(twilio, signed(url), [key])).toBe(false);
    expect(
      await believed(twilio, signed(url, { headers: { ...signed(url).headers, "Content-Type": "" } }), [key]),
    ).toBe(false);
  });

  test("an address with the digest of a form verifies no other body", async () => {
    const { headers, ...rest } = signed(withDigest(body));
    expect(await believed(twilio, { ...rest, body: "", headers: { ...headers, ...asForm } }, [key])).toBe(false);
  });
});

describe("Twilio's addresses", () => {
  test.each([
    ["https://hooks.example/hooks/t?a=1", "https://hooks.example:443/hooks/t?a=1"],
    ["https://hooks.example:8443/hooks/t", "https://hooks.example/hooks/t"],
    ["http://hooks.example/hooks/t", "http://hooks.example:80/hooks/t"],
  ])("%s may have been signed as %s", async (called, signedAs) => {
    const signature = twilioWebhooks.getExpectedTwilioSignature("12345", signedAs, form);
    const sent = { body: formBody(form), url: called, headers: { ...asForm, "X-Twilio-Signature": signature } };
    expect(await believed({ scheme: "twilio", secret: "s" }, sent, ["12345"])).toBe(true);
  });

  test("repeated fields count once each, in order", async () => {
    const many = { MediaUrl: ["b", "a", "b"] } as unknown as Record<string, string>; // as Twilio's library takes it
    const signature = twilioWebhooks.getExpectedTwilioSignature("12345", url, many);
    const headers = { ...asForm, "X-Twilio-Signature": signature };
    const sent = { body: "MediaUrl=b&MediaUrl=a&MediaUrl=b", url, headers };
    expect(await believed({ scheme: "twilio", secret: "s" }, sent, ["12345"])).toBe(true);
  });
});
