// The real Worker for tests: its HTTP API, its objects, its queues. A provider that answers from here stands where
// the outside world would, and nothing is slept through: what is to come is awaited.
import { env, exports } from "cloudflare:workers";
import { expect, vi } from "vitest";
import type { Env } from "#env";
import type { ExecutionObject } from "#objects/execution/execution.ts";
import type { Cell } from "#schema/engine/cell.ts";
import { cellName } from "#services/cells/ids-and-cells.ts";
import { expectNamed } from "#test/support/endpoints.ts";
import type { Answer, Parsed } from "#test/support/api.ts";
import { ceasing, isStranger, noteTenant } from "./outgoing/strangers.ts";

export const bindings = env as unknown as Env; // bound in wrangler.toml and vitest.config.ts
export const worker = (exports as unknown as { readonly default: Fetcher }).default; // src/index.ts
const { ROOT_KEY } = bindings;

export const PROVIDER = "https://provider.example.com";

export type Ask = { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> };

export type Engine = {
  readonly tenant: string;
  readonly key: string;
  readonly ask: (method: string, path: string, ask?: Ask) => Promise<Answer>;
  /** The same, failing where the status is another. */
  readonly must: (status: number, method: string, path: string, ask?: Ask) => Promise<Parsed>;
  /** Starts an execution and gives its id. */
  readonly start: (definition: string, more?: object) => Promise<string>;
  readonly read: (execution: string) => Promise<Parsed>;
  /** Reads until the execution's status is the one wanted. */
  readonly reaches: (execution: string, wanted: string) => Promise<Parsed>;
  readonly runs: (execution: string) => Promise<Parsed[]>;
  /** The whole history, page by page. */
  readonly journal: (execution: string, limit?: number) => Promise<Parsed[]>;
  readonly stub: (execution: string) => DurableObjectStub<ExecutionObject>;
  /** The same object, as the Worker calls it. */
  readonly cell: (execution: string) => Cell;
};

/** A tenant of its own, with a key and these definitions. */
export async function engine(...definitions: readonly object[]): Promise<Engine> {
  const tenant = `flow-${crypto.randomUUID()}`;
  noteTenant(tenant);
  const root = { Authorization: `Bearer ${ROOT_KEY}` };
  await expectStatus(201, send("POST", "/v1/tenants", { body: { id: tenant, name: tenant }, headers: root }));
  const body = { name: "flows", scopes: ["read", "payloads", "write", "tasks", "operate", "admin"] };
  const made = send("POST", "/v1/keys", { body, headers: { ...root, "X-Tenant": tenant } });
  const { secret: key } = await expectStatus(201, made);
  const asking: Engine["ask"] = (method, path, { body: sent, headers } = {}) =>
    send(method, path, { body: sent, headers: { Authorization: `Bearer ${key}`, ...headers } });
  const ask = ceasing(asking);
  const must: Engine["must"] = (status, ...request) => expectStatus(status, ask(...request));
  const stub: Engine["stub"] = (execution) => bindings.EXECUTIONS.getByName(cellName(tenant, execution));
  const read: Engine["read"] = (execution) => must(200, "GET", `/v1/executions/${execution}`);
  for (const definition of definitions) await must(201, "POST", "/v1/definitions", { body: definition });
  return {
    tenant,
    key,
    ask,
    must,
    read,
    start: async (definition, more = {}) =>
      (await must(201, "POST", "/v1/executions", { body: { definition, ...more } })).execution.id,
    reaches: (execution, wanted) =>
      until(`${execution} is ${wanted}`, async () => {
        const { status, body: found } = await ask("GET", `/v1/executions/${execution}`);
        // Who was told of it by something else than its start may come before it.
        if (status !== 404) expect(status, JSON.stringify(found)).toBe(200);
        return found.status === wanted ? found : null;
      }),
    runs: async (execution) => (await must(200, "GET", `/v1/executions/${execution}/runs`)).data,
    journal: async (execution, limit = 100) => {
      const entries: unknown[] = [];
      for (let cursor: string | null = ""; cursor !== null;) {
        const from: string = cursor === "" ? "" : `&cursor=${cursor}`;
        const page = await must(200, "GET", `/v1/executions/${execution}/journal?limit=${limit}${from}`);
        entries.push(...page.data);
        cursor = page.nextCursor;
      }
      return entries;
    },
    stub,
    cell: (execution) => stub(execution) as unknown as Cell, // RPC stubs answer what the class declares
  };
}

/** Asks again until there is something; what is awaited is named where it never comes. */
export async function until<T>(what: string, look: () => Promise<T | null> | T | null, withinMs = 30_000): Promise<T> {
  const end = performance.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (performance.now() > end) throw new Error(`waited ${withinMs} ms in vain: ${what}`);
    await scheduler.wait(5);
  }
}

export type Call = {
  readonly url: URL;
  readonly key: string;
  readonly headers: Headers;
  readonly body: string;
  /** How often this key has called, this time included. */
  readonly attempt: number;
};
export type Provider = { readonly calls: Call[] };

/** Stands in for everything outside. Without a script, it answers 200 at once, as it always does to other files' executions. */
export function provider(
  answer: (call: Call) => Response | Promise<Response> = () => Response.json({ ok: true }),
): Provider {
  const calls: Call[] = [];
  vi.stubGlobal("fetch", async (input: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    const key = headers.get("Idempotency-Key") ?? "";
    if (await isStranger(key)) return Response.json({});
    const attempt = calls.filter((each) => each.key === key).length + 1;
    const call = { url: new URL(input), key, headers, body: String(init.body ?? ""), attempt };
    calls.push(call);
    return answer(call);
  });
  return { calls };
}

/** A call to the provider, as an action. */
export function hook(actionId: string, more: object = {}): object {
  return { actionId, type: "webhook", config: { url: `${PROVIDER}/${actionId}` }, ...more };
}

/** One action after the other: each is done when its success event comes. */
export function chain(name: string, actions: readonly string[], more: object = {}, action: object = {}): object {
  const states = Object.fromEntries(
    actions.map((id, n) => [id, { on: { [`action.${id}.ok`]: actions[n + 1] ?? "done" } }]),
  );
  return {
    kind: "machine",
    name,
    initial: actions[0],
    states: { ...states, done: { type: "final" } },
    actions: actions.map((id) => hook(id, { triggerState: id, ...action })),
    ...more,
  };
}

async function send(method: string, path: string, { body, headers = {} }: Ask): Promise<Answer> {
  const response = await worker.fetch(`https://api.test${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = /json/.test(response.headers.get("Content-Type") ?? "");
  const parsed: Parsed = isJson ? JSON.parse(text) : text;
  if (response.status >= 400 && path !== "/health") expectNamed(method, path, parsed);
  return { status: response.status, headers: response.headers, body: parsed };
}

async function expectStatus(status: number, answer: Promise<Answer>): Promise<Parsed> {
  const given = await answer;
  expect(given.status, JSON.stringify(given.body)).toBe(status);
  return given.body;
}
