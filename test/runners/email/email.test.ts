// Tests of the e-mail runner: the contract with each HTTP provider, stored templates, and refused configs.
import { describe, expect, it } from "vitest";
import { runners } from "#runners/registry.ts";
import type { RunnerContext } from "#runners/core/runner.ts";
import type { JsonObject } from "#schema/json.ts";
import { runnerContract } from "#test/runners/contract.ts";
import { performed, type Surroundings } from "#test/runners/perform.ts";
import { sentJson } from "#test/runners/published.ts";
import { jsonResponse, type Answer } from "#test/runners/world.ts";

const message = { from: "Acme <post@acme.example>", to: "ada@example.com", subject: "Hello", text: "Hi." };
const accepts: Answer = () => new Response(null, { status: 202, headers: { "X-Message-Id": "sg-1" } });
const account = { credentials: { apiKey: "key-of-the-account" } };

for (const provider of ["sendgrid", "resend"]) {
  describe(`with ${provider}`, () => {
    runnerContract(runners.email, {
      goodConfig: { provider, ...message },
      answer: provider === "sendgrid" ? accepts : () => jsonResponse({ id: "re-1" }),
      connection: account,
      withCredentials: (secret) => ({ apiKey: secret }),
    });
  });
}

const send = (config: JsonObject, answer: Answer = accepts, over: Surroundings = {}) =>
  performed("email", { ...message, ...config }, answer, { account, ...over });
const without = (...names: string[]) =>
  Object.fromEntries(Object.entries(message).filter(([name]) => !names.includes(name)));

describe("a stored template", () => {
  const rendered = { subject: "Hello Ada", html: "<p>Ada</p>", text: null };
  const withTemplate = (gives: typeof rendered | { subject: null; html: string; text: null }) => {
    const asked: unknown[] = [];
    const template: RunnerContext["template"] = async (ref, variables) => (
      asked.push([ref, variables]),
      { ok: true, rendered: gives }
    );
    const config = {
      ...without("subject", "text"),
      provider: "sendgrid",
      template: "welcome@2",
      variables: { name: "Ada" },
    };
    return performed("email", config, accepts, { account, template }).then((result) => ({ ...result, asked }));
  };

  it("supplies the content", async () => {
    const { outcome, request, asked } = await withTemplate(rendered);
    expect(asked).toEqual([["welcome@2", { name: "Ada" }]]);
    expect(await sentJson(request)).toMatchObject({
      subject: "Hello Ada",
      content: [{ type: "text/html", value: "<p>Ada</p>" }],
    });
    expect(outcome).toMatchObject({ ok: true, events: [{ payload: { template: "welcome@2" } }] });
  });

  it("without a subject is refused, and a missing one prevents the sending", async () => {
    expect(await withTemplate({ subject: null, html: "x", text: null })).toMatchObject({
      calls: [],
      outcome: { error: { code: "template_without_subject" } },
    });
    const config = { ...without("subject", "text"), provider: "sendgrid", template: "nope" };
    expect(await performed("email", config, accepts, { account })).toMatchObject({
      calls: [],
      outcome: { error: { code: "unknown_template" } },
    });
  });
});

it.each([
  [{ to: "ada" }, "to:"],
  [{ to: [] }, "to:"],
  [{ to: " ".repeat(100_000) }, "to:"],
  [{ to: "Ada <ada@example.com> <eve@example.com" }, "to:"],
  [{ to: "ada@example.com, eve@example.com" }, "to:"],
  [{ to: "ada@example.com\r\nBcc: eve@example.com" }, "to:"],
  [{ to: { email: "ada@example.com", name: "Ada\nBcc: eve@example.com" } }, "to.name:"],
  [{ subject: "Hi\r\nBcc: eve@example.com" }, "subject:"],
  [{ headers: { "X-A": "a\nBcc: eve@example.com" } }, "headers.X-A:"],
  [{ headers: { Bcc: "eve@example.com" } }, "headers.Bcc:"],
  [{ attachments: [{ filename: "a", content: "not base64!" }] }, "attachments.0.content:"],
  [{ template: "t" }, "subject:"],
  [{ variables: { a: 1 } }, "variables:"],
  [{ provider: "postmark" }, "provider:"],
])("refuses %j by field", async (config, named) => {
  const { outcome, calls } = await send({ provider: "sendgrid", ...config });
  expect(outcome).toMatchObject({ ok: false, error: { type: "invalid_configuration", code: "invalid_config" } });
  expect(outcome.ok ? "" : outcome.error.message).toContain(named);
  expect(calls).toEqual([]);
});

it("takes the sender from the connection, and reports a missing one", async () => {
  const config = { ...without("from"), provider: "sendgrid" };
  const settings = { from: "Desk <desk@acme.example>" };
  const { request } = await performed("email", config, accepts, { account: { ...account, settings } });
  expect(await sentJson(request)).toMatchObject({ from: { email: "desk@acme.example", name: "Desk" } });
  expect((await performed("email", config, accepts, { account })).outcome).toMatchObject({
    error: { code: "from_missing" },
  });
});

it("opens the named connection, and reports its missing credentials", async () => {
  const { opened, outcome } = await send({ provider: "sendgrid", connection: "marketing" }, accepts, { account: {} });
  expect(opened).toEqual([{ name: "marketing", provider: "sendgrid" }]);
  expect(outcome).toMatchObject({ error: { type: "invalid_configuration", code: "credential_missing" } });
});

it("refuses more recipients than the provider allows", async () => {
  const to = Array.from({ length: 51 }, (_, n) => `p${n}@example.com`);
  expect((await send({ provider: "resend", to })).outcome).toMatchObject({ error: { code: "too_many_recipients" } });
  expect((await send({ provider: "sendgrid", to })).outcome).toMatchObject({ ok: true });
});
