// Rehearsal cases: one per way of using each runner, with the requests in order.
import type { JsonObject } from "#schema/json.ts";
import type { Set } from "./world.ts";

export const slot = (...parts: readonly (string | { readonly name: string })[]): JsonObject => ({ $secret: parts });
const CONTRACT = `0x${"ab".repeat(20)}`;
const chain = {
  account: { credentials: { privateKey: "evm_key" }, baseUrl: "https://rpc.example.com/v3/0123456789abcdef0123" },
};
export const mail = { to: "ada@example.com", from: "us@example.com", subject: "Hi", text: "Hello" };
const subscription = {
  endpoint: "https://push.example.com/send/1",
  keys: {
    p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    auth: "BTBZMqHH6r4Tts7J_aSIgg",
  },
};

export const cases: readonly (readonly [
  type: string,
  what: string,
  config: JsonObject,
  set: Set,
  asked: readonly string[],
])[] = [
  ["webhook", "any address", { url: "https://example.com/hook" }, {}, ["POST https://example.com/hook"]],
  [
    "api_call",
    "a service with an OAuth2 token",
    { service: "crm", endpoint: "/deals", method: "GET" },
    { account: { baseUrl: "https://crm.example.com", auth: oauth2() } },
    ["GET https://crm.example.com/deals"],
  ],
  [
    "api_call",
    "the only connection",
    { endpoint: "/deals", method: "GET" },
    { account: { baseUrl: "https://crm.example.com" } },
    ["GET https://crm.example.com/deals"],
  ],
  [
    "api_call",
    "a token of its own",
    {
      url: "https://crm.example.com/deals",
      method: "GET",
      authentication: {
        type: "oauth2",
        tokenEndpoint: "https://login.example.com/token",
        clientId: "c",
        clientSecret: "written-out-secret",
      },
    },
    {},
    ["POST https://login.example.com/token", "GET https://crm.example.com/deals"],
  ],
  [
    "email",
    "SendGrid",
    { provider: "sendgrid", ...mail },
    { account: { credentials: { apiKey: "sendgrid_key" } } },
    ["POST https://api.sendgrid.com/v3/mail/send"],
  ],
  [
    "email",
    "Resend, from the connection's sender",
    { provider: "resend", to: "ada@example.com", subject: "Hi", text: "Hello" },
    { account: { credentials: { apiKey: "resend_key", from: "sender_name" } } },
    ["POST https://api.resend.com/emails"],
  ],
  [
    "email",
    "the only connection, with the fields of a journey's e-mail module",
    { from: "us@example.com", recipient: "ada@example.com", templateId: "d-1", variables: { name: "Ada" } },
    { account: { provider: "sendgrid", credentials: { apiKey: "sendgrid_key" } } },
    ["POST https://api.sendgrid.com/v3/mail/send"],
  ],
  [
    "email",
    "a named connection without a provider",
    { connection: "letters", ...mail },
    { account: { provider: "resend", credentials: { apiKey: "resend_key" } } },
    ["POST https://api.resend.com/emails"],
  ],
  ["email", "the platform's binding", { provider: "cloudflare", ...mail }, {}, ["email.send"]],
  [
    "sms",
    "Twilio",
    { to: "+14155550123", from: "+14155550100", message: "Hi" },
    { account: { credentials: { accountSid: "twilio_sid", authToken: "twilio_token" } } },
    ["POST https://api.twilio.com/2010-04-01/Accounts/[secret twilio_sid]/Messages.json"],
  ],
  [
    "sms",
    "Twilio, with the fields of a journey's sms module",
    { phoneNumber: "+14155550123", from: "+14155550100", message: "Hi" },
    { account: { credentials: { accountSid: "twilio_sid", authToken: "twilio_token" } } },
    ["POST https://api.twilio.com/2010-04-01/Accounts/[secret twilio_sid]/Messages.json"],
  ],
  [
    "slack",
    "the app",
    { channel: "#ops", text: "Hi" },
    { account: { credentials: { token: "slack_token" } } },
    ["POST https://slack.com/api/chat.postMessage"],
  ],
  [
    "slack",
    "an incoming webhook",
    { text: "Hi" },
    { account: { credentials: { webhookUrl: "slack_hook" } } },
    ["POST [redacted]"],
  ],
  [
    "push",
    "Firebase",
    { provider: "fcm", token: "device-1", notification: { title: "Hi" } },
    { account: { credentials: { serviceAccount: "fcm_account" } } },
    ["POST https://oauth2.googleapis.com/token", "POST https://fcm.googleapis.com/v1/projects/stand-in/messages:send"],
  ],
  [
    "push",
    "a browser, without a provider",
    { subscription, payload: { title: "Hi" } },
    { account: { credentials: { vapidPublicKey: "vapid_public", vapidPrivateKey: "vapid_private" } } },
    ["POST https://push.example.com/send/1"],
  ],
  [
    "push",
    "Firebase, without a provider",
    { token: "device-1", notification: { title: "Hi" } },
    { account: { credentials: { serviceAccount: "fcm_account" } } },
    ["POST https://oauth2.googleapis.com/token", "POST https://fcm.googleapis.com/v1/projects/stand-in/messages:send"],
  ],
  [
    "push",
    "a browser",
    { provider: "webpush", subscription, payload: { title: "Hi" } },
    { account: { credentials: { vapidPublicKey: "vapid_public", vapidPrivateKey: "vapid_private" } } },
    ["POST https://push.example.com/send/1"],
  ],
  [
    "docusign_envelope",
    "a JWT grant",
    { templateId: "t-1", recipients: [{ role: "signer", name: "Ada", email: "ada@example.com" }] },
    {
      account: {
        credentials: { privateKey: "docusign_key" },
        settings: { accountId: "acc-1", integrationKey: "int-1", userId: "user-1" },
        sandbox: true,
      },
    },
    [
      "POST https://account-d.docusign.com/oauth/token",
      "POST https://demo.docusign.net/restapi/v2.1/accounts/acc-1/envelopes",
    ],
  ],
  [
    "docusign_recipient_view",
    "an account's own token",
    {
      envelopeId: "e-1",
      clientUserId: "7",
      name: "Ada",
      email: "ada@example.com",
      returnUrl: "https://app.example.com/signed",
    },
    { account: { auth: oauth2(), settings: { accountId: "acc-1" }, sandbox: true } },
    ["POST https://demo.docusign.net/restapi/v2.1/accounts/acc-1/envelopes/e-1/views/recipient"],
  ],
  [
    "database",
    "the only connection",
    { sql: "SELECT 1" },
    {
      account: {
        credentials: { token: "crm_token" },
        settings: { protocol: "libsql" },
        baseUrl: "https://crm-acme.turso.io",
      },
    },
    ["POST https://crm-acme.turso.io/v2/pipeline"],
  ],
  ["database", "a bound one", { database: "crm", sql: "SELECT ?", params: [1] }, {}, ["database.query"]],
  [
    "database",
    "D1 over HTTP",
    { connection: "far", sql: "SELECT 1" },
    {
      account: { credentials: { token: "d1_token" }, settings: { protocol: "d1", accountId: "acc", databaseId: "db" } },
    },
    ["POST https://api.cloudflare.com/client/v4/accounts/acc/d1/database/db/query"],
  ],
  [
    "database",
    "libSQL",
    { connection: "far", sql: "SELECT 1" },
    {
      account: {
        credentials: { token: "d1_token" },
        settings: { protocol: "libsql" },
        baseUrl: "https://db.example.com",
      },
    },
    ["POST https://db.example.com/v2/pipeline"],
  ],
  ["worker", "a method", { service: "shop", method: "reserve", input: { sku: "book" } }, {}, ["worker.reserve"]],
  ["delay", "nothing", {}, {}, []],
  ["task", "a person", { title: "Approve", dueDate: "P1D" }, {}, ["task.create"]],
  ["start_execution", "a child", { definition: "order" }, {}, ["start_execution.start"]],
  ["send_event", "a sibling", { execution: "exe_2", type: "paid" }, {}, ["send_event.send"]],
  ...(["blockchain_mint", "contract_call"] as const).map(
    (type) =>
      [
        type,
        "a chain that mines at once",
        { contractAddress: CONTRACT, function: "mint", abi: "function mint(address to)", parameters: [CONTRACT] },
        chain,
        [
          "signer.find",
          "POST eth_feeHistory",
          "POST eth_getBalance",
          "POST eth_estimateGas",
          "POST eth_getCode",
          "signer.reserve",
          "signer.store",
          "POST eth_sendRawTransaction",
          "POST eth_getTransactionReceipt",
          "signer.confirm",
        ],
      ] as const,
  ),
];

export function oauth2() {
  return { type: "oauth2", grant: "client_credentials", tokenEndpoint: "https://login.example.com/token" } as const;
}

/** Returns one case, for tests of a single feature. */
export function caseOf(type: string, what: string) {
  const [, , config, set] = cases.find((each) => each[0] === type && each[1] === what) ?? [];
  if (config === undefined || set === undefined) throw new Error(`there is no case ${type} to ${what}`);
  return { config, set };
}
