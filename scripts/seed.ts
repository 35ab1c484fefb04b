// Demo seed: creates a tenant, a key, a definition and one execution in a new engine, over HTTP only. A second run with
// the same key file changes nothing.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";

export interface SeedOptions {
  engineUrl: string;
  sandboxUrl: string;
  rootKey: string;
  /** The file that stores the tenant's key, because the engine returns it only once. */
  keyFile: string;
  /** The path of a definition in JSON. */
  example: string;
}

export interface Seeded {
  key: string;
  /** null: the example file does not exist. */
  execution: string | null;
}

const TENANT = { id: "demo", name: "Demo" };
const createdKey = z.object({ secret: z.string() });
const named = z.object({ id: z.string() });
const createdDefinition = z.object({ definition: named });
const startedExecution = z.object({ execution: named });
const page = z.object({ data: z.array(named) });

export async function seed(options: SeedOptions): Promise<Seeded> {
  const key = (await readStoredKey(options)) ?? (await newKey(options));
  const call = caller(options.engineUrl, key);
  const [known] = page.parse(await call("GET", "/v1/executions?definition=lease-notice&limit=1")).data;
  if (known !== undefined) return { key, execution: known.id };
  if (!existsSync(options.example)) {
    console.log(`no example to start: ${options.example} does not exist`);
    return { key, execution: null };
  }
  const example: unknown = JSON.parse(readFileSync(options.example, "utf8"));
  const { definition } = createdDefinition.parse(await call("POST", "/v1/definitions", example));
  const variables = { crmUrl: `${options.sandboxUrl}/sink/crm` };
  const start = { definition: definition.id, variables };
  const { execution } = startedExecution.parse(await call("POST", "/v1/executions", start));
  return { key, execution: execution.id };
}

/** Reads the stored key. Null if the engine does not accept it: the key file can outlive the state folder. */
async function readStoredKey({ engineUrl, keyFile }: SeedOptions): Promise<string | null> {
  if (!existsSync(keyFile)) return null;
  const key = readFileSync(keyFile, "utf8").trim();
  const { status } = await fetch(`${engineUrl}/v1/executions?limit=1`, { headers: bearer(key) });
  return status === 401 || status === 403 ? null : key;
}

async function newKey({ engineUrl, rootKey, keyFile }: SeedOptions): Promise<string> {
  await caller(engineUrl, rootKey)("POST", "/v1/tenants", TENANT, [409]);
  const call = caller(engineUrl, rootKey, { "X-Tenant": TENANT.id });
  const scopes = ["read", "payloads", "write", "tasks", "operate", "admin"];
  const created = createdKey.parse(await call("POST", "/v1/keys", { name: "npm start", scopes }));
  mkdirSync(dirname(keyFile), { recursive: true });
  writeFileSync(keyFile, `${created.secret}\n`, { mode: 0o600 });
  return created.secret;
}

type Call = (method: "GET" | "POST", path: string, body?: unknown, tolerated?: number[]) => Promise<unknown>;

function caller(engineUrl: string, key: string, more: Record<string, string> = {}): Call {
  return async (method, path, body, tolerated = []) => {
    const headers = { ...bearer(key), "Content-Type": "application/json", ...more };
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
    const response = await fetch(engineUrl + path, init);
    const text = await response.text();
    if (!response.ok && !tolerated.includes(response.status)) {
      throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    }
    return text === "" ? null : JSON.parse(text);
  };
}

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });
