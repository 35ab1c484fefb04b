// Upgrade drill (`npm run upgrade`): upgrades an engine of an earlier version to these sources under load, rolls it back,
// and upgrades it again, each time after SIGKILL. Then checks that nothing was lost or done twice, and that each key
// returns its first answer. The older code must not touch executions that only the newer code can read.
//   --from <git ref>    the earlier version. Default: the last release
//   --count 60          how many executions each of the four engines starts
//   --seed 7            chooses the random moments
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { effectsOf, openAccount, type Account } from "../../test/crash/account.ts";
import { clientWith } from "../../test/crash/client.ts";
import { effectOf, kindsOn, ordersOf, patientKindsOn, scripts, type Kind } from "../../test/crash/fleet.ts";
import { startEngine, freePort, type EngineProcess, type EnginePlace } from "../../test/crash/life.ts";
import { becomesTrueWithin, waitUntil } from "../../test/crash/patience.ts";
import { numbersFrom } from "../../test/sim/kit/chance.ts";
import { openFleet, type Fleet, type Started } from "./fleet.ts";
import { extractSources } from "./older.ts";

const { values: options } = parseArgs({
  options: { from: { type: "string" }, count: { type: "string", default: "60" }, seed: { type: "string" } },
});
const COUNT = Number(options.count);
const seed = Number(options.seed ?? process.env.SEED ?? Math.floor(Math.random() * 1e9));
const chance = numbersFrom(seed);
/** The engine checks quarantined executions again after a minute. The second minute allows for a slow machine. */
const RESTORED_WITHIN_MS = 120_000;

const older = extractSources(options.from ?? lastRelease());
const stateDir = mkdtempSync(join(tmpdir(), "escapement-upgrade-"));
process.once("exit", () => rmSync(stateDir, { recursive: true, force: true }));
const rootKey = `root-${seed}`;
const place: EnginePlace = { stateDir, port: await freePort(), sandboxPort: await freePort(), rootKey };
const began = performance.now();
const now: { life: EngineProcess | null } = { life: null };
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
try {
  say(`from ${older.commit.slice(0, 8)} (${older.subject}), seed ${seed}`);
  if (older.hasOtherPackages) say("it was built with other packages and runs with the installed ones");
  await run();
  say("nothing was lost");
} catch (fault) {
  console.error(`${String(fault)}\nnpm run upgrade -- --from ${older.commit} --count ${COUNT} --seed ${seed}`);
  process.exitCode = 1;
} finally {
  await now.life?.kill();
}

async function run(): Promise<void> {
  const { sandboxUrl, engineUrl } = await switchTo("the older engine", older.root);
  for (const script of scripts) await clientWith({}).requestJson("PUT", `${sandboxUrl}/_control/scripts`, script);
  const account = await openAccount({ engineUrl, sandboxUrl }, rootKey);
  const fleet = openFleet({ engineUrl, sandboxUrl }, account);
  const kinds = [...kindsOn(sandboxUrl), ...patientKindsOn(sandboxUrl)];
  for (const { definition } of kinds)
    await account.tenant.requestJson("POST", `${engineUrl}/v1/definitions`, definition);

  // The first upgrade happens during the starts.
  const starting = fleet.start(ordersOf(kinds, COUNT, "older"));
  starting.catch(() => {}); // Awaited below. This handler only prevents an unhandled rejection until then.
  await waitForEffects(account, 0.05 + 0.2 * chance(), kinds);
  await switchTo("the newer engine", undefined);
  await starting;
  const cancelable = await upgraded(account, fleet, kinds);
  const back = await switchTo("the older engine, again", older.root);
  await rolledBack(account, fleet, kinds, cancelable, back.since);
  await switchTo("the newer engine, again", undefined);
  await finishUpgrade(account, fleet, kinds, cancelable);
}

/**
 * Starts executions on the newer engine. Returns two that wait for an event; if the older engine quarantines them, the
 * drill cancels them.
 */
async function upgraded(account: Account, fleet: Fleet, kinds: readonly Kind[]): Promise<readonly Started[]> {
  await fleet.start(fleet.all()); // repeats the starts under their first keys
  await fleet.start(ordersOf(kinds, COUNT, "newer"));
  await waitForEffects(account, 0.1 + 0.3 * chance(), kinds);
  const cancelable: Started[] = [];
  for (const [n, one] of waiting(fleet).entries()) {
    if (n % 3 === 0) await fleet.release(one);
    else if (n % 3 === 1 && (await fleet.standingOf(one.id))?.states.includes("asleep") === true) cancelable.push(one);
  }
  return cancelable.slice(0, 2);
}

