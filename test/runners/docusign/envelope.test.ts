// Tests of the DocuSign envelope runner: the contract, the requests, and the meaning of error codes.
import { describe, expect, it } from "vitest";
import { configFindings } from "#runners/draft.ts";
import { runners } from "#runners/registry.ts";
import { runTicket } from "#runners/run.ts";
import type { OpenConnection } from "#runners/core/runner.ts";
import type { JsonObject } from "#schema/json.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { runnerContract } from "#test/runners/contract.ts";
import { account, ACCOUNT, created, ENVELOPE, oauth, withTokens } from "./docusign-world.ts";
import { performed } from "#test/runners/perform.ts";
import { expectPublished, sentJson } from "#test/runners/published.ts";
import { connectionTo, cutOff, jsonResponse, NOW, ticketFor, world, type Answer } from "#test/runners/world.ts";
import { naming } from "#test/support/matchers/naming.ts";

const role = { roleName: "Tenant", name: "Ada", email: "ada@example.com" };
const goodConfig = { templateId: "tpl-1", templateRoles: [role] };
const URL_OF = `https://demo.docusign.net/restapi/v2.1/accounts/${ACCOUNT}/envelopes`;
runnerContract(runners.docusign_envelope, {
  goodConfig,
  answer: created,
  connection: account("contract", oauth),
  withCredentials: (secret) => ({ connectHmacKey: `${secret} an-older-key` }),
  acts: ({ request }) => request.method === "POST",
});

const send = (config: JsonObject = {}, answer = created, over: Partial<OpenConnection> = {}, user = "sends") =>
  performed("docusign_envelope", { ...goodConfig, ...config }, withTokens(answer), { account: account(user, over) });
const envelopeOf = async ({ calls }: Awaited<ReturnType<typeof send>>) =>
  (await sentJson(calls.find(({ url }) => url === URL_OF)?.request)) as { [field: string]: never };

describe("an envelope", () => {
  it("is sent as DocuSign's API describes it, and emits its event", async () => {
    const tabs = { textTabs: [{ tabLabel: "price", value: "17", locked: "true" }] };
    const config = {
      recipients: [{ role: "Owner", name: "Bob", email: "bob@example.com", routingOrder: 2, accessCode: "1234", tabs }],
      customFields: { executionId: "exe_1", propertyId: 17 },
      emailSubject: "Please sign",
      emailBlurb: "The contract we spoke of.",
      notification: { reminders: { reminderEnabled: true, reminderDelay: 3, reminderFrequency: 2 } },
    };
    const done = await send(config, created, {
      settings: { ...account("sends").settings, publicUrl: "https://esc.example/" },
    });
    const sent = await envelopeOf(done);
    expectPublished("docusign-envelope", sent);
    const hidden = { show: "false", required: "false" };
    expect(sent).toEqual({
      templateId: "tpl-1",
      status: "sent",
      transactionId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/),
      emailSubject: "Please sign",
      emailBlurb: "The contract we spoke of.",
      templateRoles: [
        { roleName: "Owner", name: "Bob", email: "bob@example.com", routingOrder: "2", accessCode: "1234", tabs },
        role,
      ],
      customFields: {
        textCustomFields: [
          { name: "executionId", value: "exe_1", ...hidden },
          { name: "propertyId", value: "17", ...hidden },
          { name: "idempotencyKey", value: "exe_1/4.0", ...hidden },
        ],
      },
      notification: { reminders: { reminderEnabled: "true", reminderDelay: "3", reminderFrequency: "2" } },
      eventNotification: {
        url: "https://esc.example/v1/hooks/docusign/ten_1/sign",
        deliveryMode: "SIM",
        events: ["envelope-delivered", "envelope-completed", "envelope-declined", "envelope-voided"],
        eventData: { version: "restv2.1", format: "json", includeData: ["custom_fields", "recipients"] },
        requireAcknowledgment: "true",
        loggingEnabled: "true",
        includeHMAC: "true",
      },
    });
    const statusDateTime = "2026-01-15T12:00:01.5530000Z";
    const result = { envelopeId: ENVELOPE, status: "sent", statusDateTime, uri: `/envelopes/${ENVELOPE}` };
    const payload = { ...result, templateId: "tpl-1", actionId: "notify" };
    expect(done.outcome).toMatchObject({ ok: true, result, events: [{ type: "envelope_sent", payload }] });
  });

  it("is created as a draft on request, and DocuSign's callback reports the sending", async () => {
    const settings = { ...account("sends").settings, publicUrl: "https://esc.example" };
    const draft: Answer = () => jsonResponse({ envelopeId: ENVELOPE, status: "created" }, { status: 201 });
    const done = await send({ status: "created" }, draft, { settings });
    expect(done.outcome).toMatchObject({ ok: true, events: [{ type: "envelope_created" }] });
    expect(await envelopeOf(done)).toMatchObject({
      status: "created",
      eventNotification: { events: expect.arrayContaining(["envelope-sent"]) },
    });
  });

  it("requests no callbacks without a public URL", async () => {
    expect(await envelopeOf(await send())).not.toHaveProperty("eventNotification");
  });
});

