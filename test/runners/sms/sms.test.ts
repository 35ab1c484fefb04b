// Tests of the SMS runner: the contract, the requests, and the meaning of error codes.
import { describe, expect, it } from "vitest";
import { runners } from "#runners/registry.ts";
import { segmentsOf } from "#runners/sms/segments.ts";
import { configFindings } from "#runners/draft.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { runnerContract } from "#test/runners/contract.ts";
import { performed, type Surroundings } from "#test/runners/perform.ts";
import { expectPublished, sentForm } from "#test/runners/published.ts";
import { jsonResponse, NOW, type Answer } from "#test/runners/world.ts";

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

const MINUTE = 60_000;
const PICTURE = "https://acme.example/a.png";
const CONTENT = `HX${"2".repeat(32)}`;
const at = (ahead: number) => new Date(NOW + ahead).toISOString();

/** Sends the valid config with these overrides. An undefined field is removed. */
const send = (config: { readonly [field: string]: Json | undefined }, answer = accepts, over: Surroundings = {}) => {
  const whole = JSON.parse(JSON.stringify({ ...goodConfig, ...config })) as JsonObject; // JSON.stringify removes undefined fields
  return performed("sms", whole, answer, { account, ...over });
};

it("is sent as Twilio's API describes it, and emits its event", async () => {
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

it.each<[string, { readonly [field: string]: Json | undefined }, object]>([
  [
    "pictures, with words or without",
    { message: undefined, mediaUrls: [PICTURE, `${PICTURE}?2`] },
    { To: "+14155550123", From: "+14155550100", MediaUrl: [PICTURE, `${PICTURE}?2`] },
  ],
  [
    "one picture through WhatsApp",
    { channel: "whatsapp", mediaUrls: [PICTURE] },
    { To: "whatsapp:+14155550123", From: "whatsapp:+14155550100", Body: "Payment overdue.", MediaUrl: [PICTURE] },
  ],
  [
    "a content template and what stands in it",
    { channel: "whatsapp", message: undefined, contentSid: CONTENT, contentVariables: { 1: "Ada", 2: 17 } },
    {
      To: "whatsapp:+14155550123",
      From: "whatsapp:+14155550100",
      ContentSid: CONTENT,
      ContentVariables: '{"1":"Ada","2":"17"}',
    },
  ],
  [
    "all at once, for later",
    {
      messagingServiceSid: SERVICE,
      mediaUrls: [PICTURE],
      sendAt: "2026-01-15T14:00:00.500+01:00",
      validityPeriod: 600,
      shortenUrls: true,
      statusCallback: "https://acme.example/status",
    },
    {
      To: "+14155550123",
      From: "+14155550100",
      MessagingServiceSid: SERVICE,
      Body: "Payment overdue.",
      MediaUrl: [PICTURE],
      ScheduleType: "fixed",
      SendAt: "2026-01-15T13:00:00Z",
      ValidityPeriod: 600,
      ShortenUrls: true,
      StatusCallback: "https://acme.example/status",
    },
  ],
])("sends %s as Twilio's API describes it", async (_, config, expected) => {
  const { request } = await send(config);
  const form = await sentForm(request);
  expectPublished("twilio-messages", form);
  expect(form).toEqual(expected);
});

it("counts segments of plain texts only, and reports the channel", async () => {
  const told = async (config: Parameters<typeof send>[0]) => {
    const { outcome } = await send(config);
    const { channel, segments } = outcome.ok ? (outcome.result as JsonObject) : {};
    return [channel, segments, outcome.metadata?.["segments"]];
  };
  expect(await told({})).toEqual(["sms", 1, 1]);
  expect(await told({ mediaUrls: [PICTURE] })).toEqual(["sms", null, undefined]);
  expect(await told({ channel: "whatsapp" })).toEqual(["whatsapp", null, undefined]);
  expect(await told({ messagingServiceSid: SERVICE, shortenUrls: true })).toEqual(["sms", null, undefined]);
});

describe("a scheduled message", () => {
  it.each([
    [15 * MINUTE - 1, false],
    [15 * MINUTE, true],
    [35 * 24 * 60 * MINUTE, true],
    [35 * 24 * 60 * MINUTE + 1, false],
    [-MINUTE, false],
  ])("is sent to Twilio %i ms in advance: %s", async (ahead, isTold) => {
    const { outcome, calls } = await send({ from: undefined, messagingServiceSid: SERVICE, sendAt: at(ahead) });
    expect([outcome.ok, calls.length]).toEqual([isTold, isTold ? 1 : 0]);
    const told = isTold ? { result: { sendAt: at(ahead) } } : { error: { code: "send_at_out_of_range" } };
    expect(outcome).toMatchObject(told);
  });

  it.each(["sendAt", "shortenUrls"])("needs a Messaging Service, and so does %s of a connection", async (field) => {
    const config = { from: undefined, [field]: field === "sendAt" ? at(60 * MINUTE) : true };
    const over = (settings: JsonObject) => ({ account: { ...account, settings } });
    const alone = await send(config, accepts, over({ from: "+14155550100" }));
    expect([alone.outcome, alone.calls]).toMatchObject([{ error: { code: "messaging_service_missing" } }, []]);
    expect((await send(config, accepts, over({ messagingServiceSid: SERVICE }))).outcome.ok).toBe(true);
  });
});

it.each([
  [{ to: "{{ to }}", message: "{{ m }}", contentSid: CONTENT }, ["/contentSid"]],
  [{ to: "{{ to }}", message: "Hi", from: "+14155550100", sendAt: "{{ at }}" }, ["/messagingServiceSid"]],
  [{ to: "{{ to }}" }, ["/message"]],
  [
    {
      to: "{{ to }}",
      channel: "{{ c }}",
      mediaUrls: ["{{ url }}"],
      from: "{{ from }}",
      sendAt: "{{ at }}",
      messagingServiceSid: "{{ s }}",
    },
    [],
  ],
])("reports the errors in the draft %j that no rendering can fix", (config, pointers) => {
  expect(configFindings("sms", config).map(({ pointer }) => pointer)).toEqual(pointers);
});

it("authenticates with an API key of the account if there is one", async () => {
  const credentials = { accountSid: SID, apiKeySid: "SK1", apiKeySecret: "secret" };
  const { request, url } = await send({}, accepts, { account: { credentials } });
  expect([url?.includes(SID), request?.headers.get("authorization")]).toEqual([true, `Basic ${btoa("SK1:secret")}`]);
});

it("takes the sender from the config or the connection, and reports a missing one", async () => {
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
  [21655, 400, "invalid_configuration", false, "content_template_unknown"],
  [35114, 400, "invalid_configuration", false, "send_at_out_of_range"],
  [63016, 400, "malformed_request", false, "outside_messaging_window"],
  [20500, 500, "service_unavailable", true, "twilio_20500"],
])("reports the code %i (with %i) as %s (retryable: %s), %s", async (code, status, type, retryable, name) => {
  const body = { code, message: "why", more_info: `https://www.twilio.com/docs/errors/${code}`, status };
  const { outcome } = await send({}, () => jsonResponse(body, { status }));
  expect(outcome).toMatchObject({ ok: false, error: { type, retryable, code: name } });
  expect(outcome.ok ? "" : outcome.error.message).toMatch(/\bwhy$/);
});

it.each([
  ["failed", 30007, "malformed_request", false],
  ["undelivered", 30003, "service_unavailable", true],
  ["failed", null, "unknown_error", false],
])("reports a message that was accepted and is %s (%s) as %s", async (status, code, type, retryable) => {
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
  [{ message: "" }, "message:"],
  [{ message: "x".repeat(1_601) }, "message:"],
  [{ statusCallback: "/status" }, "statusCallback:"],
  [{ message: undefined }, "message:"],
  [{ to: "whatsapp:+14155550123" }, '"whatsapp"'],
  [{ channel: "whatsapp", from: "ACME" }, "from:"],
  [{ channel: "whatsapp", mediaUrls: [PICTURE, PICTURE] }, "mediaUrls.1:"],
  [{ channel: "fax" }, "channel:"],
  [{ mediaUrls: [] }, "mediaUrls:"],
  [{ mediaUrls: Array<string>(11).fill(PICTURE) }, "mediaUrls:"],
  [{ mediaUrls: ["http://acme.example/a.png"] }, "mediaUrls.0:"],
  [{ mediaUrls: [PICTURE], from: "ACME" }, "from:"],
  [{ contentSid: CONTENT }, "contentSid:"],
  [{ message: undefined, mediaUrls: [PICTURE], contentSid: CONTENT }, "contentSid:"],
  [{ contentVariables: { 1: "Ada" } }, "contentVariables:"],
  [{ message: undefined, contentSid: "HX1", contentVariables: {} }, "contentSid:"],
  [{ message: undefined, contentSid: CONTENT, contentVariables: { 1: " " } }, "contentVariables.1:"],
  [{ message: undefined, contentSid: CONTENT, contentVariables: { 1: null } }, "contentVariables.1:"],
  [
    { channel: "whatsapp", message: undefined, contentSid: CONTENT, contentVariables: { 1: "a\nb" } },
    "contentVariables.1:",
  ],
  [{ sendAt: "tomorrow" }, "sendAt:"],
  [{ sendAt: at(60 * MINUTE) }, "messagingServiceSid: sendAt"],
  [{ shortenUrls: true }, "messagingServiceSid: shortenUrls"],
  [{ validityPeriod: 0 }, "validityPeriod:"],
  [{ validityPeriod: 36_001 }, "validityPeriod:"],
  [{ provider: "nexmo" }, "provider:"],
])("refuses %j by field", async (config, named) => {
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
