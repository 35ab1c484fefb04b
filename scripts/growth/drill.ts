// Growth drill (`npm run growth`): load makes a tenant's pool grow from 1 cell to 64, and the engine is killed after each
// growth, while other tenants are quiet. Then checks that nothing was lost, that no key started a second execution, and
// that the pools of quiet tenants have not grown. One limit is lower than the product's: a cell is overloaded by more
// than a start a second (test/crash/few-starts.ts).
//   --per-second 60    how many executions are started, half of them pooled
//   --quiet 10         how many tenants start an execution from time to time
//   --seed 7           chooses the random moments
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { z } from "zod";
import { effectsOf, openAccount, type Account } from "../../test/crash/account.ts";
import { clientWith } from "../../test/crash/client.ts";
import { kindsOn, ordersOf, scripts, type Kind, type Order } from "../../test/crash/fleet.ts";
import { startEngine, freePort, type EngineProcess, type EnginePlace } from "../../test/crash/life.ts";
import { repeatUntilAnswered } from "../../test/crash/patience.ts";
import { numbersFrom } from "../../test/sim/kit/chance.ts";
import { LAYERS, layerOf } from "../../src/policy/pools/layout.ts";
import { openFleet, type Fleet } from "../upgrade/fleet.ts";

const { values: options } = parseArgs({
  options: {
    "per-second": { type: "string", default: "60" },
    quiet: { type: "string", default: "10" },
    seed: { type: "string" },
  },
});
/**
 * A load is AT_ONCE parts of PART executions each. A part starts half of its executions one by one and half in a batch.
 */
const PART = 20;
const AT_ONCE = 3;
const LOAD = PART * AT_ONCE;
const SIZE_MAX = 64;
/** The pool size that the drill sets at the end, so that keys are checked with fewer cells, too. */
const SIZE_SMALLER = 4;
/** The number of a pool's first cell. */
const FIRST_CELL = 101;
/** How many executions are started after the pool has all its cells. */
const STARTED_AFTERWARDS = 800;
/** Every fifth load repeats earlier starts under their first keys, and creates nothing. */
const REPEAT_EVERY = 5;
const QUIET_EVERY_MS = 5_000;
/** The engine is killed at a random moment within this time after the pool has grown. */
const KILLED_WITHIN_MS = 2_500;
/** The time limit for growing to SIZE_MAX cells. One core needs less. */
const GROWN_WITHIN_MS = 300_000;
const LOUD = "loud";

const seed = Number(options.seed ?? Math.floor(Math.random() * 1e9));
const chance = numbersFrom(seed);
const everyMs = (1_000 * LOAD) / Number(options["per-second"]);
const quietNames = Array.from({ length: Number(options.quiet) }, (_, n) => `quiet-${n}`);
const poolSeen = z.object({ size: z.number(), epoch: z.number() });

const project = resolve(import.meta.dirname, "../..");
const stateDir = mkdtempSync(join(tmpdir(), "escapement-growth-"));
process.once("exit", () => rmSync(stateDir, { recursive: true, force: true }));
const rootKey = `root-${seed}`;
const place: EnginePlace = {
  stateDir,
  port: await freePort(),
  sandboxPort: await freePort(),
  rootKey,
  replacements: {
    [join(project, "src/schema/limits/pool-cells.ts")]: fileURLToPath(
      import.meta.resolve("../../test/crash/few-starts.ts"),
    ),
  },
};
let life: EngineProcess = await startEngine(place);
const began = performance.now();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
try {
  await run();
  say(`nothing was lost (seed ${seed})`);
} catch (fault) {
  console.error(`${String(fault)}\nseed ${seed}: npm run growth -- --seed ${seed}`);
  process.exitCode = 1;
} finally {
  await life.kill();
}

/** A tenant with its account and the executions that it has started. */
type TenantLoad = { readonly name: string; readonly account: Account; readonly fleet: Fleet };

async function run(): Promise<void> {
  const { engineUrl, sandboxUrl } = life;
  for (const script of scripts) await clientWith({}).requestJson("PUT", `${sandboxUrl}/_control/scripts`, script);
  const kinds = kindsOn(sandboxUrl);
  const tenants: TenantLoad[] = [];
  for (const name of [LOUD, ...quietNames]) {
    const account = await openAccount(life, rootKey, name);
    for (const { definition } of kinds)
      await account.tenant.requestJson("POST", `${engineUrl}/v1/definitions`, definition);
    tenants.push({ name, account, fleet: openFleet(life, account) });
  }
  const [loud, ...quiet] = tenants;
  if (loud === undefined) throw new Error("there is no tenant");
  await grow(loud, quiet, kinds);
  await checkQuietPools(quiet);
  await loud.fleet.start(loud.fleet.all());
  await callPoolRoute("POST", LOUD, SIZE_SMALLER);
  await loud.fleet.start(loud.fleet.all());
  say(`every key returned its first execution, with ${SIZE_MAX} and with ${SIZE_SMALLER} cells`);
  await checkNothingLost(tenants);
}

