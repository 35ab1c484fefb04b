// Crash drill (`npm run crash`): starts 200 executions while their tenant's pool grows from 1 cell to 64, and kills the
// whole engine twice. Then checks that no execution or effect was lost and that each idempotency key returns its first
// answer. SEED chooses the moments; a failure prints it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { effectsOf, openAccount } from "../test/crash/account.ts";
import { clientWith } from "../test/crash/client.ts";
import { kindsOn, ordersOf, scripts } from "../test/crash/fleet.ts";
import { openGrowing } from "../test/crash/growing.ts";
import { startEngine, freePort, type EngineProcess, type EnginePlace } from "../test/crash/life.ts";
import { waitUntil } from "../test/crash/patience.ts";
import { numbersFrom } from "../test/sim/kit/chance.ts";

const { values: options } = parseArgs({
  options: { count: { type: "string", default: "200" }, seed: { type: "string" } },
});
const COUNT = Number(options.count);
const seed = Number(options.seed ?? process.env.SEED ?? Math.floor(Math.random() * 1e9));
const chance = numbersFrom(seed);
const TENANT = "crash";

const stateDir = mkdtempSync(join(tmpdir(), "escapement-crash-"));
process.once("exit", () => rmSync(stateDir, { recursive: true, force: true }));
const rootKey = `root-${seed}`;
const place: EnginePlace = { stateDir, port: await freePort(), sandboxPort: await freePort(), rootKey };
let life: EngineProcess = await startEngine(place);
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
  for (const script of scripts) await clientWith({}).requestJson("PUT", `${sandboxUrl}/_control/scripts`, script);
  const kinds = kindsOn(sandboxUrl);
  const account = await openAccount(life, rootKey, TENANT);
  const { countEffects } = account;
  for (const { definition } of kinds)
    await account.tenant.requestJson("POST", `${engineUrl}/v1/definitions`, definition);
  const orders = ordersOf(kinds, COUNT);
  const total = orders.reduce((sum, { kind }) => sum + kind.actions.length, 0);

  // The first crash happens during the starts, the second during the recovery from the first.
  const first = Math.round(total * (0.05 + 0.2 * chance()));
  const growing = openGrowing({ engineUrl, tenant: TENANT }, account);
  const starting = growing.startAll(orders);
  // Awaited after the crash. This handler only prevents an unhandled rejection until then.
  starting.catch(() => {});
  await waitUntil(`${first} of ${total} effects`, async () => (await countEffects()) >= first);
  await crash("first", await countEffects());
  const ids = await starting;
  const before = await countEffects();
  const second = before + Math.round((total - before) * (0.1 + 0.3 * chance()));
  const patience = performance.now() + 2_000 + 6_000 * chance();
  await waitUntil("the second moment", async () => (await countEffects()) >= second || performance.now() > patience);
  await crash("second", await countEffects());

  const all = [...new Set(ids.values())];
  if (all.length !== COUNT) throw new Error(`${COUNT} starts gave ${all.length} executions`);
  const cells = await growing.everyKeyIsAnsweredAgain(orders, ids);
  await account.everyOneCompletes(all);
  const repeats = await account.everyEffectHappenedOnce(effectsOf(orders, ids));
  await account.listsAgree(all);
  console.log(
    `${COUNT} executions, ${total} effects; ${repeats} calls repeated under their own key; ` +
      `pooled in ${cells} cells`,
  );
}

async function crash(which: string, done: number): Promise<void> {
  console.log(`${which} crash after ${seconds()}, with ${done} effects done`);
  await life.kill();
  life = await startEngine(place);
}

function seconds(): string {
  return `${((performance.now() - began) / 1_000).toFixed(1)} s`;
}
