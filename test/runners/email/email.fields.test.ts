// Tests of e-mail fields: the requests to each provider, and unsupported fields.
import { describe, expect, it } from "vitest";
import { configFindings } from "#runners/draft.ts";
import type { EmailMessage, RunnerContext } from "#runners/core/runner.ts";
import type { JsonObject } from "#schema/json.ts";
import { performed, type Surroundings } from "#test/runners/perform.ts";
import { expectPublished, sentJson } from "#test/runners/published.ts";
import { jsonResponse, NOW, type Answer } from "#test/runners/world.ts";
import { naming, namingPattern } from "#test/support/matchers/naming.ts";

const message = { from: "post@acme.example", to: "ada@example.com", subject: "Hello", text: "Hi." };
const account = { credentials: { apiKey: "key-of-the-account" } };
const accepts: Answer = () => jsonResponse({ id: "re-1" }, { status: 202, headers: { "X-Message-Id": "sg-1" } });
const template: RunnerContext["template"] = async () => ({
  ok: true,
  rendered: { subject: "The template's", html: "<p>Hi</p>", text: null },
});

async function send(config: JsonObject, over: Surroundings = {}, answer: Answer = accepts) {
  const given: EmailMessage[] = [];
  const email: RunnerContext["email"] = { send: async (each) => (given.push(each), { messageId: "cf-1" }) };
  const full = "template" in config || "templateId" in config ? { from: message.from, to: message.to } : message;
  const { outcome, calls } = await performed("email", { ...full, ...config }, answer, {
    account,
    email,
    template,
    ...over,
  });
  const said = outcome.ok ? "" : outcome.error.message;
  return { outcome, said, sent: await sentJson(calls[0]?.request), given, count: calls.length + given.length };
}
const at = (ms: number) => new Date(NOW + ms).toISOString();
const HOUR = 60 * 60_000;

const rich = {
  replyTo: ["Desk <desk@acme.example>", "ada@acme.example", "DESK@acme.example"],
  sendAt: at(2 * HOUR),
  to: ["Grüße <ada@bücher.example>", { email: "bob@例え.example", name: "Bob" }],
};

describe("a message with all fields", () => {
  it("is sent to SendGrid as its API describes it", async () => {
    const tracking = { opens: false, clicks: false };
    const { outcome, sent } = await send({
      provider: "sendgrid",
      ...rich,
      tracking,
      template: "welcome",
      subject: "Mine",
    });
    expectPublished("sendgrid-mail-send", sent);
    expect(sent).toMatchObject({
      subject: "Mine",
      personalizations: [
        {
          to: [
            { email: "ada@xn--bcher-kva.example", name: "Grüße" },
            { email: "bob@xn--r8jz45g.example", name: "Bob" },
          ],
        },
      ],
      reply_to_list: [{ email: "desk@acme.example", name: "Desk" }, { email: "ada@acme.example" }],
      send_at: (NOW + 2 * HOUR) / 1000,
      tracking_settings: { open_tracking: { enable: false }, click_tracking: { enable: false, enable_text: false } },
    });
    expect(sent).not.toHaveProperty("reply_to");
    expect(outcome).toMatchObject({
      result: { sendAt: at(2 * HOUR), recipients: ["ada@xn--bcher-kva.example", "bob@xn--r8jz45g.example"] },
    });
  });

  it("is sent to Resend as its API describes it", async () => {
    const { sent } = await send({ provider: "resend", ...rich, template: "welcome", subject: "Mine" });
    expectPublished("resend-emails", sent);
    expect(sent).toMatchObject({
      subject: "Mine",
      to: ['"Grüße" <ada@xn--bcher-kva.example>', "Bob <bob@xn--r8jz45g.example>"],
      reply_to: ["Desk <desk@acme.example>", "ada@acme.example"],
      scheduled_at: at(2 * HOUR),
    });
  });

  it("is sent through Cloudflare with the fields that it supports", async () => {
    const { given } = await send({
      provider: "cloudflare",
      to: rich.to,
      replyTo: "desk@acme.example",
      template: "welcome",
    });
    expect(given).toMatchObject([
      {
        subject: "The template's",
        to: [{ email: "ada@xn--bcher-kva.example" }, { email: "bob@xn--r8jz45g.example" }],
        replyTo: { email: "desk@acme.example", name: null },
      },
    ]);
  });

  it("sets only the tracking options of the config at SendGrid", async () => {
    const { sent } = await send({ provider: "sendgrid", tracking: { opens: true } });
    expectPublished("sendgrid-mail-send", sent);
    expect(sent).toMatchObject({ tracking_settings: { open_tracking: { enable: true } } });
    expect((sent as { tracking_settings: object }).tracking_settings).not.toHaveProperty("click_tracking");
    expect((await send({ provider: "sendgrid", tracking: {} })).sent).not.toHaveProperty("tracking_settings");
  });
});

