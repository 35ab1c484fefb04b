// Tests of the signing page runner: the contract, the requests, and refused configs.
import { describe, expect, it } from "vitest";
import { configFindings } from "#runners/draft.ts";
import { runners } from "#runners/registry.ts";
import type { RunDeps } from "#runners/run.ts";
import type { JsonObject } from "#schema/json.ts";
import { runnerContract } from "#test/runners/contract.ts";
import { performed } from "#test/runners/perform.ts";
import { expectPublished, sentJson } from "#test/runners/published.ts";
import { jsonResponse, NOW, type Answer } from "#test/runners/world.ts";
import { account, ACCOUNT, ENVELOPE, oauth, withTokens } from "./docusign-world.ts";
import { naming, namingPattern } from "#test/support/matchers/naming.ts";

const PAGE = "https://demo.docusign.net/Signing/MTRedeem/v1/7?slt=eyJ0eXAiOiJNVCJ9.abcdef.ghijkl";
const goodConfig = {
  envelopeId: ENVELOPE,
  clientUserId: 7,
  name: "Ada",
  email: "ada@example.com",
  returnUrl: "https://app.example.com/signed?lease=17",
};
const opened: Answer = () => jsonResponse({ url: PAGE }, { status: 201 });

runnerContract(runners.docusign_recipient_view, {
  goodConfig,
  answer: opened,
  connection: account("contract", oauth),
  withCredentials: (secret) => ({ connectHmacKey: `${secret} an-older-key` }),
});

const open = (config: JsonObject = {}, answer = opened, over: Partial<RunDeps> = {}) =>
  performed("docusign_recipient_view", { ...goodConfig, ...config }, withTokens(answer), {
    account: account("views"),
    ...over,
  });

describe("a signing page", () => {
  it("is requested as DocuSign's API describes it, and the event has its address and expiry", async () => {
    const config = {
      recipientId: 2,
      authenticationMethod: "Password",
      authenticationInstant: "2026-01-15T11:59:00Z",
      assertionId: "session-9",
      securityDomain: "example.com",
      frameAncestors: ["https://app.example.com", "https://apps-d.docusign.com"],
      messageOrigins: ["https://apps-d.docusign.com"],
      pingUrl: "https://app.example.com/alive",
      pingFrequency: 600,
    };
    const { outcome, calls } = await open(config);
    const call = calls.find(({ url }) => url.endsWith("/recipient"));
    expect(call?.url).toBe(
      `https://demo.docusign.net/restapi/v2.1/accounts/${ACCOUNT}/envelopes/${ENVELOPE}/views/recipient`,
    );
    const sent = await sentJson(call?.request);
    expectPublished("docusign-recipient-view", sent);
    const { name: userName, envelopeId: _, ...person } = goodConfig;
    const asText = { clientUserId: "7", recipientId: "2", pingFrequency: "600" };
    expect(sent).toEqual({ ...person, ...config, ...asText, userName });
    const expiresAt = new Date(NOW + 300_000).toISOString();
    const result = { envelopeId: ENVELOPE, clientUserId: "7", url: PAGE, expiresAt };
    const payload = { ...result, actionId: "notify" };
    expect(outcome).toMatchObject({ ok: true, result, events: [{ type: "recipient_view_created", payload }] });
    expect(JSON.stringify(outcome.metadata)).not.toContain("slt=");
  });

  it('states authentication "None" by default', async () => {
    const { calls } = await open();
    const sent = await sentJson(calls.find(({ url }) => url.endsWith("/recipient"))?.request);
    expectPublished("docusign-recipient-view", sent);
    expect(sent).toMatchObject({ authenticationMethod: "None" });
  });

  it("may return to a loopback address in local development only", async () => {
    const local = { returnUrl: "http://localhost:3000/signed", pingUrl: "http://127.0.0.1:3000/alive" };
    expect((await open(local, opened, { allowLoopback: true })).outcome).toMatchObject({ ok: true });
    const { outcome, calls } = await open(local);
    expect([outcome, calls]).toMatchObject([{ error: { type: "invalid_configuration", code: "page_refused" } }, []]);
    expect(outcome.ok ? "" : outcome.error.message).toMatch(namingPattern("returnUrl:", "https:"));
    const framed = { frameAncestors: ["https://app.example.com"], messageOrigins: ["http://localhost"] };
    const refused = (await open(framed)).outcome;
    expect(refused.ok ? "" : refused.error.message).toMatch(namingPattern("messageOrigins.0:", "https:"));
  });
});

