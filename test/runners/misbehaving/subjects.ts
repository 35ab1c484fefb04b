// Subjects of the misbehaving server: each HTTP runner with a valid config, its provider's answer, and the call that
// the server receives.
import { generateKeyPairSync } from "node:crypto";
import type { OpenConnection } from "#runners/core/runner.ts";
import type { RunDeps } from "#runners/run.ts";
import type { JsonObject } from "#schema/json.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { account, created, ENVELOPE, pem, withTokens } from "#test/runners/docusign/docusign-world.ts";
import { CONTRACT, node, PRIVATE_KEY } from "#test/runners/evm/evm-node.ts";
import { memorySigner } from "#test/runners/evm/evm-signer.ts";
import { browserKeys } from "#test/runners/push/push-receiver.ts";
import { jsonResponse, NOW, type Answer, type Call } from "#test/runners/world.ts";

export type Subject = {
  readonly about: string;
  readonly type: string;
  readonly config: JsonObject;
  readonly answer: Answer;
  readonly account?: Partial<OpenConnection>;
  readonly ports?: () => Partial<RunDeps>;
  readonly ticket?: Partial<Ticket>;
  /** Whether the misbehaving server receives this call. Default: every call. */
  readonly meets?: (call: Call) => boolean;
};

const url = "https://api.example.com/records/7";
const record = () => jsonResponse({ data: { id: 7 } });
const responseMapping = { id: "/data/id" };

const oauth = {
  type: "oauth2",
  tokenEndpoint: "https://auth.example.com/token",
  clientId: "c",
  clientSecret: "s-e-c-r-e-t",
};
const isToken = ({ url: at }: Call) => /\/(?:oauth\/)?token$/.test(at);
const token = () => jsonResponse({ access_token: "the-access-token", token_type: "Bearer", expires_in: 3_600 });

const vapid = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" });
const raw = (text = "") => Buffer.from(text, "base64url");
const vapidPublicKey = Buffer.concat([Buffer.of(4), raw(vapid.x), raw(vapid.y)]).toString("base64url");
const serviceAccount = JSON.stringify({ project_id: "p1", client_email: "a@p1.example", private_key: pem.pkcs8 });

const d1Result = { success: true, errors: [], result: [{ results: [{ id: 7 }], success: true, meta: {} }] };
const nothing = { cols: [], rows: [], affected_row_count: 1 };
const statement = { connection: "crm", sql: "UPDATE clients SET seen = 1" };

const mail = {
  to: [{ email: "ada@example.com" }],
  from: { email: "desk@acme.example" },
  subject: "Hello",
  text: "Hello",
};
const envelope = {
  templateId: "00000000-0000-4000-8000-000000000007",
  templateRoles: [{ roleName: "Tenant", name: "Ada", email: "ada@example.com" }],
};
const mint = {
  blockchain: "ethereum",
  network: "base",
  contractAddress: CONTRACT,
  parameters: { to: "0x000000000000000000000000000000000000dEaD", tokenURI: "ipfs://x", certificateData: "0xfeed" },
  gasLimit: 200_000,
  gasPrice: "auto",
};
const chain = {
  type: "blockchain_mint",
  config: mint,
  answer: node(),
  account: { credentials: { privateKey: PRIVATE_KEY } },
  ports: () => {
    const signer = memorySigner(() => NOW);
    return { signer: () => signer };
  },
};
const isSending = ({ init }: Call) => String(init.body).includes("eth_sendRawTransaction");
const contractCall = {
  type: "contract_call",
  config: { ...mint, abi: "function release(uint256 id)", function: "release", parameters: [7] },
};
const docusign = { type: "docusign_envelope", config: envelope, answer: withTokens(created) };
const none = jsonResponse({ resultSetSize: "0" });

