// Tests of e-mail providers: requests and the meaning of errors.
import { describe, expect, it } from "vitest";
import { runners } from "#runners/registry.ts";
import type { EmailMessage, RunnerContext } from "#runners/core/runner.ts";
import type { JsonObject } from "#schema/json.ts";
import { performed, type Surroundings } from "#test/runners/perform.ts";
import { expectPublished, sentJson } from "#test/runners/published.ts";
import { jsonResponse, NOW, type Answer } from "#test/runners/world.ts";
import { namingPattern } from "#test/support/matchers/naming.ts";

const message = { from: "Acme <post@acme.example>", to: "ada@example.com", subject: "Hello", text: "Hi." };
const accepts: Answer = () => new Response(null, { status: 202, headers: { "X-Message-Id": "sg-1" } });
const account = { credentials: { apiKey: "key-of-the-account" } };

const send = (config: JsonObject, answer: Answer = accepts, over: Surroundings = {}) =>
  performed("email", { ...message, ...config }, answer, { account, ...over });
const without = (...names: string[]) =>
  Object.fromEntries(Object.entries(message).filter(([name]) => !names.includes(name)));

const full = {
  to: ["Ada Lovelace <ada@example.com>", { email: "bob@example.com", name: "Bob" }],
  cc: "ADA@example.com",
  bcc: ["eve@example.com"],
  replyTo: "desk@acme.example",
  html: "<p>Hi.</p>",
  attachments: [{ filename: "a.txt", content: "aGk=", type: "text/plain" }],
  headers: { "X-Campaign": "spring" },
};

describe("SendGrid", () => {
  it("is sent an e-mail as its API describes it, and the event is emitted", async () => {
    const { outcome, request, url } = await send({
      provider: "sendgrid",
      ...full,
      categories: ["a"],
      customArgs: { n: 1 },
    });
    const sent = await sentJson(request);
    expectPublished("sendgrid-mail-send", sent);
    expect([url, request?.headers.get("authorization")]).toEqual([
      "https://api.sendgrid.com/v3/mail/send",
      "Bearer key-of-the-account",
    ]);
    expect(sent).toEqual({
      personalizations: [
        {
          to: [
            { email: "ada@example.com", name: "Ada Lovelace" },
            { email: "bob@example.com", name: "Bob" },
          ],
          bcc: [{ email: "eve@example.com" }],
          custom_args: { idempotency_key: "exe_1/4.0", n: "1" },
        },
      ],
      from: { email: "post@acme.example", name: "Acme" },
      reply_to: { email: "desk@acme.example" },
      subject: "Hello",
      content: [
        { type: "text/plain", value: "Hi." },
        { type: "text/html", value: "<p>Hi.</p>" },
      ],
      attachments: [{ ...full.attachments[0], disposition: "attachment" }],
      categories: ["a"],
      headers: { "Message-ID": "<exe_1/4.0@acme.example>", "X-Campaign": "spring" },
    });
    const recipients = ["ada@example.com", "bob@example.com"];
    const payload = { messageId: "sg-1", recipients, template: null, actionId: "notify", provider: "sendgrid" };
    expect(outcome).toMatchObject({
      ok: true,
      events: [{ type: "email_sent", payload }],
      result: { messageId: "sg-1" },
    });
  });

  it("renders its own templates, in sandbox mode if the connection sets it", async () => {
    const config = {
      ...without("subject", "text"),
      provider: "sendgrid",
      templateId: "d-1",
      variables: { name: "Ada", items: [1] },
    };
    const { outcome, request } = await performed("email", config, accepts, { account: { ...account, sandbox: true } });
    const sent = await sentJson(request);
    expectPublished("sendgrid-mail-send", sent);
    expect(sent).toMatchObject({
      template_id: "d-1",
      personalizations: [{ dynamic_template_data: { name: "Ada", items: [1] } }],
      mail_settings: { sandbox_mode: { enable: true } },
    });
    expect(outcome).toMatchObject({
      ok: true,
      events: [{ payload: { template: "d-1" } }],
      metadata: { sandbox: true, template: "d-1", templateUsed: "d-1" },
    });
  });

  it.each([
    [
      400,
      "personalizations.0.to.0.email",
      "Does not contain a valid address.",
      "invalid_configuration",
      "invalid_address",
    ],
    [400, "content.0.value", "The content value must be a string.", "malformed_request", "http_400"],
    [401, null, "authorization required", "authentication_failed", "http_401"],
    [
      403,
      "from",
      "The from address does not match a verified Sender Identity.",
      "authorization_failed",
      "sender_not_verified",
    ],
    [413, null, "content too large", "malformed_request", "http_413"],
    [500, null, "internal server error", "service_unavailable", "http_500"],
  ])("reports a %i about %s (%s) as %s, %s", async (status, field, said, type, code) => {
    const { outcome } = await send({ provider: "sendgrid" }, () =>
      jsonResponse({ errors: [{ message: said, field }] }, { status }),
    );
    expect(outcome).toMatchObject({ ok: false, error: { type, code, retryable: status === 500 } });
    expect(outcome.ok ? "" : outcome.error.message).toContain(field === null ? said : `${field}: ${said}`);
  });

  it("returns the time to retry from its own header", async () => {
    const headers = { "X-RateLimit-Reset": String(NOW / 1000 + 20) };
    const { outcome } = await send({ provider: "sendgrid" }, () =>
      jsonResponse({ errors: [{ message: "too many requests" }] }, { status: 429, headers }),
    );
    expect(outcome).toMatchObject({ error: { type: "rate_limit", retryable: true }, retryAfterMs: 20_000 });
  });
});