describe("a refusal", () => {
  it.each([
    [404, "ENVELOPE_DOES_NOT_EXIST", "not_found", "envelope_unknown"],
    [400, "UNKNOWN_ENVELOPE_RECIPIENT", "invalid_configuration", "recipient_invalid"],
    [400, "RECIPIENT_NOT_IN_SEQUENCE", "malformed_request", "recipient_out_of_turn"],
  ])("with %i %s is %s, %s", async (status, errorCode, type, code) => {
    const { outcome } = await open({}, () => jsonResponse({ errorCode, message: "why" }, { status }));
    expect(outcome).toMatchObject({ ok: false, error: { type, code, retryable: false } });
  });

  it("an answer without an address is retryable, because a second address is harmless", async () => {
    const { outcome } = await open({}, () => new Response(JSON.stringify({ url: PAGE }), { status: 201 }));
    expect(outcome).toMatchObject({ error: { code: "answer_unreadable", retryable: true } });
    expect(outcome.ok ? "" : outcome.error.message).toContain("url");
    // The address in another field is not stored.
    expect(JSON.stringify(outcome)).not.toContain("slt=");
  });
});

it.each<[JsonObject, pointer: string, values: (string | number)[]]>([
  [{ envelopeId: "../users" }, "/envelopeId", ["envelopeId"]],
  [{ clientUserId: "" }, "/clientUserId", []],
  [{ clientUserId: "x".repeat(101) }, "/clientUserId", [100]],
  [{ email: "Ada <ada@example.com>" }, "/email", []],
  [{ returnUrl: "http://app.example.com/signed" }, "/returnUrl", ["https:"]],
  [{ returnUrl: "/signed" }, "/returnUrl", ["https:"]],
  [{ returnUrl: `https://app.example.com/${"x".repeat(470)}` }, "/returnUrl", [470]],
  [{ authenticationMethod: "Guess" }, "/authenticationMethod", ["Password"]],
  [{ pingFrequency: 60 }, "/pingFrequency", ["pingUrl"]],
  [{ pingUrl: "https://x.example", pingFrequency: 30 }, "/pingFrequency", [60, 1200]],
  [{ frameAncestors: ["https://x.example"] }, "/messageOrigins", ["frameAncestors"]],
  [{ messageOrigins: ["https://x.example"] }, "/frameAncestors", ["messageOrigins"]],
])("refuses %j by field", async (config, pointer, values) => {
  const findings = configFindings("docusign_recipient_view", { ...goodConfig, ...config });
  expect(findings).toMatchObject([{ pointer, message: naming(...values) }]);
  const { outcome, calls } = await open(config);
  expect([outcome, calls]).toMatchObject([{ error: { code: "invalid_config" } }, []]);
});

it("requires a clientUserId and names it", () => {
  const { clientUserId: _, ...without } = goodConfig;
  expect(configFindings("docusign_recipient_view", without)).toMatchObject([
    { pointer: "/clientUserId", code: "required" },
  ]);
});

it("accepts templates in a draft for any value", () => {
  const draft = Object.fromEntries(Object.keys(goodConfig).map((key) => [key, `{{ execution.variables.${key} }}`]));
  expect(configFindings("docusign_recipient_view", draft)).toEqual([]);
});
