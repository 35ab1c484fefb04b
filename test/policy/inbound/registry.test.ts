// Tests what schemes read from requests: the signed content, the time and the sender's delivery id. The cryptography is
// tested elsewhere, with the providers' own libraries.
import { describe, expect, it, test } from "vitest";
import { textOf, utf8 } from "#policy/inbound/bytes.ts";
import { claimOf, schemes } from "#policy/inbound/registry.ts";
import type { SignatureClaim, HookRequest } from "#policy/inbound/scheme.ts";
import type { Json } from "#schema/json.ts";
import { verification, type SchemeName } from "#schema/inbound/verification.ts";

type Headers = Readonly<Record<string, string>>;
const URL_CALLED = "https://hooks.example/hooks/t?a=1";

function asked(headers: Headers, body = "{}", url = URL_CALLED): HookRequest {
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return { method: "POST", url, headers: new Map(named), body: utf8(body) };
}

function claimed(settings: object, headers: Headers, body = "{}", url = URL_CALLED): SignatureClaim | null {
  return claimOf(asked(headers, body, url), verification.parse({ secret: "s", ...settings }));
}

function shown(found: SignatureClaim | null): unknown {
  if (found === null) return null;
  const { claim, signedAt, bodyDigest } = found;
  if (claim.kind === "none") return { claim: "none" };
  if (claim.kind === "same") return { given: claim.given, expected: claim.expected("pw") };
  const { contents, signatures, keyOf } = claim;
  const at = Number.isNaN(signedAt) ? "never" : signedAt;
  return {
    contents: contents.map(textOf),
    signatures: signatures.map((each) => each && each.byteLength),
    key: keyOf("c0ffee00")?.byteLength,
    ...(at === null ? {} : { at }),
    ...(bodyDigest === null ? {} : { bodyDigest }),
  };
}

const sg = "X-Twilio-Email-Event-Webhook-";
const form = { "Content-Type": "application/x-www-form-urlencoded", "X-Twilio-Signature": "AAAA" };
const generic = { scheme: "hmac", header: "X-Sig" };
const der = btoa(String.fromCharCode(0x30, 6, 2, 1, 1, 2, 1, 1));

