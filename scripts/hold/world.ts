// A tenant that is sent the worst, with one of each thing that a route may name, and another tenant whose requests are probed.
import { createClient, type Client } from "../../src/client/client.ts";
import { connect } from "../load/http.ts";
import { laneNames, type Lane, type LaneName } from "./probe.ts";

export type World = {
  readonly engineUrl: string;
  readonly rootKey: string;
  /** With every scope. */
  readonly key: string;
  /** By the step of a path before the parameter, what stands for it. */
  readonly names: { readonly [step: string]: string };
  /** Where triggers are called, by what they believe. */
  readonly hooks: readonly { readonly name: string; readonly path: string }[];
  readonly probe: readonly Lane[];
};

const scopes = ["read", "payloads", "write", "tasks", "operate", "admin"] as const;
const order = {
  ...({ kind: "machine", name: "order", placement: "pooled", initial: "open" } as const),
  states: { open: { on: { paid: "paid", "*": "open" } }, paid: { type: "final" } },
} as const;

export async function makeWorld(engineUrl: string, rootKey: string): Promise<World> {
  const [tried, probed] = [await newTenant("tried"), await newTenant("probed")];
  const { ask } = connect(engineUrl, { Authorization: `Bearer ${tried.key}` }, 1);
  const make = async (path: string, body: object, method: "POST" | "PUT" = "POST"): Promise<Made> => {
    const said = await ask(method, path, body);
    if (said.status >= 300) throw new Error(`${method} ${path}: ${said.status} ${JSON.stringify(said.body)}`);
    return said.body as Made; // what is read of it is text, or missing
  };
  for (const { client } of [tried, probed]) await client.definitions.create(order);
  const { execution } = await tried.client.executions.start({ definition: "order" });
  await make("/v1/secrets/hook_key", { value: "the-hook-key" }, "PUT");
  await make("/v1/templates", { name: "welcome", text: "Welcome" });
  await make("/v1/connections", { name: "crm", provider: "http", baseUrl: "https://crm.example.com" });
  const channel = { name: "ops", channel: { kind: "webhook", config: { url: "https://ops.example.com" } } };
  const alerts = await make("/v1/alert-channels", channel);
  const digest = {
    cron_expr: "0 9 * * *",
    provider: "webhook",
    action_type: "x",
    payload: { url: "https://e.example" },
  };
  const recurring = await make("/v1/recurring", digest);
  const names = {
    executions: execution.id,
    definitions: "order",
    versions: "1",
    templates: "welcome",
    secrets: "hook_key",
    connections: "crm",
    "alert-channels": alerts.id ?? "",
    recurring: recurring.recurring_id ?? "",
    triggers: "none",
    deliveries: "trd_1",
    subjects: "someone",
    tenants: "tried",
    parts: "1",
    base: "base",
    pause: execution.id,
    resume: execution.id,
    status: execution.id,
    history: execution.id,
    retry: execution.id,
    signers: "base",
    [SIGNER]: "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
  };
  const hooks = [];
  for (const [name, more] of Object.entries(kinds)) {
    const trigger = { name, kind: "webhook", target: { kind: "start", definition: "order" }, rateLimit: unlimited };
    hooks.push({ name, path: new URL((await make("/v1/triggers", { ...trigger, ...more })).url ?? "").pathname });
  }
  const known = await probed.client.executions.start({ definition: "order" });
  const headers = { Authorization: `Bearer ${probed.key}` };
  const lanes: { readonly [name in LaneName]: Lane } = {
    health: { base: engineUrl, path: "/health", headers: {} },
    reads: { base: engineUrl, path: `/v1/executions/${known.execution.id}`, headers },
  };
  const probe = laneNames.map((name) => lanes[name]);
  return { engineUrl, rootKey, key: tried.key, names, hooks, probe };

  async function newTenant(id: string): Promise<{ readonly client: Client; readonly key: string }> {
    await createClient({ baseUrl: engineUrl, key: rootKey }).tenants.create({ id, name: id });
    const root = createClient({ baseUrl: engineUrl, key: rootKey, tenant: id });
    const { secret } = await root.keys.create({ name: "drill", scopes: [...scopes] });
    return { client: createClient({ baseUrl: engineUrl, key: secret ?? "" }), key: secret ?? "" };
  }
}

/** The step before a signer's address is its chain. */
const SIGNER = "{chain}";
type Made = { readonly id?: string; readonly url?: string; readonly recurring_id?: string };

const unlimited = { perMinute: 6_000, burst: 1_000 };
const secret = "hook_key";
const kinds = {
  none: { verify: { scheme: "none" } },
  "none-events": { verify: { scheme: "none" }, cloudEvents: {} },
  "none-rules": {
    verify: { scheme: "none" },
    when: { "!=": [{ var: "request.body.never" }, 1] },
    target: { kind: "start", definition: "order", assign: { n: { map: [{ var: "request.body" }, { var: "id" }] } } },
  },
  "github-unsigned": { verify: { scheme: "github", secret } },
  "twilio-unsigned": { verify: { scheme: "twilio", secret } },
  "stripe-unsigned": { verify: { scheme: "stripe", secret } },
  "sendgrid-unsigned": { verify: { scheme: "sendgrid", secret } },
  "docusign-unsigned": { verify: { scheme: "docusign", secret } },
  "hmac-unsigned": { verify: { scheme: "hmac", secret, header: "X-Signature", separator: ",", algorithm: "sha512" } },
} as const;
