// A CRM reached over a connection: the definition that calls it, and the requests that set it up.
import { bindings, chain, type Call, type Engine } from "./engine.ts";

Object.assign(bindings, { SECRETS_KEYS: `k1:${btoa("k".repeat(32))}` });

const CRM = "https://crm.example.com";
export const TOKENS = "https://login.example.com/token";

export function crm(name: string, more: object = {}): object {
  const states = { asking: { on: { "action.ask.ok": "done", "action.ask.failed": "failed" } } };
  return {
    ...chain(name, []),
    initial: "asking",
    states: { ...states, done: { type: "final" }, failed: { type: "final", outcome: "failed" } },
    actions: [
      {
        actionId: "ask",
        type: "api_call",
        triggerState: "asking",
        config: { service: "crm", endpoint: "people" },
        retryPolicy: { maxAttempts: 1 },
        ...more,
      },
    ],
  };
}

export async function connect(shop: Engine, more: object): Promise<string> {
  const body = { name: "crm", provider: "http", baseUrl: CRM, ...more };
  return (await shop.must(201, "POST", "/v1/connections", { body })).id;
}

export async function setSecrets(shop: Engine, secrets: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(secrets))
    await shop.must(200, "PUT", `/v1/secrets/${name}`, { body: { value } });
}

export const startMany = (shop: Engine, definition: string, count: number) =>
  Promise.all(Array.from({ length: count }, () => shop.start(definition)));
export const isCrm = ({ url }: Call) => url.origin === CRM;