describe("claimOf", () => {
  test.each<[string, object, Headers, unknown]>([
    [
      "Standard Webhooks: all signatures, without those of other versions",
      { scheme: "standard_webhooks" },
      { "webhook-id": "m", "webhook-timestamp": "12", "webhook-signature": "v1,AAAA v1a,AAAA v1,%" },
      { contents: ["m.12.{}"], signatures: [3, null, null], key: 6, at: 12_000 },
    ],
    [
      "Svix with its own header names",
      { scheme: "standard_webhooks" },
      { "svix-id": "m", "svix-timestamp": "soon", "svix-signature": "v1,AAAA" },
      { contents: ["m.soon.{}"], signatures: [3], key: 6, at: "never" },
    ],
    ["Svix with half of its headers", { scheme: "standard_webhooks" }, { "svix-id": "m", "svix-timestamp": "1" }, null],
    ["Svix without a time", { scheme: "standard_webhooks" }, { "svix-id": "m" }, null],
    ["Svix without headers", { scheme: "standard_webhooks" }, {}, null],
    [
      "GitHub",
      { scheme: "github" },
      { "X-Hub-Signature-256": "sha256=00ff" },
      { contents: ["{}"], signatures: [2], key: 8 },
    ],
    [
      "GitHub with the older digest",
      { scheme: "github" },
      { "X-Hub-Signature-256": "sha1=00ff" },
      { contents: ["{}"], signatures: [null], key: 8 },
    ],
    ["GitHub without headers", { scheme: "github" }, {}, null],
    [
      "Stripe: all signatures of its current version",
      { scheme: "stripe" },
      { "Stripe-Signature": "t=12,v1=00,v0=ffff, v1=zz" },
      { contents: ["12.{}"], signatures: [1, null], key: 8, at: 12_000 },
    ],
    ["Stripe without a time", { scheme: "stripe" }, { "Stripe-Signature": "v1=00" }, null],
    ["Stripe without headers", { scheme: "stripe" }, {}, null],
    [
      "Slack",
      { scheme: "slack" },
      { "X-Slack-Signature": "v0=00", "X-Slack-Request-Timestamp": "12" },
      { contents: ["v0:12:{}"], signatures: [1], key: 8, at: 12_000 },
    ],
    [
      "Slack with another version",
      { scheme: "slack" },
      { "X-Slack-Signature": "v9=00", "X-Slack-Request-Timestamp": "12" },
      { contents: ["v0:12:{}"], signatures: [null], key: 8, at: 12_000 },
    ],
    ["Slack without a time", { scheme: "slack" }, { "X-Slack-Signature": "v0=00" }, null],
    ["Slack without headers", { scheme: "slack" }, {}, null],
    [
      "SendGrid",
      { scheme: "sendgrid" },
      { [`${sg}Signature`]: der, [`${sg}Timestamp`]: "12" },
      { contents: ["12{}"], signatures: [64], key: 6, at: 12_000 },
    ],
    [
      "SendGrid, broken",
      { scheme: "sendgrid" },
      { [`${sg}Signature`]: "%", [`${sg}Timestamp`]: "12" },
      { contents: ["12{}"], signatures: [null], key: 6, at: 12_000 },
    ],
    ["SendGrid without a time", { scheme: "sendgrid" }, { [`${sg}Signature`]: der }, null],
    ["SendGrid without headers", { scheme: "sendgrid" }, {}, null],
    [
      "DocuSign with several headers",
      { scheme: "docusign" },
      { "X-DocuSign-Signature-1": "AAAA", "X-DocuSign-Signature-2": "%", "X-DocuSign-Other": "AAAA" },
      { contents: ["{}"], signatures: [3, null], key: 8 },
    ],
    ["DocuSign without headers", { scheme: "docusign" }, {}, null],
    ["hmac", generic, { "X-Sig": "00" }, { contents: ["{}"], signatures: [1], key: 8 }],
    ["hmac without the configured prefix", { ...generic, prefix: "v1=" }, { "X-Sig": "00" }, null],
    ["hmac without headers", generic, {}, null],
    [
      "hmac with several signatures",
      { ...generic, prefix: "v1=", separator: "," },
      { "X-Sig": "t=1, v1=00,v1=ffff" },
      { contents: ["{}"], signatures: [1, 2], key: 8 },
    ],
    [
      "hmac with a time in milliseconds",
      { ...generic, signed: "{timestamp}{header:X-A}{header:X-B}{body}", timestamp: { header: "X-At", unit: "ms" } },
      { "X-Sig": "00", "X-At": "12", "X-A": "a" },
      { contents: ["12a{}"], signatures: [1], key: 8, at: 12 },
    ],
    [
      "hmac with an invalid time",
      { ...generic, signed: "{timestamp}{body}", timestamp: { header: "X-At", unit: "ms" } },
      { "X-Sig": "00", "X-At": "x" },
      { contents: ["x{}"], signatures: [1], key: 8, at: "never" },
    ],
    [
      "hmac with a time as text, method and URL",
      { ...generic, signed: "{method} {url} {timestamp}{body}.", timestamp: { header: "X-At", unit: "iso" } },
      { "X-Sig": "00", "X-At": "1970-01-01T00:00:12Z" },
      { contents: [`POST ${URL_CALLED} 1970-01-01T00:00:12Z{}.`], signatures: [1], key: 8, at: 12_000 },
    ],
    [
      "hmac without the required time",
      { ...generic, signed: "{timestamp}{body}", timestamp: { header: "X-At" } },
      { "X-Sig": "00" },
      null,
    ],
    [
      "basic",
      { scheme: "basic", username: "ada" },
      { Authorization: `basic ${btoa("ada:x")}` },
      { given: "ada:x", expected: "ada:pw" },
    ],
    ["basic without headers", { scheme: "basic", username: "ada" }, {}, null],
    ["basic with invalid base64", { scheme: "basic", username: "ada" }, { Authorization: "Basic a" }, null],
    ["a bearer token", { scheme: "token" }, { Authorization: "Bearer x" }, { given: "x", expected: "pw" }],
    ["an empty token", { scheme: "token" }, { Authorization: "Bearer " }, null],
    ["a blank token", { scheme: "token" }, { Authorization: " " }, null],
    ["no token", { scheme: "token" }, {}, null],
  ])("%s", (_what, settings, headers, expected) => expect(shown(claimed(settings, headers))).toEqual(expected));

  test("returns an empty claim for the scheme none", () => {
    expect(shown(claimOf(asked({}), { scheme: "none" }))).toEqual({ claim: "none" });
  });
});

