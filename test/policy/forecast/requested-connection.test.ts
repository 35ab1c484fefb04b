// Tests which connection an attempt uses. test/runners/rehearsal/ tests that the runners use the same one.
import { expect, test } from "vitest";
import { matchConnection, requestedConnection } from "#policy/forecast/requested-connection.ts";

const asks = [
  ["webhook", { url: "https://example.com" }, null],
  ["api_call", { service: "crm" }, { name: "crm", provider: "http" }],
  ["api_call", { url: "https://example.com" }, null],
  ["api_call", { endpoint: "/leads" }, { name: null, provider: "http" }],
  ["email", { provider: "sendgrid" }, { name: null, provider: "sendgrid" }],
  ["email", { provider: "resend", connection: "letters" }, { name: "letters", provider: "resend" }],
  ["email", { provider: "cloudflare" }, null],
  ["email", {}, { name: null, provider: "email" }],
  ["email", { connection: "letters" }, { name: "letters", provider: "email" }],
  ["push", { provider: "fcm" }, { name: null, provider: "fcm" }],
  ["push", { token: "t" }, { name: null, provider: "fcm" }],
  ["push", { subscription: {} }, { name: null, provider: "webpush" }],
  ["sms", {}, { name: null, provider: "twilio" }],
  ["slack", { connection: "team" }, { name: "team", provider: "slack" }],
  ["docusign_envelope", {}, { name: null, provider: "docusign" }],
  ["docusign_recipient_view", {}, { name: null, provider: "docusign" }],
  ["contract_call", {}, { name: null, provider: "evm" }],
  ["blockchain_mint", {}, { name: null, provider: "evm" }],
  ["database", { database: "crm" }, null],
  ["database", { connection: "crm" }, { name: "crm", provider: "database" }],
  ["database", {}, { name: null, provider: "database" }],
] as const;

test.each(asks)("%s with %j uses %j", (type, config, account) => {
  expect(requestedConnection(type, config)).toEqual(account);
});

test("the named connection or the provider's only one is used; http accepts any connection", () => {
  const known = [
    { name: "mail", provider: "sendgrid" },
    { name: "a", provider: "twilio" },
    { name: "b", provider: "twilio" },
  ];
  const find = (name: string | null, provider: string) => matchConnection(known, { name, provider })?.name ?? null;
  expect([find(null, "sendgrid"), find("a", "twilio"), find("mail", "http")]).toEqual(["mail", "a", "mail"]);
  expect([find(null, "twilio"), find("mail", "twilio"), find("gone", "http")]).toEqual([null, null, null]);
});

test("an e-mail without a provider uses the only connection for e-mail; an unnamed service is not a provider's own", () => {
  const known = [
    { name: "mail", provider: "resend" },
    { name: "crm", provider: "pipedrive" },
    { name: "phone", provider: "twilio" },
  ];
  const find = (name: string | null, provider: string) => matchConnection(known, { name, provider })?.name ?? null;
  expect([find(null, "email"), find("mail", "email"), find("phone", "email")]).toEqual(["mail", "mail", null]);
  expect(find(null, "http")).toBe("crm");
});
