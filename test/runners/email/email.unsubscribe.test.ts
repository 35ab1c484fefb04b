// Tests of the unsubscribe link: where it is inserted, which headers go with it, and when an e-mail cannot have it.
import { describe, expect, it } from "vitest";
import type { EmailMessage, RunnerContext } from "#runners/core/runner.ts";
import type { JsonObject } from "#schema/json.ts";
import { errorOf, performed, type Surroundings } from "#test/runners/perform.ts";
import { sentJson } from "#test/runners/published.ts";
import { jsonResponse } from "#test/runners/world.ts";

const MARKER = "unsubscribe-marker";
const urlOf = (recipient: string) => `https://engine.test/u/${btoa(recipient)}`;
const link = urlOf("ada@example.com");
const unsubscribe: NonNullable<RunnerContext["unsubscribe"]> = {
  marker: () => MARKER,
  insertedMarker: () => MARKER,
  url: async (recipient) => urlOf(recipient),
};
const base = { from: "post@acme.example", to: "ada@example.com" };
const letter = { ...base, subject: "News", html: `<a href="${MARKER}">x</a>${MARKER}`, text: `Stop: ${MARKER}` };
const oneClick = { "List-Unsubscribe": `<${link}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };

async function send(config: JsonObject, over: Surroundings = {}) {
  const given: EmailMessage[] = [];
  const { outcome, calls } = await performed(
    "email",
    config,
    () => jsonResponse({ id: "re-1" }, { status: 202, headers: { "X-Message-Id": "sg-1" } }),
    {
      account: { credentials: { apiKey: "key" } },
      email: { send: async (each) => (given.push(each), { messageId: "cf-1" }) },
      unsubscribe,
      ...over,
    },
  );
  return { outcome, sent: await sentJson(calls[0]?.request), given: given[0], count: calls.length + given.length };
}

describe("an e-mail with the link", () => {
  it.each(["sendgrid", "resend"])("has it in its texts and in the headers of one click (%s)", async (provider) => {
    const { sent } = await send({ ...letter, provider, headers: { "X-Mine": "1" } });
    expect(sent).toMatchObject({ headers: { ...oneClick, "X-Mine": "1" } });
    expect(JSON.stringify(sent)).not.toContain(MARKER);
    const html = `<a href="${link}">x</a>${link}`;
    const text = `Stop: ${link}`;
    const content = [
      { type: "text/plain", value: text },
      { type: "text/html", value: html },
    ];
    expect(sent).toMatchObject(provider === "sendgrid" ? { content } : { html, text });
  });

  it("has it in a message through the e-mail binding", async () => {
    const { given } = await send({ ...letter, provider: "cloudflare" });
    expect(given).toMatchObject({ text: `Stop: ${link}`, headers: oneClick });
  });

  it("may hand it to a template of the provider", async () => {
    const variables = { footer: { url: MARKER, list: [MARKER, 1, null] } };
    const { sent } = await send({ ...base, provider: "sendgrid", templateId: "d-1", variables });
    expect(sent).toMatchObject({
      headers: oneClick,
      personalizations: [{ dynamic_template_data: { footer: { url: link, list: [link, 1, null] } } }],
    });
  });

  it("keeps a header of its own, and then gets neither", async () => {
    const headers = { "list-unsubscribe": "<mailto:stop@acme.example>" };
    const { sent } = await send({ ...letter, provider: "sendgrid", headers });
    expect(sent).toMatchObject({ headers });
    expect(JSON.stringify(sent)).not.toMatch(/"List-Unsubscribe/);
  });

  it.each<[string, JsonObject]>([
    ["two recipients", { to: ["ada@example.com", "bob@example.com"] }],
    ["a copy", { cc: "bob@example.com" }],
    ["a hidden copy", { bcc: "bob@example.com" }],
  ])("is not sent with %s", async (_name, more) => {
    const { outcome, count } = await send({ ...letter, provider: "sendgrid", ...more });
    expect(errorOf(outcome)).toMatchObject({
      type: "invalid_configuration",
      code: "unsubscribe_needs_one_recipient",
      retryable: false,
    });
    expect(count).toBe(0);
  });

  it("is not sent if the installation cannot make links", async () => {
    const none = { unsubscribe: { ...unsubscribe, url: async () => null } };
    const { outcome, count } = await send({ ...letter, provider: "sendgrid" }, none);
    expect(errorOf(outcome)).toMatchObject({ type: "invalid_configuration", code: "unsubscribe_url_unavailable" });
    expect(count).toBe(0);
  });
});

describe("an e-mail without the link", () => {
  const plain = { ...base, provider: "sendgrid", subject: "Hello", text: "Hi.", cc: "bob@example.com" };
  it.each<[string, Surroundings]>([
    ["of an attempt without any marker", { unsubscribe: { ...unsubscribe, insertedMarker: () => null } }],
    ["whose texts do not contain the marker", {}],
    ["of a world without links", { unsubscribe: undefined }],
  ])("stays unchanged: %s", async (_name, over) => {
    const { sent } = await send(plain, over);
    expect(JSON.stringify(sent)).not.toMatch(/list-unsubscribe/i);
  });
});
