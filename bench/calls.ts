// API calls of the bench: creates keys and definitions, and lists completed executions.
import { z } from "zod";

const createdKey = z.object({ secret: z.string() });
const createdDefinition = z.object({ definition: z.object({ id: z.string() }) });

export type Tenant = { readonly id: string; readonly name: string };

export async function createKey(engineUrl: string, rootKey: string, tenant: Tenant): Promise<string> {
  await post(engineUrl, "/v1/tenants", rootKey, tenant);
  const asked = { name: "bench", scopes: ["read", "write"] };
  const created = await post(engineUrl, "/v1/keys", rootKey, asked, { "X-Tenant": tenant.id });
  return createdKey.parse(created).secret;
}

export async function createDefinition(engineUrl: string, key: string, body: object): Promise<string> {
  return createdDefinition.parse(await post(engineUrl, "/v1/definitions", key, body)).definition.id;
}

const instant = z.string().transform((text) => new Date(text).getTime());
const finishedPage = z.object({
  data: z.array(z.object({ createdAt: instant, finishedAt: instant })),
  nextCursor: z.string().nullable(),
});

/**
 * Lists all completed executions. `finishedAt` is the time of an execution's last step, so it is the time at which its
 * timer fired.
 */
export async function listCompleted(engineUrl: string, key: string) {
  const all: { readonly startedAt: number; readonly firedAt: number }[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const after: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const headers = { Authorization: `Bearer ${key}` };
    const response = await fetch(`${engineUrl}/v1/executions?status=completed&limit=100${after}`, { headers });
    const page = finishedPage.parse(await response.json());
    all.push(...page.data.map(({ createdAt, finishedAt }) => ({ startedAt: createdAt, firedAt: finishedAt })));
    cursor = page.nextCursor;
  }
  return all;
}

function post(origin: string, path: string, key: string, body: object, more = {}): Promise<unknown> {
  return send("POST", origin + path, key, body, more);
}

export async function send(method: string, url: string, key: string, body: object, more = {}): Promise<unknown> {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json", ...more };
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}
