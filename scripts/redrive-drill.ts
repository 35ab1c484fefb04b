// Redrive drill (`npm run drill`): a provider is down, so that all actions become dead letters. When it is available
// again, an operation retries all of them through a connection with a rate limit. The calls that the sandbox received
// show whether each action took effect once and the limit was kept.
//   --count 5000        how many actions
//   --limit 20          the connection's limit per second
//   --per-second 20     the operation's rate; above the limit, the connection holds actions back
import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import { z } from "zod";
import { createClient, type Client } from "../src/client/client.ts";
import { host } from "./host.ts";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "5000" },
    limit: { type: "string", default: "20" },
    "per-second": { type: "string" },
  },
});
const COUNT = Number(values.count);
const LIMIT = Number(values.limit);
const PER_SECOND = Number(values["per-second"] ?? values.limit);
/** Every tenth action is no longer valid when the provider recovers. */
const STALE_EVERY = 10;
const STALE = "no_longer_valid";
const BATCH = 100;
/** All parts of the engine apply a connection's changes within five seconds. */
const HEEDED_MS = 6_000;
const PATH = "/sink/drill/*";
const ACTION = "tell";

const received = z.object({
  requests: z.array(z.object({ id: z.number(), at: z.number(), key: z.string().nullable() })),
  total: z.number(),
});
type Received = z.infer<typeof received>["requests"];
type Line = readonly [what: string, value: string | number, isRight?: boolean];

const rootKey = `root-${randomBytes(8).toString("hex")}`;
const vars = { ROOT_KEY: rootKey, ALLOW_LOOPBACK: "true", SECRETS_KEYS: `k1:${randomBytes(32).toString("base64url")}` };
const { engineUrl, sandboxUrl, dispose } = await host({ persist: false, quiet: true, vars });
const began = performance.now();
try {
  const lines = await drill(await newTenant());
  for (const [what, value, isRight = true] of lines) console.log(`${isRight ? "  " : "✗ "}${what.padEnd(52)} ${value}`);
  if (lines.some(([, , isRight]) => isRight === false)) process.exitCode = 1;
} finally {
  await dispose();
}
process.exit();

async function drill(client: Client): Promise<readonly Line[]> {
  await client.connections.create({ name: "crm", provider: "http", baseUrl: sandboxUrl });
  for (const stale of [false, true]) await client.definitions.create(definition(stale));
  await tellSandbox("PUT", "/_control/scripts", { path: PATH, ratio: { share: 1, step: { status: 503 } } });
  const stale = await start(client);
  const { byErrorType } = await allFailed(client);
  const failedAfter = seconds();
  await tellSandbox("DELETE", `/_control/scripts?path=${encodeURIComponent(PATH)}`);
  await makeStale(client, stale);
  await client.connections.update("crm", { rateLimit: { perSecond: LIMIT } });
  await pause(HEEDED_MS);
  const mark = (await receivedAfter(0)).at(-1)?.id ?? 0;

  const aborted = await abortOne(client);
  const begun = performance.now();
  const { operation } = await client.operations.retryAll({ filter: {}, perSecond: PER_SECOND, reason: "it is back" });
  const done = await progressWhenDone(client, operation.id);
  const operationTook = (performance.now() - begun) / 1_000;
  const due = COUNT - stale.length;
  let looks = 0;
  await until(`${due} effects`, async () => {
    const { total } = await page(0, 1);
    if (looks++ % 10 === 0) say(`${total - COUNT} of ${due} effects`);
    return total >= COUNT + due ? true : null;
  });
  const took = (performance.now() - begun) / 1_000;
  await until("all executions to rest", async () => {
    const waiting = await client.executions.list({ status: "waiting", limit: 1 });
    const active = await client.executions.list({ status: "active", limit: 1 });
    return waiting.data.length + active.data.length === 0 ? true : null;
  });
  const after = await receivedAfter(mark);
  const most = busiest(after.map(({ at }) => at));
  const keys = new Set(after.map(({ key }) => key));
  const before = new Set((await receivedAfter(0)).filter(({ id }) => id <= mark).map(({ key }) => key));
  const late = done.skipped[STALE] ?? 0;
  const both = done.released + aborted.progress.released;
  const lates = late + (aborted.progress.skipped[STALE] ?? 0);
  const left = (await client.operations.previewRetryAll({ filter: {} })).matching;
  return [
    ["dead letters", `${COUNT} (${JSON.stringify(byErrorType)}) after ${failedAfter}`],
    ["the aborted operation left", aborted.progress.remaining, aborted.progress.remaining > 0],
    ["retried", `${both} of ${due}`, both === due],
    [`skipped, ${STALE}`, `${lates} of ${stale.length}`, lates === stale.length],
    ["refused", JSON.stringify(done.refused), Object.keys(done.refused).length === 0],
    // The catalog may still list the actions that the aborted operation has just retried.
    ["gone before their retry", done.gone, done.gone <= aborted.progress.released],
    ["effects", `${after.length} of ${due}`, after.length === due],
    ["different keys", keys.size, keys.size === due],
    [
      "keys of the first attempts",
      [...keys].filter((key) => before.has(key)).length,
      [...keys].every((k) => before.has(k)),
    ],
    [`most in any second (limit ${LIMIT}, burst 1)`, most, most <= LIMIT + 1],
    ["a second, on average", (due / took).toFixed(1)],
    ["the operation took", `${operationTook.toFixed(0)} s at ${PER_SECOND} a second`],
    ["all effects took", `${took.toFixed(0)} s`],
    ["dead letters left", left, left === 0],
    ["in total", seconds()],
  ];
}

