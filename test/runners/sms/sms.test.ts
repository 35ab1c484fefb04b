// The SMS runner: the contract, what Twilio is sent, and what its error codes mean.
import { describe, expect, it } from "vitest";
import { runners } from "#runners/registry.ts";
import { segmentsOf } from "#runners/sms/segments.ts";
import type { JsonObject } from "#schema/json.ts";
import { runnerContract } from "#test/runners/contract.ts";
import { performed, type Surroundings } from "#test/runners/perform.ts";
import { expectPublished, sentForm } from "#test/runners/published.ts";
import { jsonResponse, type Answer } from "#test/runners/world.ts";

const SID = `AC${"0".repeat(32)}`;
const SERVICE = `MG${"1".repeat(32)}`;
const goodConfig = { to: "+14155550123", from: "+14155550100", message: "Payment overdue." };
const account = { credentials: { accountSid: SID, authToken: "token-of-the-account" } };
const accepts: Answer = () =>
  jsonResponse({ sid: "SM1", status: "queued", error_code: null, num_segments: "1" }, { status: 201 });

runnerContract(runners.sms, {
  goodConfig,
  answer: accepts,
  connection: account,
  withCredentials: (secret) => ({ accountSid: SID, authToken: secret }),
});

const send = (config: JsonObject, answer = accepts, over: Surroundings = {}) =>
  performed("sms", { ...goodConfig, ...config }, answer, { account, ...over });

it("is sent as Twilio's API describes it, and the event tells of it", async () => {
  const { outcome, request, url } = await send({ statusCallback: "https://acme.example/status" });
  const form = await sentForm(request);
  expectPublished("twilio-messages", form);
  expect(form).toEqual({
    To: "+14155550123",
    From: "+14155550100",
    Body: "Payment overdue.",
    StatusCallback: "https://acme.example/status",
  });
  expect(url).toBe(`https://api.twilio.com/2010-04-01/Accounts/${SID}/Messages.json`);
  expect(request?.headers.get("authorization")).toBe(`Basic ${btoa(`${SID}:token-of-the-account`)}`);
  const payload = {
    messageId: "SM1",
    to: "+14155550123",
    status: "queued",
    segments: 1,
    actionId: "notify",
    provider: "twilio",
  };
  expect(outcome).toMatchObject({
    ok: true,
    events: [{ type: "sms_sent", payload }],
    metadata: { encoding: "GSM-7", segments: 1 },
  });
});

it("signs in with an API key of the account where there is one", async () => {
  const credentials = { accountSid: SID, apiKeySid: "SK1", apiKeySecret: "secret" };
  const { request, url } = await send({}, accepts, { account: { credentials } });
  expect([url?.includes(SID), request?.headers.get("authorization")]).toEqual([true, `Basic ${btoa("SK1:secret")}`]);
});

it("takes its sender from the config or the connection, and says so when there is none", async () => {
  const { from: _, ...anonymous } = goodConfig;
  const sent = async (config: JsonObject, settings: JsonObject) =>
    sentForm(
      (await performed("sms", { ...anonymous, ...config }, accepts, { account: { ...account, settings } })).request,
    );
  expect(await sent({ messagingServiceSid: SERVICE }, {})).toMatchObject({ MessagingServiceSid: SERVICE });
  expect(await sent({}, { messagingServiceSid: SERVICE, from: "+14155550100" })).toMatchObject({
    MessagingServiceSid: SERVICE,
  });
  expect(await sent({}, { from: "ACME" })).toMatchObject({ From: "ACME" });
  expect((await performed("sms", anonymous, accepts, { account })).outcome).toMatchObject({
    error: { code: "from_missing" },
  });
});

it.each([
  [21211, 400, "invalid_configuration", false, "invalid_number"],
  [21614, 400, "invalid_configuration", false, "invalid_number"],
  [21606, 400, "invalid_configuration", false, "invalid_sender"],
  [21610, 400, "recipient_unsubscribed", false, "recipient_unsubscribed"],
  [21408, 403, "authorization_failed", false, "region_not_enabled"],
  [21617, 400, "malformed_request", false, "message_too_long"],
  [20003, 401, "authentication_failed", false, "authentication_failed"],
  [20429, 429, "rate_limit", true, "too_many_requests"],
  [21611, 429, "rate_limit", true, "too_many_messages"],
  [30001, 400, "rate_limit", true, "too_many_messages"],
  [29999, 400, "malformed_request", false, "twilio_29999"],
  [20500, 500, "service_unavailable", true, "twilio_20500"],
])("means by the code %i (with %i) %s (retryable: %s), %s", async (code, status, type, retryable, name) => {
  const body = { code, message: "why", more_info: `https://www.twilio.com/docs/errors/${code}`, status };
  const { outcome } = await send({}, () => jsonResponse(body, { status }));
  expect(outcome).toMatchObject({ ok: false, error: { type, retryable, code: name } });
  expect(outcome.ok ? "" : outcome.error.message).toContain("it said: why");
});

it.each([
  ["failed", 30007, "malformed_request", false],
  ["undelivered", 30003, "service_unavailable", true],
  ["failed", null, "unknown_error", false],
])("takes a message that was accepted and is %s (%s) for %s", async (status, code, type, retryable) => {
  const { outcome } = await send({}, () =>
    jsonResponse({ sid: "SM1", status, error_code: code, error_message: "why" }, { status: 201 }),
  );
  expect(outcome).toMatchObject({ ok: false, error: { type, retryable, details: { errorCode: code } } });
});

it.each([
  [{ to: "0041791234567" }, "to:"],
  [{ to: "+0123456789" }, "to:"],
  [{ to: "+1415555012345678" }, "to:"],
  [{ from: "Acme Incorporated" }, "from:"],
  [{ messagingServiceSid: SERVICE }, "from: from or messagingServiceSid"],
  [{ message: "" }, "message:"],
  [{ message: "x".repeat(1_601) }, "message:"],
  [{ statusCallback: "/status" }, "statusCallback:"],
  [{ provider: "nexmo" }, "provider:"],
])("refuses %j, naming the field", async (config, named) => {
  const { outcome, calls } = await send(config);
  expect(outcome.ok ? "" : outcome.error.message).toContain(named);
  expect(calls).toEqual([]);
});

describe("segments", () => {
  it.each([
    ["160 plain characters", "a".repeat(160), "GSM-7", 1],
    ["161 plain characters", "a".repeat(161), "GSM-7", 2],
    ["306 plain characters", "a".repeat(306), "GSM-7", 2],
    ["307 plain characters", "a".repeat(307), "GSM-7", 3],
    ["80 characters of the extension", "€".repeat(80), "GSM-7", 1],
    ["an extension that would be parted", `${"a".repeat(152)}€${"a".repeat(152)}`, "GSM-7", 3],
    ["Greek capitals", "ΔΦΓ", "GSM-7", 1],
    ["70 Cyrillic letters", "я".repeat(70), "UCS-2", 1],
    ["71 Cyrillic letters", "я".repeat(71), "UCS-2", 2],
    ["one smile among letters", "ok 😀", "UCS-2", 1],
    ["67 smiles, two places each and never parted", "😀".repeat(67), "UCS-2", 3],
  ])("%s", (_, text, encoding, segments) => expect(segmentsOf(text)).toEqual({ encoding, segments }));
});