describe("Resend", () => {
  const answers = () => jsonResponse({ id: "re-1" });

  it("is sent an e-mail as its API describes it, with the idempotency key that it keeps for a day", async () => {
    const { outcome, request, url } = await send(
      { provider: "resend", ...full, customArgs: { campaign: "spring" } },
      answers,
    );
    const sent = await sentJson(request);
    expectPublished("resend-emails", sent);
    expect([url, request?.headers.get("idempotency-key")]).toEqual(["https://api.resend.com/emails", "exe_1/4.0"]);
    expect(sent).toMatchObject({
      from: "Acme <post@acme.example>",
      to: ["Ada Lovelace <ada@example.com>", "Bob <bob@example.com>"],
      bcc: ["eve@example.com"],
      reply_to: "desk@acme.example",
      attachments: [{ filename: "a.txt", content: "aGk=", content_type: "text/plain" }],
      tags: [{ name: "campaign", value: "spring" }],
    });
    expect(outcome).toMatchObject({ ok: true, events: [{ payload: { messageId: "re-1", provider: "resend" } }] });
    const repeatsOf = (provider: "resend" | "sendgrid") => runners.email.repeatsOf?.({ provider, to: [] });
    expect(repeatsOf("resend")).toEqual({ mode: "provider", windowMs: 86_400_000 });
    expect(repeatsOf("sendgrid")).toEqual({ mode: "none" });
  });

  it("renders its own templates", async () => {
    const config = {
      ...without("subject", "text"),
      provider: "resend",
      subject: "Welcome",
      templateId: "welcome",
      variables: { name: "Ada", n: 1 },
    };
    const { request } = await performed("email", config, answers, { account });
    const sent = await sentJson(request);
    expectPublished("resend-emails", sent);
    expect(sent).toMatchObject({ template: { id: "welcome", variables: { name: "Ada", n: 1 } } });
  });

  it.each([
    [403, "invalid_api_key", "authentication_failed", false, "invalid_api_key"],
    [401, "restricted_api_key", "authorization_failed", false, "restricted_api_key"],
    [403, "invalid_from_address", "invalid_configuration", false, "invalid_address"],
    [409, "invalid_idempotent_request", "malformed_request", false, "idempotency_conflict"],
    [409, "concurrent_idempotent_requests", "service_unavailable", true, "idempotency_in_progress"],
    [422, "missing_required_field", "malformed_request", false, "http_422"],
    [429, "rate_limit_exceeded", "rate_limit", true, "http_429"],
    [429, "daily_quota_exceeded", "rate_limit", true, "daily_quota_exceeded"],
    [429, "monthly_quota_exceeded", "rate_limit", false, "monthly_quota_exceeded"],
    [500, "application_error", "service_unavailable", true, "http_500"],
  ])("reports a %i %s as %s (retryable: %s), %s", async (status, name, type, retryable, code) => {
    const { outcome } = await send({ provider: "resend" }, () =>
      jsonResponse({ statusCode: status, name, message: "why" }, { status }),
    );
    expect(outcome).toMatchObject({ ok: false, error: { type, retryable, code } });
  });

  it.each([
    [{ categories: ["a"] }, "categories:"],
    [{ customArgs: { campaign: "spring sale" } }, "customArgs.campaign:"],
  ])("refuses the unsupported %j", async (config, said) => {
    const { outcome, calls } = await send({ provider: "resend", ...config });
    expect([outcome, calls]).toMatchObject([{ ok: false, error: { code: "field_not_supported" } }, []]);
    expect(outcome.ok ? "" : outcome.error.message).toMatch(namingPattern(said, "Resend"));
  });
});