describe("a second attempt", () => {
  const again = async (listed: Answer, ticket: Partial<Ticket> = { attempt: 2 }) => {
    const answer: Answer = (call) => (call.request.method === "GET" ? listed(call) : created(call));
    const surroundings = world(withTokens(answer), {
      connection: async () => ({ ok: true, connection: connectionTo("docusign", account("again")) }),
    });
    const outcome = await runTicket(ticketFor("docusign_envelope", goodConfig, ticket), surroundings);
    const calls = surroundings.calls.filter(({ url }) => !url.endsWith("/token"));
    return { outcome, methods: calls.map(({ request }) => request.method), asked: calls[0]?.url };
  };

  it("searches for an envelope of the first attempt, and sends no second one", async () => {
    const left = { envelopeId: ENVELOPE, status: "sent", statusChangedDateTime: "2026-01-15T12:00:00Z" };
    const { outcome, methods, asked } = await again(() => jsonResponse({ envelopes: [left] }));
    expect(asked).toMatch(new RegExp(`^${URL_OF}\\?transaction_ids=[0-9a-f-]{36}$`));
    expect(methods).toEqual(["GET"]);
    expect(outcome).toMatchObject({ ok: true, result: { envelopeId: ENVELOPE }, metadata: { foundAgain: true } });
  });

  it("also searches if the first attempt was lost and is repeated", async () => {
    const { methods } = await again(() => jsonResponse({}), { attempt: 1, possiblyRepeated: true });
    expect(methods).toEqual(["GET", "POST"]);
    expect((await again(() => jsonResponse({}), { attempt: 1 })).methods).toEqual(["POST"]);
  });

  it.each<[string, Answer]>([
    ["there is none", () => jsonResponse({ resultSetSize: "0" })],
    ["DocuSign knows no such transaction", () => jsonResponse({ errorCode: "X", message: "no" }, { status: 400 })],
  ])("sends the envelope if %s", async (_what, listed) => {
    const { outcome, methods } = await again(listed);
    expect([outcome.ok, methods]).toEqual([true, ["GET", "POST"]]);
  });

  const hourly = { errorCode: "HOURLY_APIINVOCATION_LIMIT_EXCEEDED", message: "later" };
  it.each<[string, Answer, string, boolean]>([
    ["503", () => new Response(null, { status: 503 }), "service_unavailable", true],
    ["a limit, which comes with a 400", () => jsonResponse(hourly, { status: 400 }), "rate_limit", true],
    [
      "a redirect",
      () => new Response(null, { status: 302, headers: { Location: "/login" } }),
      "malformed_request",
      false,
    ],
    ["a page of a proxy", () => new Response("<html>Welcome</html>"), "unknown_error", true],
    ["a proxy's 404", () => new Response("<html>Nothing here</html>", { status: 404 }), "not_found", false],
    ["a gateway's 404 in JSON", () => jsonResponse({ message: "no route" }, { status: 404 }), "not_found", false],
    ["a 400 without a word", () => new Response(null, { status: 400 }), "malformed_request", false],
    ["a list that was cut off", () => jsonResponse({ envelopes: ["x".repeat(20_000)] }), "unknown_error", true],
    ["an envelope without its id", () => jsonResponse({ envelopes: [{ status: "sent" }] }), "unknown_error", true],
  ])("sends nothing if the search fails: %s", async (_what, listed, type, retryable) => {
    const { outcome, methods } = await again(listed);
    expect([outcome, methods]).toMatchObject([{ error: { type, retryable } }, ["GET"]]);
  });
});