export const subjects: { readonly [file: string]: Subject } = {
  webhook: { about: "a webhook", type: "webhook", config: { url, payload: { a: 1 } }, answer: record },
  "api-call": { about: "an API call", type: "api_call", config: { url, method: "POST", payload: {} }, answer: record },
  "api-call-mapped": {
    about: "an API call that maps its answer",
    type: "api_call",
    config: { url, method: "POST", payload: {}, responseMapping },
    answer: record,
  },
  "api-call-reading": {
    about: "an API call that reads, and maps its answer",
    type: "api_call",
    config: { url, responseMapping },
    answer: record,
  },
  "token-request": {
    about: "an API call's token endpoint",
    type: "api_call",
    config: { url, method: "POST", authentication: oauth },
    answer: (call) => (isToken(call) ? token() : record()),
    meets: isToken,
  },
  "email-sendgrid": {
    about: "SendGrid",
    type: "email",
    config: { provider: "sendgrid", ...mail },
    answer: () => new Response(null, { status: 202, headers: { "X-Message-Id": "m-1" } }),
    account: { credentials: { apiKey: "SG.the-api-key" } },
  },
  "email-resend": {
    about: "Resend",
    type: "email",
    config: { provider: "resend", ...mail },
    answer: () => jsonResponse({ id: "m-1" }),
    account: { credentials: { apiKey: "re_the-api-key" } },
  },
  "email-file": {
    about: "the server that an e-mail's attachment is fetched from",
    type: "email",
    config: { provider: "resend", ...mail, attachments: [{ url: "https://files.example.com/report.pdf" }] },
    answer: ({ url: at }) =>
      at.endsWith(".pdf")
        ? new Response("%PDF-1.7", { headers: { "Content-Type": "application/pdf" } })
        : jsonResponse({ id: "m-1" }),
    account: { credentials: { apiKey: "re_the-api-key" } },
    meets: ({ url: at }) => at.endsWith(".pdf"),
  },
  sms: {
    about: "Twilio",
    type: "sms",
    config: { to: "+14155550123", from: "+14155550100", message: "Hello" },
    answer: () => jsonResponse({ sid: "SM1", status: "queued", error_code: null }, { status: 201 }),
    account: { credentials: { accountSid: "AC1", authToken: "the-auth-token" } },
  },
  "slack-app": {
    about: "Slack's chat.postMessage",
    type: "slack",
    config: { channel: "C1", text: "Hello" },
    answer: () => jsonResponse({ ok: true, channel: "C1", ts: "1.2" }),
    account: { credentials: { token: "xoxb-the-token" } },
  },
  "slack-webhook": {
    about: "Slack's incoming webhooks",
    type: "slack",
    config: { text: "Hello" },
    answer: () => new Response("ok", { headers: { "Content-Type": "text/html" } }),
    account: { credentials: { webhookUrl: "https://hooks.slack.com/services/T0/B0/secretsecret" } },
  },
  "push-fcm": {
    about: "Firebase",
    type: "push",
    config: { provider: "fcm", token: "device-1", notification: { title: "Hello" } },
    answer: (call) => (isToken(call) ? token() : jsonResponse({ name: "projects/p1/messages/1" })),
    account: { credentials: { serviceAccount } },
    meets: (call) => !isToken(call),
  },
  "push-fcm-token": {
    about: "Google's token endpoint, for Firebase",
    type: "push",
    config: { provider: "fcm", token: "device-1", notification: { title: "Hello" } },
    answer: (call) => (isToken(call) ? token() : jsonResponse({ name: "projects/p1/messages/1" })),
    account: { credentials: { serviceAccount } },
    meets: isToken,
  },
  "push-webpush": {
    about: "a browser's push service",
    type: "push",
    config: {
      provider: "webpush",
      subscription: { endpoint: "https://push.example.com/send/abc", expirationTime: null, keys: browserKeys },
      payload: { title: "Hello" },
    },
    answer: () => new Response(null, { status: 201, headers: { Location: "https://push.example.com/m/1" } }),
    account: {
      credentials: { vapidPublicKey, vapidPrivateKey: vapid.d ?? "" },
      settings: { subject: "mailto:desk@acme.example" },
    },
  },
  docusign: {
    ...docusign,
    about: "DocuSign, where an envelope is made (and looked for after a success that cannot be read)",
    account: account("misbehaving"),
    answer: (call) => (call.init.method === "GET" ? none.clone() : withTokens(created)(call)),
    meets: ({ init, url: at }) => init.method === "POST" && at.endsWith("/envelopes"),
  },
  "docusign-lookup": {
    ...docusign,
    about: "DocuSign, where a second attempt looks for the envelope of the first",
    account: account("misbehaving"),
    ticket: { attempt: 2 },
    answer: (call) => (call.init.method === "GET" ? none.clone() : withTokens(created)(call)),
    meets: ({ init }) => init.method === "GET",
  },
  "docusign-token": {
    ...docusign,
    about: "DocuSign's token endpoint",
    account: account("misbehaving"),
    meets: isToken,
  },
  "docusign-view": {
    about: "DocuSign, where a signing page is opened",
    type: "docusign_recipient_view",
    config: {
      envelopeId: ENVELOPE,
      clientUserId: "7",
      name: "Ada",
      email: "ada@example.com",
      returnUrl: "https://app.example.com/signed",
    },
    answer: withTokens(() => jsonResponse({ url: "https://demo.docusign.net/Signing/7?slt=abc" }, { status: 201 })),
    account: account("misbehaving"),
    meets: (call) => !isToken(call),
  },
  "database-d1": {
    about: "D1's API",
    type: "database",
    config: statement,
    answer: () => jsonResponse(d1Result),
    account: { credentials: { token: "t-o-k-e-n" }, settings: { protocol: "d1", accountId: "a1", databaseId: "d1" } },
  },
  "database-libsql": {
    about: "libSQL",
    type: "database",
    config: statement,
    answer: () => jsonResponse({ results: [{ type: "ok", response: { type: "execute", result: nothing } }] }),
    account: {
      credentials: { token: "t-o-k-e-n" },
      baseUrl: "https://crm.example.com/",
      settings: { protocol: "libsql" },
    },
  },
  "evm-sending": { ...chain, about: "a chain's node, where a transaction is sent", meets: isSending },
  "evm-reading": { ...chain, about: "a chain's node, in all that is read", meets: (call) => !isSending(call) },
  "evm-call": { ...chain, ...contractCall, about: "a chain's node, where a contract is called", meets: isSending },
};