describe("Cloudflare", () => {
  const through = async (config: JsonObject, sending: (message: EmailMessage) => Promise<{ messageId: string }>) => {
    const sent: EmailMessage[] = [];
    const email: RunnerContext["email"] = { send: (each) => (sent.push(each), sending(each)) };
    const { outcome, calls } = await send({ provider: "cloudflare", ...config }, accepts, { email });
    return { outcome, calls, sent };
  };

  it("is sent a message through its binding", async () => {
    const { outcome, calls, sent } = await through({ ...full, headers: { "X-Campaign": "spring" } }, async () => ({
      messageId: "cf-1",
    }));
    expect(calls).toEqual([]);
    expect(sent).toMatchObject([
      {
        from: { email: "post@acme.example", name: "Acme" },
        to: [{ email: "ada@example.com", name: "Ada Lovelace" }, { email: "bob@example.com" }],
        subject: "Hello",
        headers: { "X-Idempotency-Key": "exe_1/4.0", "X-Campaign": "spring" },
      },
    ]);
    expect(outcome).toMatchObject({ ok: true, events: [{ payload: { messageId: "cf-1", provider: "cloudflare" } }] });
  });

  it.each([
    ["E_SENDER_NOT_VERIFIED", "authorization_failed", false],
    ["E_RECIPIENT_SUPPRESSED", "recipient_unsubscribed", false],
    ["E_VALIDATION_ERROR", "malformed_request", false],
    ["E_HEADER_NOT_ALLOWED", "invalid_configuration", false],
    ["E_RATE_LIMIT_EXCEEDED", "rate_limit", true],
    ["E_DELIVERY_FAILED", "service_unavailable", true],
    ["E_INTERNAL_SERVER_ERROR", "service_unavailable", true],
    ["E_SOMETHING_NEW", "unknown_error", true],
  ])("reports %s as %s (retryable: %s)", async (code, type, retryable) => {
    const { outcome } = await through({}, () => Promise.reject(Object.assign(new Error("why"), { code })));
    expect(outcome).toMatchObject({ ok: false, error: { type, retryable } });
    expect(outcome.ok ? "" : outcome.error.message).toContain("why");
  });

  it.each([
    [{ code: "E_INTERNAL_SERVER_ERROR" }, undefined],
    [{}, "unknown"],
  ])("an error %j has an effect: %s", async (by, effect) => {
    const { outcome } = await through({}, () =>
      Promise.reject(Object.assign(new Error("Network connection lost."), by)),
    );
    expect(outcome.ok ? null : outcome.error.effect).toBe(effect);
  });

  it.each([
    [{}, {}, "email_not_bound"],
    [
      { ...without("subject", "text"), templateId: "t" },
      { email: { send: async () => ({ messageId: "x" }) } },
      "field_not_supported",
    ],
    [{ categories: ["a"] }, { email: { send: async () => ({ messageId: "x" }) } }, "field_not_supported"],
    [{ connection: "main" }, { email: { send: async () => ({ messageId: "x" }) } }, "field_not_supported"],
  ])("refuses %j", async (config, over, code) => {
    const base = "templateId" in config ? config : { ...message, ...config };
    const { outcome } = await performed("email", { provider: "cloudflare", ...base }, accepts, over);
    expect(outcome).toMatchObject({ ok: false, error: { type: "invalid_configuration", code } });
  });
});