/**
 * Starts loads until the pool has all its cells, and STARTED_AFTERWARDS executions more. Kills the engine each time that the
 * pool has grown.
 */
async function grow(loud: TenantLoad, quiet: readonly TenantLoad[], kinds: readonly Kind[]): Promise<void> {
  let crashing: Promise<void> = Promise.resolve();
  let [size, kills, quietAt, enough] = [1, 0, 0, Infinity];
  for (let n = 1; loud.fleet.all().length < enough; n++) {
    if (performance.now() - began > GROWN_WITHIN_MS) throw new Error(`the pool has only ${size} cells under this load`);
    const due = performance.now() + everyMs;
    const begun = loud.fleet.all();
    const known = Math.floor(chance() * (begun.length - LOAD));
    const load = n % REPEAT_EVERY === 0 ? begun.slice(known, known + LOAD) : nextOrders(loud, kinds, LOAD);
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, i) => loud.fleet.start(load.slice(i * PART, (i + 1) * PART))),
    );
    if (performance.now() > quietAt) {
      quietAt = performance.now() + QUIET_EVERY_MS;
      await Promise.all(quiet.map((tenant) => tenant.fleet.start(nextOrders(tenant, kinds, 1))));
    }
    const now = (await poolOf(LOUD)).size;
    if (now > size) {
      size = now;
      kills += 1;
      if (size === SIZE_MAX) enough = begun.length + STARTED_AFTERWARDS;
      say(`${size} cells, after ${begun.length} executions`);
      crashing = crashing.then(crash);
      crashing.catch(() => {}); // awaited below; prevents an unhandled rejection until then
    }
    await pause(Math.max(0, due - performance.now()));
  }
  await crashing;
  say(`${loud.fleet.all().length} executions, and the engine was killed ${kills} times`);
}

function nextOrders({ name, fleet }: TenantLoad, kinds: readonly Kind[], count: number): readonly Order[] {
  const { length } = fleet.all();
  return ordersOf(kinds, length + count, name).slice(length);
}

async function crash(): Promise<void> {
  await pause(KILLED_WITHIN_MS * chance());
  await life.kill();
  life = await startEngine(place);
  say("killed and started again");
}

async function checkQuietPools(quiet: readonly TenantLoad[]): Promise<void> {
  let count = 0;
  for (const { name, fleet } of quiet) {
    await fleet.start(fleet.all());
    count += fleet.all().length;
    const outside = fleet.all().find(({ id }) => cellOf(id) !== null && cellOf(id) !== FIRST_CELL);
    if (outside) throw new Error(`${outside.id} of the quiet tenant ${name} is outside the first cell`);
    const { size, epoch } = await poolOf(name);
    if (size !== 1 || epoch !== 0) throw new Error(`the pool of the quiet tenant ${name} has ${size} cells`);
  }
  say(`${quiet.length} quiet tenants have one cell each, and ${count} executions`);
}

async function checkNothingLost(tenants: readonly TenantLoad[]): Promise<void> {
  for (const { account, fleet } of tenants) {
    const ids = fleet.all().map(({ id }) => id);
    await account.everyOneCompletes(ids);
    await account.listsAgree(ids);
  }
  const all = tenants.flatMap(({ fleet }) => fleet.all());
  const expected = effectsOf(all, new Map(all.map(({ key, id }) => [key, id])));
  const repeats = (await tenants[0]?.account.everyEffectHappenedOnce(expected)) ?? 0;
  const cells = new Set((tenants[0]?.fleet.all() ?? []).flatMap(({ id }) => cellOf(id) ?? []));
  const layers = LAYERS.map((size) => [...cells].filter((cell) => layerOf(cell) === size).length);
  say(`${all.length} executions, ${expected.length} effects; ${repeats} calls repeated under their own key`);
  say(`cells by layer: ${layers.join(", ")}`);
}

function cellOf(id: string): number | null {
  const [, cell] = /_p(\d+)$/.exec(id) ?? [];
  return cell === undefined ? null : Number(cell);
}

async function poolOf(tenant: string): Promise<z.infer<typeof poolSeen>> {
  return poolSeen.parse(await callPoolRoute("GET", tenant));
}

/** Calls the route of test/crash that reads or shrinks a pool. Repeats the call, because the engine may be down. */
function callPoolRoute(method: "GET" | "POST", tenant: string, size = 0): Promise<unknown> {
  const url = `${life.engineUrl}/_crash/pool?tenant=${tenant}&size=${size}`;
  return repeatUntilAnswered(() => clientWith({}).requestJson(method, url));
}

function say(line: string): void {
  console.log(`${((performance.now() - began) / 1_000).toFixed(1).padStart(6)} s  ${line}`);
}
