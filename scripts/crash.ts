// What `npm run crash` runs: 200 executions, the whole engine killed twice in the middle of them, and then the
// question what was lost. SEED chooses the moments; a failure prints it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  batchStarted,
  clientWith,
  createdKey,
  effects,
  execution,
  page,
  started,
  type Client,
  type Seen,
} from "../test/crash/client.ts";
import { effectOf, kindsOn, ordersOf, scripts, type Order } from "../test/crash/fleet.ts";
import { begin, freePort, type Life, type Place } from "../test/crash/life.ts";

const { values: options } = parseArgs({
  options: { count: { type: "string", default: "200" }, seed: { type: "string" } },
});
const COUNT = Number(options.count);
const seed = Number(options.seed ?? process.env.SEED ?? Math.floor(Math.random() * 1e9));
const chance = chanceFrom(seed);
const TENANT = "crash";
/** A lost message is sent again after a minute; the rest is what it then takes, on a slow machine. */
const REPAIRED_WITHIN_MS = 150_000;
const BATCH = 20;

const stateDir = mkdtempSync(join(tmpdir(), "escapement-crash-"));
process.once("exit", () => rmSync(stateDir, { recursive: true, force: true }));
const rootKey = `root-${seed}`;
const place: Place = { stateDir, port: await freePort(), sandboxPort: await freePort(), rootKey };
let life: Life = await begin(place);
const began = performance.now();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
try {
  await run();
  console.log(`nothing was lost (seed ${seed}, ${seconds()})`);
} catch (fault) {
  console.error(`${String(fault)}\nseed ${seed}: npm run crash -- --seed ${seed}`);
  process.exitCode = 1;
} finally {
  await life.kill();
}

async function run(): Promise<void> {
  const { engineUrl, sandboxUrl } = life;
  const sandbox = clientWith({});
  for (const script of scripts) await sandbox.ask("PUT", `${sandboxUrl}/_control/scripts`, script);
  const kinds = kindsOn(sandboxUrl);
  const tenant = await newTenant(engineUrl);
  for (const { definition } of kinds) await tenant.ask("POST", `${engineUrl}/v1/definitions`, definition);
  const orders = ordersOf(kinds, COUNT);
  const total = orders.reduce((sum, { kind }) => sum + kind.actions.length, 0);
  const countEffects = async (): Promise<number> =>
    effects.parse((await sandbox.ask("GET", `${sandboxUrl}/_control/effects?limit=1`)) ?? { total: 0, effects: [] })
      .total;

  // The first crash comes while executions are still being started, the second while the first one is being repaired.
  const first = Math.round(total * (0.05 + 0.2 * chance()));
  const starting = startAll(tenant, engineUrl, orders);
  // Awaited after the crash; until then its failure is nobody's.
  starting.catch(() => {});
  await until(`${first} of ${total} effects`, async () => (await countEffects()) >= first);
  await crash("first", await countEffects());
  const ids = await starting;
  const before = await countEffects();
  const second = before + Math.round((total - before) * (0.1 + 0.3 * chance()));
  const patience = performance.now() + 2_000 + 6_000 * chance();
  await until("the second moment", async () => (await countEffects()) >= second || performance.now() > patience);
  await crash("second", await countEffects());

  await everyOneCompletes(tenant, engineUrl, [...ids.values()]);
  const repeats = await everyEffectHappenedOnce(sandbox, sandboxUrl, orders, ids);
  const told = await listsAgree(tenant, engineUrl, [...ids.values()]);
  console.log(
    `${COUNT} executions, ${total} effects; ${repeats} calls repeated under their own key; ${told} told again`,
  );
}

async function newTenant(engineUrl: string): Promise<Client> {
  const root = clientWith({ Authorization: `Bearer ${rootKey}` });
  await root.ask("POST", `${engineUrl}/v1/tenants`, { id: TENANT, name: TENANT });
  const body = { name: "crash", scopes: ["read", "write", "tasks", "operate", "admin"] };
  const { secret } = createdKey.parse(await root.ask("POST", `${engineUrl}/v1/keys`, body, { "X-Tenant": TENANT }));
  return clientWith({ Authorization: `Bearer ${secret}` });
}

async function crash(which: string, done: number): Promise<void> {
  console.log(`${which} crash after ${seconds()}, with ${done} effects done`);
  await life.kill();
  life = await begin(place);
}

/** Half of them one by one, half by the batch; whatever is not answered is sent again under the same key. */
async function startAll(tenant: Client, engineUrl: string, orders: readonly Order[]): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  const half = Math.ceil(orders.length / 2);
  for (const { kind, key } of orders.slice(0, half)) {
    const body = { definition: kind.name };
    const answer = await insist(() =>
      tenant.ask("POST", `${engineUrl}/v1/executions`, body, { "Idempotency-Key": key }),
    );
    ids.set(key, started.parse(answer).execution.id);
  }
  for (let from = half; from < orders.length; from += BATCH) {
    const some = orders.slice(from, from + BATCH);
    const body = { executions: some.map(({ kind, key }) => ({ definition: kind.name, idempotencyKey: key })) };
    const answer = batchStarted.parse(await insist(() => tenant.ask("POST", `${engineUrl}/v1/executions/batch`, body)));
    for (const [n, { key }] of some.entries()) ids.set(key, answer.results[n]?.id ?? "");
  }
  return ids;
}