async function rolledBack(
  account: Account,
  fleet: Fleet,
  kinds: readonly Kind[],
  cancelable: readonly Started[],
  since: number,
): Promise<void> {
  const standings = await Promise.all(
    fleet.all().map(async (one) => ({ one, standing: await fleet.standingOf(one.id) })),
  );
  const apart = standings.flatMap(({ one, standing }) => (standing === null ? [one] : []));
  const known = standings.flatMap(({ one, standing }) => (standing === null ? [] : [one]));
  say(`${apart.length} of ${standings.length} are quarantined`);
  await fleet.start(known); // repeats the starts under their first keys
  for (const one of apart) await fleet.refusesToStart(one);
  await fleet.start(ordersOf(kinds, COUNT, "back"));
  for (const [n, one] of waiting(fleet).entries()) if (n % 3 === 2) await fleet.release(one);

  let listed: ReadonlyMap<string, string> = new Map();
  await waitUntil(
    () => `${apart.length} to be listed as quarantined, not ${listed.size}`,
    async () => {
      listed = await fleet.apartNow();
      return listed.size === apart.length && apart.every(({ id }) => listed.has(id));
    },
  );
  const [reason] = listed.values();
  if (reason !== undefined) say(`listed as: ${reason}`);
  const isApart = (one: Started): boolean => apart.some(({ id }) => id === one.id);
  for (const one of cancelable.filter(isApart)) await fleet.cancel(one);
  await waitForEffects(account, 0.1 + 0.2 * chance(), kinds);
  const ids = new Set(apart.map(({ id }) => id));
  const sent = (await fleet.effectsSince(since)).filter((effect) => ids.has(effect.split("/")[0] ?? ""));
  if (sent.length > 0) throw new Error(`${sent.length} calls of quarantined executions, such as ${sent[0]}`);
}

async function finishUpgrade(
  account: Account,
  fleet: Fleet,
  kinds: readonly Kind[],
  cancelable: readonly Started[],
): Promise<void> {
  const before = (await fleet.apartNow()).size;
  const isEmpty = async (): Promise<boolean> => (await fleet.apartNow()).size === 0;
  const isBack = becomesTrueWithin(RESTORED_WITHIN_MS, isEmpty);
  await fleet.start(ordersOf(kinds, COUNT, "end"));
  if (!(await isBack)) {
    const left = await fleet.apartNow();
    say(`${left.size} of ${before} quarantined executions were not restored automatically, and were poked`);
    for (const id of left.keys()) await fleet.poke(id);
    await waitUntil("no quarantined executions", isEmpty);
  }
  say(`${before} were quarantined, and none is now`);

  const canceled = await canceledOf(fleet, cancelable);
  const orders = fleet.all().filter((one) => !canceled.some(({ id }) => id === one.id));
  await fleet.start(orders); // repeats the starts under their first keys
  await waitUntil("all executions that wait for an event", async () => {
    const alive = waiting(fleet).filter((one) => !canceled.some(({ id }) => id === one.id));
    const standings = await Promise.all(alive.map((one) => fleet.release(one)));
    return standings.every((standing) => standing !== null && /asleep|after|done/.test(standing.states.join(" ")));
  });
  const ids = orders.map(({ id }) => id);
  await account.everyOneCompletes(ids);
  const byKey = new Map(orders.map(({ key, id }) => [key, id]));
  const expected = [...effectsOf(orders, byKey), ...canceled.map(({ id }) => effectOf(id, "before"))];
  const repeats = await account.everyEffectHappenedOnce(expected);
  const told = await account.listsAgree(ids);
  if ((await fleet.deadLetters()) > 0) throw new Error("there are dead letters");
  say(`${ids.length} executions, ${expected.length} effects; ${repeats} calls repeated under their own key`);
  say(`${canceled.length} were canceled while quarantined; the lists of ${told} were updated again`);
}

/** Returns the executions that the drill canceled on the older engine and that are still canceled. */
async function canceledOf(fleet: Fleet, cancelable: readonly Started[]): Promise<readonly Started[]> {
  const standings = await Promise.all(cancelable.map((one) => fleet.standingOf(one.id)));
  return cancelable.filter((_one, n) => standings[n]?.status === "canceled");
}

function waiting(fleet: Fleet): readonly Started[] {
  return fleet.all().filter(({ kind }) => kind.name.endsWith("-waits"));
}

/** Waits until a share of a load's effects has happened, or for some seconds. */
async function waitForEffects(account: Account, share: number, kinds: readonly Kind[]): Promise<void> {
  const perOne = kinds.reduce((sum, { actions }) => sum + actions.length, 0) / kinds.length;
  const until = (await account.countEffects()) + Math.round(share * COUNT * perOne);
  await becomesTrueWithin(2_000 + 6_000 * chance(), async () => (await account.countEffects()) >= until);
}

/** Kills the running engine, and starts this one on the same state. */
async function switchTo(what: string, root: string | undefined): Promise<EngineProcess & { readonly since: number }> {
  await now.life?.kill();
  const since = Date.now();
  const life = await startEngine({ ...place, ...(root === undefined ? {} : { root }) });
  now.life = life;
  say(what);
  return { ...life, since };
}

/** Reads the commit that scripts/record-release.ts stored. */
function lastRelease(): string {
  const file = join(import.meta.dirname, "previous-release.json");
  return z.object({ commit: z.string() }).parse(JSON.parse(readFileSync(file, "utf8"))).commit;
}

function say(line: string): void {
  console.log(`${((performance.now() - began) / 1_000).toFixed(1).padStart(6)} s  ${line}`);
}
