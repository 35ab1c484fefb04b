// Tests of refusals: the provider's status and error texts are stored for the operator, also if a refusal has a success
// status.
import { expect, test } from "vitest";
import type { JsonObject } from "#schema/json.ts";
import type { OpenConnection } from "#runners/core/runner.ts";
import { account, withTokens } from "./docusign/docusign-world.ts";
import { performed } from "./perform.ts";
import { jsonResponse } from "./world.ts";

const SID = `AC${"0".repeat(32)}`;
const twilio = { credentials: { accountSid: SID, authToken: "auth-token" }, settings: { from: "+14155550100" } };
const envelope = { templateId: "t-1", recipients: [{ role: "Tenant", name: "Ada", email: "ada@example.com" }] };
const database = {
  baseUrl: "https://db.example.com",
  settings: { protocol: "libsql" },
  credentials: { token: "tok-123456" },
};
const failed = { results: [{ type: "error", error: { message: "UNIQUE constraint failed" } }, { type: "ok" }] };
const email = { provider: "resend", to: "ada@example.com", from: "b@example.com", subject: "Hi", text: "Hi" };

test.each<[string, JsonObject, Partial<OpenConnection>, Response, number, string]>([
  ["webhook", { url: "https://x.test" }, {}, new Response("nope", { status: 404 }), 404, "nope"],
  [
    "email",
    email,
    { credentials: { apiKey: "re_123456" } },
    jsonResponse({ message: "no" }, { status: 422 }),
    422,
    '"no"',
  ],
  [
    "slack",
    { channel: "C1", text: "Hi" },
    { credentials: { token: "xoxb-123456789" } },
    jsonResponse({ ok: false, error: "x_y" }),
    200,
    "x_y",
  ],
  [
    "sms",
    { to: "+14155550123", message: "Hi" },
    twilio,
    jsonResponse({ status: "failed", error_code: 30003 }, { status: 201 }),
    201,
    "30003",
  ],
  ["docusign_envelope", envelope, account("user-9"), jsonResponse({ odd: "answer" }, { status: 201 }), 201, "odd"],
  ["database", { connection: "db", sql: "SELECT 1" }, database, jsonResponse(failed), 200, "UNIQUE"],
  ["database", { connection: "db", sql: "SELECT 1" }, database, jsonResponse({ odd: "answer" }), 200, "odd"],
])("%s %j", async (type, config, given, response, status, words) => {
  const { outcome } = await performed(
    type,
    config,
    withTokens(() => response),
    { account: given },
  );
  expect(outcome).toMatchObject({ ok: false, error: { details: { status, body: expect.stringContaining(words) } } });
});