describe("Twilio", () => {
  const twilio = (headers: Headers, body: string, url?: string) => claimed({ scheme: "twilio" }, headers, body, url);
  const first = (found: SignatureClaim | null) => (shown(found) as { contents: string[] }).contents[0];

  it("signs the URL and the form fields by name, each value once", () => {
    expect(first(twilio(form, "b=2&a=1&b=10&b=2"))).toBe(`${URL_CALLED}a1b10b2`);
    expect(first(twilio(form, "a=1&a=1"))).toBe(`${URL_CALLED}a1`);
  });

  it("signs the URL with or without the port", () => {
    expect(shown(twilio(form, ""))).toMatchObject({
      contents: [URL_CALLED, "https://hooks.example:443/hooks/t?a=1", URL_CALLED],
    });
    expect(shown(twilio(form, "", "http://h.example:81/x"))).toMatchObject({
      contents: ["http://h.example:81/x", "http://h.example:81/x", "http://h.example/x"],
    });
    expect(shown(twilio(form, "", "http://h.example/x"))).toMatchObject({
      contents: ["http://h.example/x", "http://h.example:80/x", "http://h.example/x"],
    });
  });

  it("signs the digest of any other body; without a digest there is no claim", () => {
    const bare = { "X-Twilio-Signature": "AAAA" };
    expect(shown(twilio(bare, "{}", "https://h.example/?bodySHA256=00"))).toMatchObject({
      contents: ["https://h.example/?bodySHA256=00", "https://h.example:443/?bodySHA256=00", expect.anything()],
      bodyDigest: "00",
    });
    expect(twilio(bare, "{}")).toBe(null);
    expect(twilio({}, "{}")).toBe(null);
    expect(twilio(bare, "{}", "no address")).toBe(null);
  });

  it("returns no claim for a form that is no text", () => {
    const request = { ...asked(form), body: Uint8Array.of(0xff) };
    expect(first(claimOf(request, { scheme: "twilio", secret: "s" }))).toBe(URL_CALLED);
  });
});

describe("the sender's delivery id", () => {
  test.each<[SchemeName, Headers, Json, string | null]>([
    ["standard_webhooks", { "svix-id": "msg_1" }, null, "msg_1"],
    ["github", { "X-GitHub-Delivery": "72d3" }, null, "72d3"],
    ["stripe", {}, { id: "evt_1" }, "evt_1"],
    ["stripe", {}, { id: 7 }, null],
    ["stripe", {}, [], null],
    ["stripe", {}, null, null],
    ["slack", {}, { event_id: "Ev1" }, "Ev1"],
    ["slack", {}, "text", null],
    ["sendgrid", {}, { sg_event_id: "sg1" }, "sg1"],
    ["twilio", {}, { MessageSid: "SM1", MessageStatus: "sent" }, "SM1/sent"],
    ["twilio", {}, { CallSid: "CA1", CallStatus: "ringing", SequenceNumber: "2" }, "CA1/ringing/2"],
    ["twilio", {}, { MessageSid: "SM1" }, null],
    ["docusign", {}, { event: "e", generatedDateTime: "t", data: { envelopeId: "v" } }, "v/e/t"],
    ["docusign", {}, { event: "e", generatedDateTime: "t", data: { envelopeId: "v", recipientId: "1" } }, "v/1/e/t"],
    ["docusign", {}, { event: "e", generatedDateTime: "t" }, null],
    ["docusign", {}, null, null],
    ["hmac", {}, { id: "1" }, null],
    ["basic", {}, { id: "1" }, null],
    ["token", {}, { id: "1" }, null],
    ["none", {}, { id: "1" }, null],
  ])("%s: of %j and %j it is %j", (scheme, headers, body, id) => {
    expect(schemes[scheme].deliveryId(asked(headers), body)).toBe(id);
  });
});

test("SendGrid sends lists, whose items are separate deliveries", () => {
  expect(schemes.sendgrid.items?.([1, 2])).toEqual([1, 2]);
  expect(schemes.sendgrid.items?.({})).toBe(null);
});

test("Slack's challenge is echoed, and other requests are not", () => {
  expect(schemes.slack.echo?.({ type: "url_verification", challenge: "c" })).toEqual({ challenge: "c" });
  expect(schemes.slack.echo?.({ type: "url_verification" })).toBe(null);
  expect(schemes.slack.echo?.({ type: "event_callback", challenge: "c" })).toBe(null);
});