describe("a refusal", () => {
  it.each([
    [401, "USER_AUTHENTICATION_FAILED", "authentication_failed", false, "user_authentication_failed"],
    [401, "PARTNER_AUTHENTICATION_FAILED", "authentication_failed", false, "integration_key_refused"],
    [400, "USER_LACKS_PERMISSIONS", "authorization_failed", false, "user_lacks_permissions"],
    [400, "ACCOUNT_LACKS_PERMISSIONS", "authorization_failed", false, "account_lacks_permissions"],
    [400, "ENVELOPE_ALLOWANCE_EXCEEDED", "rate_limit", false, "envelope_allowance_exceeded"],
    [400, "TEMPLATE_ID_INVALID", "invalid_configuration", false, "template_unknown"],
    [400, "INVALID_EMAIL_ADDRESS_FOR_RECIPIENT", "invalid_configuration", false, "invalid_address"],
    [400, "ENVELOPE_IS_INCOMPLETE", "invalid_configuration", false, "envelope_incomplete"],
    [400, "INVALID_REQUEST_PARAMETER", "malformed_request", false, "invalid_parameter"],
    [400, "SOMETHING_NEW", "malformed_request", false, "docusign_something_new"],
    [500, "UNSPECIFIED_ERROR", "service_unavailable", true, "docusign_unspecified_error"],
  ])("with %i %s is %s (retryable: %s), %s", async (status, errorCode, type, retryable, code) => {
    const { outcome } = await send({}, () => jsonResponse({ errorCode, message: "why" }, { status }));
    expect(outcome).toMatchObject({ ok: false, error: { type, retryable, code } });
    expect(outcome.ok ? "" : outcome.error.message).toContain(`${errorCode}: why`);
  });

  it.each(["a page, not a code", "X".repeat(5_000)])("%s is not reported as a code", async (errorCode) => {
    const { outcome } = await send({}, () => jsonResponse({ errorCode, message: "why" }, { status: 400 }));
    expect(outcome).toMatchObject({ ok: false, error: { type: "malformed_request", code: "http_400" } });
  });

  it.each([
    ["HOURLY_APIINVOCATION_LIMIT_EXCEEDED", String(NOW / 1000 + 600), 600_000],
    ["HOURLY_APIINVOCATION_LIMIT_EXCEEDED", "soon", undefined],
    ["BURST_APIINVOCATION_LIMIT_EXCEEDED", String(NOW / 1000 + 600), 30_000],
  ])("%s is retried after its limit (until %s)", async (errorCode, reset, retryAfterMs) => {
    const headers = { "X-RateLimit-Reset": reset };
    const { outcome } = await send({}, () => jsonResponse({ errorCode, message: "why" }, { status: 400, headers }));
    expect(outcome).toMatchObject({ ok: false, error: { type: "rate_limit", retryable: true } });
    expect(outcome.ok ? 0 : outcome.retryAfterMs).toBe(retryAfterMs);
  });

  it("with an unreadable success: searches once for the created envelope", async () => {
    const answer = cutOff('{"envelo', "breaks", { status: 201 });
    const found = { envelopes: [{ envelopeId: "env-9", status: "sent" }] };
    const { outcome } = await send({}, ({ init }) => (init.method === "GET" ? jsonResponse(found) : answer));
    expect(outcome).toMatchObject({ ok: true, result: { envelopeId: "env-9", bodyIncomplete: "cut" } });
  });

  it("with an unreadable success and no envelope found: is not retried", async () => {
    const { outcome } = await send({}, () => jsonResponse({ status: "sent" }, { status: 201 }));
    expect(outcome).toMatchObject({ error: { code: "answer_unreadable", retryable: false, effect: "unknown" } });
  });
});

it.each<[JsonObject, ...string[]]>([
  [{ templateId: "" }, "templateId:"],
  [{ templateRoles: [{ ...role, email: "ada" }] }, "templateRoles.0.email:"],
  [{ templateRoles: [{ ...role, email: "Ada <ada@example.com>" }] }, "templateRoles.0.email:"],
  [{ templateRoles: [{ ...role, name: "Ada\r\nBob" }] }, "templateRoles.0.name:"],
  [{ recipients: [{ role: "tenant", name: "Bob", email: "bob@example.com" }] }, "templateRoles:", "tenant"],
  [{ customFields: { idempotencyKey: "x" } }, "customFields.idempotencyKey:"],
  [{ customFields: { executionId: "exe_2" } }, "customFields.executionId:", "exe_1"],
  [{ customFields: { note: "x".repeat(101) } }, "customFields.note:", "100"],
  [{ emailSubject: "x".repeat(101) }, "emailSubject:"],
  [{ status: "signed" }, "status:"],
])("refuses %j by field", async (config, ...values) => {
  const { outcome, calls } = await send(config);
  expect(outcome).toMatchObject({ error: { type: "invalid_configuration", message: naming(...values) } });
  expect(calls).toEqual([]);
});

it("accepts templates in a draft for any value, and reports errors that no value can fix", () => {
  const recipients = [
    { role: "Owner", name: "{{ execution.variables.name }}", email: "{{ execution.variables.email }}" },
  ];
  const customFields = { executionId: "{{ execution.id }}" };
  const draft = { ...goodConfig, templateId: "{{ execution.variables.template }}", recipients, customFields };
  expect(configFindings("docusign_envelope", draft)).toEqual([]);
  const twice = { ...draft, templateRoles: [{ ...role, roleName: "owner" }] };
  expect(configFindings("docusign_envelope", twice)).toMatchObject([{ pointer: "/templateRoles" }]);
});
