// A tenant's configuration with one of everything, and a tenant to apply it to.
import { configFindings } from "#runners/draft.ts";
import { actionTypes } from "#runners/registry.ts";
import type { Deps } from "#services/deps.ts";
import { api, must, tenantWithKey, type Api } from "#test/support/api.ts";

const states = { open: { on: { pay: "paid" } }, paid: { type: "final" } };
const mail = {
  actionId: "receipt",
  type: "email",
  triggerState: "paid",
  config: {
    provider: "sendgrid",
    connection: "mail",
    to: ["ada@example.com"],
    from: "shop@example.com",
    template: "receipt",
  },
};
export const order = { kind: "machine", name: "order", initial: "open", states, actions: [mail] };
export const document = {
  templates: [
    {
      name: "receipt",
      subject: "Receipt",
      text: "Thank you, {{ name }}",
      variables: [{ name: "name", required: false, default: "friend" }],
    },
  ],
  connections: [
    { name: "mail", provider: "sendgrid", credentials: { apiKey: "sendgrid_api_key" } },
    { name: "shop", provider: "http", baseUrl: "https://shop.example.com" },
  ],
  alertChannels: [{ name: "ops", channel: { kind: "slack", config: { connection: "slack", channel: "#ops" } } }],
  calendars: [{ name: "ch", dates: ["2026-12-25"] }],
  policies: [
    {
      name: "nights",
      kind: "quiet_hours",
      types: ["webhook"],
      window: { from: "08:00", to: "21:00", timezone: "UTC" },
    },
  ],
  definitions: [order],
  triggers: [
    {
      name: "list",
      kind: "poller",
      poll: { request: { service: "shop", endpoint: "orders" }, every: "PT5M", items: "/data", id: "/id" },
      target: { kind: "start", definition: "order" },
    },
    {
      name: "push",
      kind: "webhook",
      verify: { scheme: "github", secret: "github_hook" },
      target: { kind: "start", definition: "order" },
    },
  ],
  recurring: [
    { name: "daily", cron_expr: "0 9 * * *", definition: "order" },
    {
      name: "ping",
      cron_expr: "0 8 * * *",
      provider: "webhook",
      action_type: "ping",
      payload: { url: "https://example.com" },
      enabled: false,
      priority: 7,
      window: { from: "09:00", to: "17:00" },
      cap: { name: "gentle", max: 3, per: "P7D", subject: "everyone" },
    },
  ],
  prices: { currency: "EUR", prices: { email: 0.001 } },
};
/** The document with one definition of each kind, and one trigger of each kind. */
export const everything = {
  ...document,
  definitions: [
    order,
    {
      kind: "journey",
      name: "season",
      variables: { customer: "ada", date: "2027-06-12" },
      subject: { var: "customer" },
      reentry: "once",
      delays: { later: { anchor: { var: "execution.variables.date" }, offset: "-P2D" } },
      windows: { polite: { from: "09:00", to: "17:00" } },
      caps: { gentle: { max: 3, per: "P7D" } },
      defaults: { webhook: { window: "polite", cap: "gentle" } },
      initial: "hello",
      nodes: {
        hello: {
          type: "webhook",
          config: { url: "https://example.com" },
          undo: { type: "webhook", config: { url: "https://example.com" } },
          next: "pause",
        },
        pause: { type: "delay", for: "P1D", next: "bye" },
        bye: { type: "webhook", config: { url: "https://example.com" }, delay: "later", window: null },
      },
      tests: [{ name: "says hello", expect: [{ nodes: { hello: "done" } }] }],
    },
    {
      kind: "reconciler",
      name: "server",
      initial: "unknown",
      states: { unknown: { rules: [{ when: { var: "observed.up" }, target: "running" }] }, running: { rules: [] } },
    },
  ],
  triggers: [
    ...document.triggers,
    { name: "released", kind: "event", on: { type: "order.released" }, target: { kind: "start", definition: "order" } },
  ],
};
export const NAMES = [
  ...[
    "templates/receipt",
    "connections/mail",
    "connections/shop",
    "alertChannels/ops",
    "calendars/ch",
    "policies/nights",
    "definitions/order",
  ],
  ...["triggers/list", "triggers/push", "recurring/daily", "recurring/ping", "prices/prices"],
];

/** Without trigger objects, no poller sends a request. */
export const office = (over: Partial<Deps> = {}) =>
  api({
    ...over,
    actionTypes,
    configFindings,
    trigger: () => {
      throw new Error("this test has no trigger objects");
    },
  });

export async function tenant(made: Api = office(), scopes?: readonly string[]) {
  const { key, tenant: id } = await tenantWithKey(made);
  const ask = (method: string, path: string, body?: unknown, asKey = key) =>
    made.ask(method, path, { key: asKey, ...(body === undefined ? {} : { body }) });
  const limited = scopes && (await must(201, ask("POST", "/v1/keys", { name: "ci", scopes }))).body.secret;
  const apply = (body: unknown, query = "") => ask("POST", `/v1/apply${query}`, body, limited ?? key);
  return { made, id, ask, apply, read: async () => (await must(200, ask("GET", "/v1/export"))).body };
}