async function everyOneCompletes(tenant: Client, engineUrl: string, ids: readonly string[]): Promise<void> {
  let open = new Set(ids);
  if (open.size !== COUNT) throw new Error(`${COUNT} starts gave ${open.size} executions`);
  await until(
    () => `${open.size} executions to complete, such as ${[...open].slice(0, 3).join(", ")}`,
    async () => {
      const found = await readAll(tenant, engineUrl, [...open]);
      const wrong = found.find(({ status }) => status === "failed" || status === "canceled");
      if (wrong) throw new Error(`${wrong.id} is ${wrong.status}`);
      open = new Set(found.filter(({ status }) => status !== "completed").map(({ id }) => id));
      return open.size === 0;
    },
  );
}

/** Each effect reached the outside world, and never under two keys. Says how many calls were repeats. */
async function everyEffectHappenedOnce(
  sandbox: Client,
  sandboxUrl: string,
  orders: readonly Order[],
  ids: ReadonlyMap<string, string>,
): Promise<number> {
  const expected = orders.flatMap(({ kind, key }) =>
    kind.actions.map((action) => effectOf(ids.get(key) ?? "", action)),
  );
  const found = effects.parse(await sandbox.ask("GET", `${sandboxUrl}/_control/effects?limit=50000`)).effects;
  const seen = new Set(found.map(({ effect }) => effect));
  const missing = expected.filter((effect) => !seen.has(effect));
  if (missing.length > 0) throw new Error(`${missing.length} effects never happened, such as ${missing[0]}`);
  const strange = found.filter(({ effect }) => !new Set(expected).has(effect));
  if (strange.length > 0) throw new Error(`${strange.length} effects nobody asked for, such as ${strange[0]?.effect}`);
  const doubled = found.filter(({ keys, keyless }) => keys.length !== 1 || keyless > 0);
  if (doubled.length > 0)
    throw new Error(`${doubled.length} effects under several keys, such as ${JSON.stringify(doubled[0])}`);
  return found.reduce((sum, { requests }) => sum + requests - 1, 0);
}

/**
 * Production's queue keeps what it was given; the local one forgets it with the process, and with it what executions
 * had told of themselves. Those that rest by then are poked, as the sweeper does. Says how many that were.
 */
async function listsAgree(tenant: Client, engineUrl: string, ids: readonly string[]): Promise<number> {
  const objects = await readAll(tenant, engineUrl, ids);
  let stale = await unlisted(tenant, engineUrl, objects);
  const patience = performance.now() + 5_000;
  await until("lists to settle", async () => {
    stale = await unlisted(tenant, engineUrl, objects);
    return stale.length === 0 || performance.now() > patience;
  });
  const told = stale.length;
  for (const { id } of stale) await insist(() => tenant.ask("POST", `${engineUrl}/v1/executions/${id}/poke`, {}));
  await until(
    () => `lists to agree on ${stale.length} executions, such as ${stale[0]?.id}`,
    async () => {
      stale = await unlisted(tenant, engineUrl, objects);
      return stale.length === 0;
    },
  );
  return told;
}

async function unlisted(tenant: Client, engineUrl: string, objects: readonly Seen[]): Promise<Seen[]> {
  const listed = new Map<string, string>();
  for (let cursor: string | null = ""; cursor !== null;) {
    const after: string = cursor === "" ? "" : `&cursor=${cursor}`;
    const { data, nextCursor } = page.parse(
      await insist(() => tenant.ask("GET", `${engineUrl}/v1/executions?limit=200${after}`)),
    );
    for (const row of data) listed.set(row.id, JSON.stringify(row));
    cursor = nextCursor;
  }
  return objects.filter((object) => listed.get(object.id) !== JSON.stringify(object));
}

async function readAll(tenant: Client, engineUrl: string, ids: readonly string[]): Promise<Seen[]> {
  const found: Seen[] = [];
  for (let from = 0; from < ids.length; from += BATCH) {
    const some = ids.slice(from, from + BATCH);
    const answers = await Promise.all(
      some.map((id) => insist(() => tenant.ask("GET", `${engineUrl}/v1/executions/${id}`))),
    );
    found.push(...answers.map((answer) => execution.parse(answer)));
  }
  return found;
}

/** Until somebody answers: the engine may be dead just now. */
async function insist(ask: () => Promise<unknown>): Promise<unknown> {
  let answer: unknown = null;
  await until("an answer", async () => {
    answer = await ask();
    return answer !== null;
  });
  return answer;
}

async function until(what: string | (() => string), isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + REPAIRED_WITHIN_MS;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`waited in vain for ${typeof what === "string" ? what : what()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function seconds(): string {
  return `${((performance.now() - began) / 1_000).toFixed(1)} s`;
}

/** A number in [0, 1), always the same sequence for a seed (mulberry32). */
function chanceFrom(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