describe("a subject", () => {
  it("overrides the subject of a stored template, which then needs none", async () => {
    const bare: RunnerContext["template"] = async () => ({
      ok: true,
      rendered: { subject: null, html: null, text: "x" },
    });
    const { sent } = await send({ provider: "resend", template: "bare", subject: "Mine" }, { template: bare });
    expect(sent).toMatchObject({ subject: "Mine", text: "x" });
  });

  it("is sent to Resend with its own template, because its API requires one", async () => {
    const { sent } = await send({ provider: "resend", templateId: "welcome", subject: "Mine" });
    expectPublished("resend-emails", sent);
    expect(sent).toEqual({ from: message.from, to: [message.to], subject: "Mine", template: { id: "welcome" } });
  });

  it("is required in a draft with Resend's template; stored definitions without one are still sent", async () => {
    const config = { provider: "resend", to: "{{ email }}", templateId: "welcome" };
    expect(configFindings("email", config)).toMatchObject([{ pointer: "/subject" }]);
    expect(configFindings("email", { ...config, subject: "Mine" })).toEqual([]);
    const { outcome, sent } = await send({ provider: "resend", templateId: "welcome" });
    expect([outcome.ok, sent]).toMatchObject([true, { template: { id: "welcome" } }]);
  });

  it("without content is refused", async () => {
    const { said } = await send({ provider: "resend", text: undefined as never });
    expect(said).toMatch(namingPattern("subject:", "html", "text", "template"));
  });
});

describe("sendAt", () => {
  it.each([
    ["sendgrid", 72 * HOUR, null],
    ["sendgrid", 72 * HOUR + 1000, ["sendgrid", 72]],
    ["resend", 30 * 24 * HOUR, null],
    ["resend", 30 * 24 * HOUR + 1000, ["resend", 720]],
    ["resend", -24 * HOUR, null],
    ["sendgrid", -24 * HOUR - 1000, [24]],
  ])("with %s, %i ms from now, is refused with %j", async (provider, ms, limit) => {
    const { outcome, said, count } = await send({ provider, sendAt: at(ms) });
    expect([outcome.ok, count]).toEqual(limit === null ? [true, 1] : [false, 0]);
    if (limit === null) return;
    expect(outcome).toMatchObject({ error: { type: "invalid_configuration", code: "send_at_out_of_range" } });
    expect(said).toMatch(namingPattern("sendAt:", at(ms), ...limit));
  });

  it("in the past at the time of an attempt means at once", async () => {
    for (const provider of ["sendgrid", "resend"]) {
      const { sent, outcome } = await send({ provider, sendAt: at(-1) });
      expect(Object.keys(sent as object)).not.toEqual(expect.arrayContaining(["send_at"]));
      expect(sent).not.toHaveProperty("scheduled_at");
      expect(outcome.ok ? outcome.result : null).not.toHaveProperty("sendAt");
    }
  });

  it("accepts any offset and is rounded up to seconds", async () => {
    const { sent } = await send({ provider: "sendgrid", sendAt: "2026-01-15T14:30:00.001+01:00" });
    expect(sent).toMatchObject({ send_at: Date.UTC(2026, 0, 15, 13, 30, 1) / 1000 });
    expect((await send({ provider: "sendgrid", sendAt: "tomorrow" })).said).toMatch(/^sendAt: /);
  });

  it("that passed between two attempts is mentioned if Resend reports another message", async () => {
    const conflict: Answer = () => jsonResponse({ name: "invalid_idempotent_request" }, { status: 409 });
    const passed = await send({ provider: "resend", sendAt: at(-1) }, {}, conflict);
    expect(passed.outcome).toMatchObject({ error: { code: "idempotency_conflict", message: naming("sendAt") } });
    expect((await send({ provider: "resend" }, {}, conflict)).said).not.toContain("sendAt");
  });
});