async function allFailed(client: Client) {
  let looks = 0;
  return until(`${COUNT} dead letters`, async () => {
    const preview = await client.operations.previewRetryAll({ filter: {}, perSecond: PER_SECOND });
    if (looks++ % 20 === 0) say(`${preview.matching} of ${COUNT} dead letters`);
    return preview.matching === COUNT ? preview : null;
  });
}

async function progressWhenDone(client: Client, id: string) {
  let seen = 0;
  let looks = 0;
  return until("the operation", async () => {
    const { status, progress, estimatedEndAt } = await client.operations.get(id);
    if (progress.released < seen) throw new Error("the progress decreased");
    seen = progress.released;
    if (looks++ % 10 === 0)
      say(`${progress.released} released, ${progress.remaining} remaining, until ${estimatedEndAt}`);
    return status === "done" ? progress : null;
  });
}

/** Starts a slow operation and aborts it, so that the abort comes while it runs. */
async function abortOne(client: Client) {
  const { operation } = await client.operations.retryAll({ filter: {}, perSecond: 3 });
  await until("its first batches", async () => {
    const { progress } = await client.operations.get(operation.id);
    return progress.released >= 6 ? true : null;
  });
  await client.operations.abort(operation.id, { reason: "a drill" });
  return until("its end", async () => {
    const seen = await client.operations.get(operation.id);
    return seen.status === "aborted" ? seen : null;
  });
}

async function newTenant(): Promise<Client> {
  const root = createClient({ baseUrl: engineUrl, key: rootKey, tenant: "drill" });
  await createClient({ baseUrl: engineUrl, key: rootKey }).tenants.create({ id: "drill", name: "drill" });
  const { secret } = await root.keys.create({
    name: "drill",
    scopes: ["read", "payloads", "write", "tasks", "operate", "admin"],
  });
  return createClient({ baseUrl: engineUrl, key: secret ?? "" });
}

function definition(stale: boolean): Parameters<Client["definitions"]["create"]>[0] {
  const events = (...names: string[]) => Object.fromEntries(names.map((name) => [`action.${ACTION}.${name}`, "done"]));
  return {
    kind: "machine",
    name: stale ? "drill-stale" : "drill",
    placement: "pooled",
    initial: "telling",
    states: {
      telling: { on: { ...events("ok"), [`action.${ACTION}.failed`]: "failed" } },
      failed: { on: events("ok", "skipped") },
      done: { type: "final" },
    },
    actions: [
      {
        actionId: ACTION,
        type: "api_call",
        triggerState: "telling",
        config: {
          service: "crm",
          endpoint: "sink/drill/people",
          method: "POST",
          payload: { id: "{{ execution.id }}" },
        },
        retryPolicy: { maxAttempts: 1 },
        ...(stale ? { validUntil: { var: "execution.variables.until" } } : {}),
      },
    ],
  };
}

/** Starts all executions. Returns the ids of those that will become invalid. */
async function start(client: Client): Promise<readonly string[]> {
  const stale: string[] = [];
  for (let from = 0; from < COUNT; from += BATCH) {
    const size = Math.min(BATCH, COUNT - from);
    const isStale = (n: number): boolean => (from + n) % STALE_EVERY === 0;
    const executions = Array.from({ length: size }, (_, n) => ({ definition: isStale(n) ? "drill-stale" : "drill" }));
    const { results } = await client.executions.startMany({ executions });
    for (const [n, result] of results.entries()) {
      if (!result.ok) throw new Error(`not started: ${result.problem.error}`);
      if (isStale(n)) stale.push(result.id);
    }
  }
  return stale;
}

/** Ends the validity of executions that have failed already. */
async function makeStale(client: Client, ids: readonly string[]): Promise<void> {
  const variables = { until: new Date(Date.now() - 1_000).toISOString() };
  for (let from = 0; from < ids.length; from += 10)
    await Promise.all(ids.slice(from, from + 10).map((id) => client.executions.patch(id, { variables })));
}

async function tellSandbox(method: string, path: string, body?: object): Promise<unknown> {
  const sent = body && { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
  const response = await fetch(`${sandboxUrl}${path}`, { method, ...sent });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function page(after: number, limit: number): Promise<z.infer<typeof received>> {
  const query = `path=${encodeURIComponent(PATH)}&after=${after}&limit=${limit}`;
  return received.parse(await tellSandbox("GET", `/_control/requests?${query}`));
}

async function receivedAfter(id: number): Promise<Received> {
  const all: Received = [];
  for (let after = id; ;) {
    const { requests } = await page(after, 5_000);
    const last = requests.at(-1);
    if (last === undefined) return all;
    all.push(...requests);
    after = last.id;
  }
}

/** Returns the highest number of calls within any second. */
function busiest(at: readonly number[]): number {
  const sorted = at.toSorted((a, b) => a - b);
  let [most, from] = [0, 0];
  for (const [to, moment] of sorted.entries()) {
    while (moment - (sorted[from] ?? 0) >= 1_000) from += 1;
    most = Math.max(most, to - from + 1);
  }
  return most;
}

/**
 * Repeats `look` until it returns a value. Fails with the name of the awaited state after twice the expected duration.
 */
async function until<T>(what: string, look: () => Promise<T | null>): Promise<T> {
  const patience = performance.now() + (COUNT / Math.min(LIMIT, PER_SECOND)) * 2_000 + 120_000;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (performance.now() > patience) throw new Error(`timed out waiting for ${what}`);
    await pause(500);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function say(line: string): void {
  console.log(`${seconds()}: ${line}`);
}

function seconds(): string {
  return `${((performance.now() - began) / 1_000).toFixed(0)} s`;
}
