// The HTTP API over a real catalog and cells in memory, and the few requests that tests make again and again.
import { createExecutionContext } from "cloudflare:test";
import { expect } from "vitest";
import { createApp } from "#routes/app.ts";
import type { Deps, Scope } from "#services/deps.ts";
import { newTenant, ROOT_KEY, world, type World } from "#test/support/catalog.ts";
import { MemoryCells } from "#test/support/cells.ts";

export type Ask = {
  readonly key?: string | null;
  readonly body?: unknown;
  /** Sent as it is, instead of a body made of JSON. */
  readonly raw?: BodyInit;
  readonly headers?: Readonly<Record<string, string>>;
};
export type Answer = { readonly status: number; readonly headers: Headers; readonly body: any };

export type Api = {
  readonly world: World;
  readonly cells: MemoryCells;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly ask: (method: string, path: string, ask?: Ask) => Promise<Answer>;
};

export function api(over: Partial<Deps> = {}): Api {
  const made = world(over);
  const cells = new MemoryCells(made.now);
  const live = async (cell: string, execution: string) => new Response(JSON.stringify({ cell, execution }));
  const app = createApp(() => ({ ...made, cell: (name: string) => cells.cell(name), live }));
  const send = async (url: string, init: RequestInit) => app.fetch(new Request(url, init), {}, createExecutionContext());
  const ask = async (method: string, path: string, { key = ROOT_KEY, body, raw, headers = {} }: Ask = {}) => {
    const response = await send(`https://api.test${path}`, {
      method,
      headers: {
        ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(raw !== undefined ? { body: raw } : body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get("Content-Type") ?? "");
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  };
  return { world: made, cells, fetch: send, ask };
}

/** A tenant of its own for a test, and a key of it. */
export async function tenantWithKey(
  { ask }: Api,
  scopes: readonly Scope[] = ["read", "write", "operate", "admin"],
): Promise<{ readonly tenant: string; readonly key: string }> {
  const tenant = newTenant();
  await must(201, ask("POST", "/v1/tenants", { body: { id: tenant, name: tenant } }));
  return { tenant, key: await keyOf({ ask }, tenant, scopes) };
}

export async function keyOf({ ask }: Pick<Api, "ask">, tenant: string, scopes: readonly Scope[]): Promise<string> {
  const body = { name: "test", scopes };
  const made = await must(201, ask("POST", "/v1/keys", { body, headers: { "X-Tenant": tenant } }));
  return made.body.secret;
}

export async function must(status: number, answer: Promise<Answer>): Promise<Answer> {
  const given = await answer;
  expect(given.status, JSON.stringify(given.body)).toBe(status);
  return given;
}

/** Waits in `open` for a payment, sends one webhook in `paid`. */
export const order = {
  kind: "machine",
  name: "order",
  initial: "open",
  variables: { total: 0 },
  states: {
    open: { on: { paid: "paid" }, after: { P1D: "late" } },
    paid: { on: { "action.notify.ok": "done" } },
    late: { type: "final", outcome: "failed" },
    done: { type: "final" },
  },
  actions: [{ actionId: "notify", type: "webhook", triggerState: "paid", config: { url: "https://example.com" } }],
};
export const pooledOrder = { ...order, name: "pooled-order", placement: "pooled" };

/** A tenant that has both definitions. */
export async function shop(made: Api) {
  const owner = await tenantWithKey(made);
  for (const body of [order, pooledOrder]) await must(201, made.ask("POST", "/v1/definitions", { key: owner.key, body }));
  return owner;
}