it.each<[JsonObject, field: string]>([
  [{ provider: "sendgrid", templateId: "d-1", subject: "Mine" }, "subject"],
  [{ provider: "resend", tracking: { opens: false } }, "tracking"],
  [{ provider: "resend", categories: ["a"] }, "categories"],
  [{ provider: "resend", customArgs: { a: "b c" } }, "customArgs.a"],
  [{ provider: "resend", templateId: "t", subject: "x", variables: { a: [1] } }, "variables.a"],
  [{ provider: "cloudflare", replyTo: ["a@example.com", "b@example.com"] }, "replyTo"],
  [{ provider: "cloudflare", sendAt: at(HOUR) }, "sendAt"],
  [{ provider: "cloudflare", tracking: { clicks: false } }, "tracking"],
  [{ provider: "cloudflare", categories: ["a"] }, "categories"],
  [{ provider: "cloudflare", customArgs: { a: 1 } }, "customArgs"],
  [{ provider: "cloudflare", connection: "main" }, "connection"],
  [{ provider: "cloudflare", templateId: "t" }, "templateId"],
])("refuses %j, in a draft and before sending", async (config, field) => {
  const sending = await send({ ...config, attachments: [{ url: "https://files.example.com/a" }] });
  expect([sending.outcome, sending.count]).toMatchObject([{ error: { code: "field_not_supported" } }, 0]);
  const drafted = configFindings("email", { to: "{{ email }}", text: "{{ words }}", ...config });
  const found = drafted.find(({ pointer }) => pointer === `/${field.replace(".", "/")}`);
  // The draft's finding has the same message as the refused sending.
  expect(sending.said).toContain(`${field}: ${found?.message}`);
});

describe("a draft", () => {
  it("may contain templates for any value", () => {
    const attachments = [
      { url: "{{ file }}", headers: { Authorization: "Bearer {{ secrets.files }}" } },
      { r2: { key: "{{ key }}" } },
    ];
    const fields = { sendAt: "{{ when }}", replyTo: ["{{ a }}", "{{ b }}"], subject: "{{ s }}", text: "x" };
    expect(configFindings("email", { provider: "sendgrid", to: "{{ to }}", ...fields, attachments })).toEqual([]);
    const customArgs = { a: "{{ tag }}" };
    expect(configFindings("email", { provider: "resend", to: "{{ to }}", ...fields, customArgs })).toEqual([]);
  });

  it("reports errors that no rendering can fix", () => {
    const config = {
      provider: "sendgrid",
      to: "{{ to }}",
      subject: "a",
      text: "x",
      attachments: [{ filename: "a" }],
      track: 1,
    };
    const pointers = configFindings("email", config).map(({ pointer }) => pointer);
    expect(pointers).toEqual(expect.arrayContaining(["/attachments/0/content", "/track"]));
  });
});

it.each([
  ["ada@bücher.example", "ada@xn--bcher-kva.example"],
  ["ada@BÜCHER.example", "ada@xn--bcher-kva.example"],
  ["Ada <ada@пример.рф>", "Ada <ada@xn--e1afmkfd.xn--p1ai>"],
  ["ada@faß.example", "ada@xn--fa-hia.example"],
  ["ada@xn--bcher-kva.example", "ada@xn--bcher-kva.example"],
])("converts %s to %s", async (to, wire) => {
  const { sent } = await send({ provider: "resend", to });
  expect(sent).toMatchObject({ to: [wire] });
});

it.each([
  ["jürgen@example.com", "ASCII"],
  [{ email: "用户@example.com" }, "ASCII"],
  ["jürgen <script>@example.com", "ada@example.com"],
  ["ada@exa/mple.ü", "ada@example.com"],
  ["ada@ü@example.com", "ada@example.com"],
  ["ada@１２７.０.０.１", "ada@example.com"],
  ["ada@bücher", "ada@example.com"],
])("refuses the address %j with a reason", async (to, why) => {
  const { said, count } = await send({ provider: "resend", to });
  expect(count).toBe(0);
  expect(said).toMatch(/^to/);
  expect(said).toContain(why);
});
