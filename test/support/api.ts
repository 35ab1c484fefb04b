// The HTTP API over a real catalog and cells in memory, and the few requests that tests make again and again.
import { createExecutionContext } from "cloudflare:test";
import { expect } from "vitest";
import { z } from "zod";
import { createApp } from "#routes/app.ts";
import { problem } from "#wire/problem.ts";
import type { Deps, Scope } from "#services/deps.ts";
import { newTenant, ROOT_KEY, world, type World } from "#test/support/catalog.ts";
import { expectNamed } from "#test/support/endpoints.ts";
import { MemoryCells } from "#test/support/cells.ts";
import { MemoryOperations } from "#test/support/operations.ts";
import { deliverEvent } from "#services/events/deliver-event.ts";
import { reportEvent } from "#services/events/report-event.ts";
import { MemoryDirectories } from "#test/support/memory/directories.ts";
import { MemoryRecurring } from "#test/support/recurring.ts";
import { recurringWork } from "#test/support/recurring-work.ts";

export type Ask = {
  readonly key?: string | null;
  readonly body?: unknown;
  /** Sent as it is, instead of a body made of JSON. */
  readonly raw?: BodyInit;
  readonly headers?: Readonly<Record<string, string>>;
};
/** Whatever JSON it is: tests look at it. */
export type Parsed = ReturnType<JSON["parse"]>;
export type Answer = { readonly status: number; readonly headers: Headers; readonly body: Parsed };

export type Api = {
  readonly world: World;
  readonly cells: MemoryCells;
  readonly operations: MemoryOperations;
  readonly recurring: MemoryRecurring;
  readonly directories: MemoryDirectories;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly ask: (method: string, path: string, ask?: Ask) => Promise<Answer>;
};

export function api(over: Partial<Deps> = {}): Api {
  const made = world(over);
  const cells = new MemoryCells(made.now);
  const live: Deps["live"] = async (cell, execution) =>
    cells.has(cell, execution) ? opened(`watching ${execution} in ${cell}`) : new Response(null, { status: 404 });
  const operations = new MemoryOperations(made.now);
  const operation = (name: string) => operations.operation(name);
  const directories = new MemoryDirectories(made.now, () => ({
    deliver: (tenant, event, recipients) => deliverEvent(deps, tenant, event, recipients),
    report: (tenant, report) => reportEvent(deps, tenant, report),
  }));
  const recurring = new MemoryRecurring(made.now, () => recurringWork(deps));
  const deps: Deps = {
    ...made,
    operation,
    recurring: (name: string) => recurring.recurring(name),
    directory: (name: string) => directories.directory(name),
    cell: (name: string) => cells.cell(name),
    live: over.live ?? live,
  };
  const app = createApp(() => deps);
  const send = async (url: string, init: RequestInit) =>
    app.fetch(new Request(url, init), {}, createExecutionContext());
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
    response.webSocket?.accept();
    const text = await response.text();
    const isJson = /json/.test(response.headers.get("Content-Type") ?? "");
    const answer = { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
    checkShape(app, method, path, answer);
    return answer;
  };
  return { world: made, cells, operations, recurring, directories, fetch: send, ask };
}

/** Every answer to every test has the shape that the document promises. */
function checkShape(
  app: ReturnType<typeof createApp>,
  method: string,
  path: string,
  { status, headers, body }: Answer,
): void {
  for (const { type: of, ...definition } of app.openAPIRegistry.definitions) {
    if (of !== "route" || !("route" in definition)) continue;
    const { route } = definition;
    const pattern = new RegExp(`^${route.path.replace(/\{\w+\}/g, "[^/]+")}$`);
    if (route.method.toUpperCase() !== method || !pattern.test(path.split("?")[0] ?? "")) continue;
    if (status === 101 || (method === "GET" && /\/(batch|validate)$/.test(path))) return;
    // Health answers 503 in its own shape; a repeated or dry creation answers 200 in the shape of 201.
    const isRefusal = status >= 400 && !(status === 503 && route.path === "/health");
    if (isRefusal) {
      expect(problem.safeParse(body).error, `${method} ${path}`).toBeUndefined();
      return expectNamed(method, path, body);
    }
    const { 200: done, [status]: response = done } = route.responses;
    const type = headers.get("Content-Type")?.split(";")[0] ?? "";
    const contents: { readonly [type: string]: unknown } =
      response !== undefined && "content" in response ? { ...response.content } : {};
    const content = contents[type] ?? Object.values(contents)[0];
    const schema = typeof content === "object" && content !== null && "schema" in content ? content.schema : undefined;
    if (!(schema instanceof z.ZodType)) return;
    const { issues = [] } = schema.safeParse(body).error ?? {};
    // Whoever asks for some fields gets no others, which the document says where it tells how to ask.
    const isLeftOut = ({ path: at }: z.core.$ZodIssue) =>
      path.includes("fields=") && at.reduce((value, step) => value?.[step], body) === undefined;
    expect(
      issues.filter((issue) => !isLeftOut(issue)),
      `${method} ${path}`,
    ).toEqual([]);
    return;
  }
}

function opened(greeting: string): Response {
  const [client, server] = Object.values(new WebSocketPair());
  server?.accept();
  server?.send(greeting);
  return new Response(null, { status: 101, webSocket: client ?? null });
}

/** A tenant of its own for a test, and a key of it. */
export async function tenantWithKey(
  { ask }: Api,
  scopes: readonly Scope[] = ["read", "payloads", "write", "tasks", "operate", "admin"],
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
  for (const body of [order, pooledOrder])
    await must(201, made.ask("POST", "/v1/definitions", { key: owner.key, body }));
  return owner;
}
