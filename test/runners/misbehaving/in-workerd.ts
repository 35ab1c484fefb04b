// Workerd table: lets the whole engine call the misbehaving server through webhooks with two attempts, and records
// outcome and requests.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { clientWith, createdKey, type Client } from "#test/crash/client.ts";
import { startEngine } from "#test/crash/life.ts";
import type { Misbehaving } from "./server.ts";
import { ways, type Way } from "./ways.ts";

/** A hanging way uses this timeout twice. It is long enough that a loaded machine still receives the headers. */
const HANGING_TIMEOUT_MS = 10_000;
/** The timeout of all other ways, which answer at once. It is long, so that a slow machine does not time out. */
const TIMEOUT_MS = 45_000;
const WITHIN_MS = 100_000;
/** The API's limit of actions per request. */
const BATCH = 100;

const HEAD = `a webhook of the whole engine in workerd, tried twice at most

outcome      of the first try: ok, and what the result says of the body (bodyIncomplete); or the error's type, code and effect
again        whether there was a second try
repeat       whether that one says possiblyRepeated
arrived      requests that met the misbehaving server
`;

const dispatched = z.object({ results: z.array(z.object({ ok: z.literal(true), id: z.string() })) });
const error = z.object({ type: z.string(), code: z.string().optional(), effect: z.string().optional() });
const attempt = z.object({ error: error.nullable(), possiblyRepeated: z.boolean() });
const result = z.object({ truncated: z.boolean().optional(), bodyIncomplete: z.string().optional() });
const run = z.object({ status: z.string(), result: result.nullable(), attempts: z.array(attempt) });
const runs = z.object({ data: z.array(run) });

export async function workerdTable(server: Misbehaving): Promise<string> {
  const stateDir = mkdtempSync(join(tmpdir(), "escapement-misbehaving-"));
  const rootKey = "root-of-the-misbehaving";
  const life = await startEngine({ stateDir, port: 0, sandboxPort: 0, rootKey });
  try {
    const tenant = await newTenant(life.engineUrl, rootKey);
    const ids = await dispatch(tenant, life.engineUrl, server);
    const lines = await Promise.all(
      ids.map(async (id, n) => lineOf(await ended(tenant, life.engineUrl, id), server, n)),
    );
    return `${HEAD}\n${row("", "outcome", "again", "repeat", "arrived")}\n${lines.join("\n")}\n`;
  } finally {
    await life.kill();
    rmSync(stateDir, { recursive: true, force: true });
  }
}

async function newTenant(engineUrl: string, rootKey: string): Promise<Client> {
  const root = clientWith({ Authorization: `Bearer ${rootKey}` });
  await root.requestJson("POST", `${engineUrl}/v1/tenants`, { id: "met", name: "met" });
  const body = { name: "met", scopes: ["read", "payloads", "write"] };
  const made = await root.requestJson("POST", `${engineUrl}/v1/keys`, body, { "X-Tenant": "met" });
  return clientWith({ Authorization: `Bearer ${createdKey.parse(made).secret}` });
}

const good = { status: 200, headers: { "content-type": "application/json" }, body: '{"data":{"id":7}}' };
const pathOf = (n: number) => `in-workerd/${n}`;

async function dispatch(tenant: Client, engineUrl: string, server: Misbehaving): Promise<string[]> {
  const retryPolicy = { maxAttempts: 2, backoffStrategy: "fixed", baseDelay: 100 };
  const actions = ways.map((way: Way, n) => {
    server.expect(pathOf(n), { act: way.act, good, hanging: () => undefined });
    const config = { url: `${server.bases[way.at]}/${pathOf(n)}`, payload: { a: 1 } };
    return { type: "webhook", config, timeout: way.hangs ? HANGING_TIMEOUT_MS : TIMEOUT_MS, retryPolicy };
  });
  const ids: string[] = [];
  for (let from = 0; from < actions.length; from += BATCH) {
    const some = { actions: actions.slice(from, from + BATCH) };
    const answer = dispatched.parse(await tenant.requestJson("POST", `${engineUrl}/v1/actions/batch`, some));
    ids.push(...answer.results.map(({ id }) => id));
  }
  return ids;
}

async function ended(tenant: Client, engineUrl: string, id: string): Promise<z.infer<typeof run>> {
  const endsAt = performance.now() + WITHIN_MS;
  for (;;) {
    const [found] = runs.parse(
      (await tenant.requestJson("GET", `${engineUrl}/v1/executions/${id}/runs`)) ?? { data: [] },
    ).data;
    if (found && ["ok", "failed"].includes(found.status)) return found;
    if (performance.now() > endsAt) throw new Error(`waited in vain for the end of ${id}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

function lineOf({ status, result: said, attempts }: z.infer<typeof run>, server: Misbehaving, n: number): string {
  const way = ways[n]?.name ?? "";
  const [first, second] = attempts;
  const failed = first?.error ?? null;
  const { type, code = "", effect } = failed ?? {};
  const ok = ["ok", said?.truncated ? "truncated" : "", said?.bodyIncomplete ?? ""].filter((note) => note !== "");
  const outcome =
    failed === null ? ok.join(", ") : `${type} ${code}${effect === undefined ? "" : `, effect ${effect}`}`;
  const repeat = second === undefined ? "" : second.possiblyRepeated ? "says so" : "no";
  const again = second === undefined ? (status === "failed" ? "no" : "") : "again";
  const arrived = ways[n]?.at === "answering" ? `${server.arrived(pathOf(n))}` : "-";
  return row(way, outcome, again, repeat, arrived);
}

function row(...[way, outcome, again, repeat, arrived]: readonly [string, string, string, string, string]): string {
  return `${way.padEnd(44)}${outcome.padEnd(60)}${again.padEnd(7)}${repeat.padEnd(8)}${arrived}`.trimEnd();
}
