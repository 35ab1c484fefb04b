// Every verification scheme, with messages signed by the provider's own library if npm has it, or else as the provider
// describes it.
import { createHash, createHmac, createSign, generateKeyPairSync } from "node:crypto";
import { sign as signGithub } from "@octokit/webhooks-methods";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Stripe } from "stripe";
import { Webhook as SvixWebhook } from "svix";
import twilioWebhooks from "twilio/lib/webhooks/webhooks.js";
import { describe, expect, it, test } from "vitest";
import { verification, type Verification } from "#schema/inbound/verification.ts";
import { schemes } from "#policy/inbound/registry.ts";
import { AT, believed, schemeContract } from "./scheme-contract.ts";
import { naming } from "#test/support/matchers/naming.ts";

const body = '{"id":"evt_1","name":"Ünïcödé ✓"}';
const base64 = (text: string) => Buffer.from(text).toString("base64");
const json = { "Content-Type": "application/json" };
const seconds = (at: number) => String(Math.floor(at / 1_000));
const hmac = (digest: string, key: string | Buffer, text: string) => createHmac(digest, key).update(text).digest();

const standardKey = `whsec_${base64("a key of twenty-four bytes")}`;
schemeContract("Standard Webhooks", {
  settings: { scheme: "standard_webhooks", secret: "s" },
  key: standardKey,
  otherKey: `whsec_${base64("another one of its length!")}`,
  isTimed: true,
  send: (key, at) => ({
    body,
    headers: {
      "webhook-id": "msg_1",
      "webhook-timestamp": seconds(at),
      "webhook-signature": new StandardWebhook(key).sign("msg_1", new Date(at), body),
    },
  }),
});

schemeContract("Svix", {
  settings: { scheme: "standard_webhooks", secret: "s" },
  key: standardKey,
  otherKey: `whsec_${base64("another one of its length!")}`,
  isTimed: true,
  send: (key, at) => ({
    body,
    headers: {
      "svix-id": "msg_1",
      "svix-timestamp": seconds(at),
      "svix-signature": `v1,${base64("an older key's")} ${new SvixWebhook(key).sign("msg_1", new Date(at), body)}`,
    },
  }),
});

schemeContract("GitHub", {
  settings: { scheme: "github", secret: "s" },
  key: "It's a Secret to Everybody",
  otherKey: "not that one",
  isTimed: false,
  send: async (key) => ({
    body,
    headers: { "X-Hub-Signature-256": await signGithub(key, body), "X-GitHub-Delivery": "72d3162e" },
  }),
});

schemeContract("Stripe", {
  settings: { scheme: "stripe", secret: "s" },
  key: "whsec_stripe",
  otherKey: "whsec_other",
  isTimed: true,
  send: (secret, at) => {
    const timestamp = Math.floor(at / 1_000);
    const header = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp });
    return { body, headers: { "Stripe-Signature": header } };
  },
});

const url = "https://hooks.example/hooks/t";
const form = { To: "+15017122661", MessageSid: "SM1", MessageStatus: "sent", Body: "Grüezi & hoi", Empty: "" };
const formBody = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const asForm = { "Content-Type": "application/x-www-form-urlencoded; charset=UTF-8" };
schemeContract("Twilio with a form", {
  settings: { scheme: "twilio", secret: "s" },
  key: "12345",
  otherKey: "54321",
  isTimed: false,
  send: (key) => ({
    body: formBody(form),
    url,
    headers: { ...asForm, "X-Twilio-Signature": twilioWebhooks.getExpectedTwilioSignature(key, url, form) },
  }),
});

const withDigest = (of: string) => `${url}?foo=1&bodySHA256=${createHash("sha256").update(of).digest("hex")}`;
schemeContract("Twilio with JSON", {
  settings: { scheme: "twilio", secret: "s" },
  key: "12345",
  otherKey: "54321",
  isTimed: false,
  send: (key) => ({
    body,
    url: withDigest(body),
    headers: { ...json, "X-Twilio-Signature": twilioWebhooks.getExpectedTwilioSignature(key, withDigest(body), {}) },
  }),
});

const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
const other = generateKeyPairSync("ec", { namedCurve: "P-256" });
const spki = ({ publicKey }: typeof pair) => publicKey.export({ format: "der", type: "spki" }).toString("base64");
schemeContract("SendGrid", {
  settings: { scheme: "sendgrid", secret: "s" },
  key: spki(pair),
  otherKey: spki(other),
  isTimed: true,
  send: (key, at) => {
    const { privateKey } = key === spki(pair) ? pair : other;
    const signature = createSign("sha256")
      .update(`${seconds(at)}${body}`)
      .sign(privateKey, "base64");
    return {
      body,
      headers: {
        "X-Twilio-Email-Event-Webhook-Signature": signature,
        "X-Twilio-Email-Event-Webhook-Timestamp": seconds(at),
      },
    };
  },
});

schemeContract("Slack", {
  settings: { scheme: "slack", secret: "s" },
  key: "8f742231b10e8888abcd99yyyzzz85a5",
  otherKey: "another",
  isTimed: true,
  send: (key, at) => {
    const signature = hmac("sha256", key, `v0:${seconds(at)}:${body}`).toString("hex");
    return { body, headers: { "X-Slack-Signature": `v0=${signature}`, "X-Slack-Request-Timestamp": seconds(at) } };
  },
});

schemeContract("DocuSign", {
  settings: { scheme: "docusign", secret: "s" },
  key: "UHVibGljIGtleXMgYXJlIG5vbmU=",
  otherKey: "another",
  isTimed: false,
  send: (key) => ({ body, headers: { "X-DocuSign-Signature-1": hmac("sha256", key, body).toString("base64") } }),
});

const settings = (written: object): Verification => verification.parse({ scheme: "hmac", secret: "s", ...written });
schemeContract("hmac as Shopify does it", {
  settings: settings({ header: "X-Shopify-Hmac-Sha256", encoding: "base64" }),
  key: "shopify",
  otherKey: "other",
  isTimed: false,
  send: (key) => ({ body, headers: { "X-Shopify-Hmac-Sha256": hmac("sha256", key, body).toString("base64") } }),
});
schemeContract("hmac as Stripe does it", {
  settings: settings({
    header: "X-Sig",
    prefix: "v1=",
    separator: ",",
    signed: "{timestamp}.{body}",
    timestamp: { header: "X-Sig", prefix: "t=" },
  }),
  key: "key",
  otherKey: "other",
  isTimed: true,
  send: (key, at) => {
    const signature = hmac("sha256", key, `${seconds(at)}.${body}`).toString("hex");
    return { body, headers: { "X-Sig": `t=${seconds(at)}, v1=00, v1=${signature}, v0=${signature}` } };
  },
});
schemeContract("hmac with all there is", {
  settings: settings({
    header: "X-Sig",
    algorithm: "sha512",
    encoding: "base64url",
    keyEncoding: "hex",
    signed: "{method} {url} {header:X-Event} {timestamp} {body}!",
    timestamp: { header: "X-At", unit: "iso" },
  }),
  key: "c0ffee",
  otherKey: "beef",
  isTimed: true,
  send: (key, at) => {
    const time = new Date(at).toISOString();
    const text = `POST ${url} push ${time} ${body}!`;
    const signature = hmac("sha512", Buffer.from(key, "hex"), text).toString("base64url");
    return { body, url, headers: { "X-Sig": signature, "X-At": time, "X-Event": "push" } };
  },
});

schemeContract("basic", {
  settings: { scheme: "basic", username: "ada", secret: "s" },
  key: "löve lace",
  otherKey: "wrong",
  isTimed: false,
  isUnsigned: true,
  send: (key) => ({ body, headers: { Authorization: `Basic ${base64(`ada:${key}`)}` } }),
});
schemeContract("token", {
  settings: { scheme: "token", header: "X-Gitlab-Token", secret: "s" },
  key: "glpat",
  otherKey: "wrong",
  isTimed: false,
  isUnsigned: true,
  send: (key) => ({ body, headers: { "X-Gitlab-Token": key } }),
});
schemeContract("none", {
  settings: { scheme: "none" },
  key: "",
  otherKey: "",
  isTimed: false,
  isUnsigned: true,
  send: () => ({ body, headers: {} }),
});

it("every scheme passes the contract", () => {
  expect(Object.keys(schemes).toSorted()).toEqual(
    [
      ...["basic", "docusign", "github", "hmac", "none", "sendgrid", "slack"],
      ...["standard_webhooks", "stripe", "token", "twilio"],
    ].toSorted(),
  );
});

describe("senders that cannot sign", () => {
  const basic: Verification = { scheme: "basic", username: "ada", secret: "s" };
  test.each([
    ["another name", `Basic ${base64("bob:pw")}`],
    ["another password", `Basic ${base64("ada:pww")}`],
    ["none", ""],
    ["another way", "Bearer pw"],
    ["broken base64", "Basic a"],
    ["no UTF-8", `Basic ${Buffer.from([0xff, 0xfe]).toString("base64")}`],
  ])("is not believed with %s", async (_what, Authorization) => {
    expect(await believed(basic, { body, headers: { Authorization } }, ["pw"])).toBe(false);
  });

  test("may send a token as a bearer token", async () => {
    const token: Verification = { scheme: "token", header: "Authorization", secret: "s" };
    expect(await believed(token, { body, headers: { Authorization: "Bearer abcd" } }, ["abcd"])).toBe(true);
    expect(await believed(token, { body, headers: { Authorization: "Bearer abce" } }, ["abcd"])).toBe(false);
    expect(await believed(token, { body, headers: {} }, ["abcd"])).toBe(false);
  });
});

test("a trigger without a signed time, or with a missing one, is refused when it is written", () => {
  const said = (written: object) =>
    verification.safeParse({ scheme: "hmac", secret: "s", header: "X", ...written }).error?.issues[0];
  const [unsigned, missing] = [said({ timestamp: { header: "T" } }), said({ signed: "{timestamp}{body}" })];
  const found = { path: ["timestamp"], message: naming("{timestamp}") };
  expect([unsigned, missing]).toMatchObject([found, found]);
  expect(unsigned?.message).not.toBe(missing?.message);
  expect(said({ signed: "body" })).toMatchObject({ path: ["signed"] });
  expect(new Date(AT).toISOString()).toBe("2026-11-18T10:00:00.000Z");
});
