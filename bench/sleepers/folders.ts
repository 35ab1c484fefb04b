// Sleeper folders: prepares state folders that differ only in how many executions sleep in their cell. The engine
// creates the first thousands; `multiply` adds copies while the engine is stopped.
import { randomBytes } from "node:crypto";
import { cpSync } from "node:fs";
import { begin, freePort, type Life } from "../../test/crash/life.ts";
import type { StartCall } from "../contender.ts";
import { closedLoop, newRef, openClient, pause, type Client } from "../drive.ts";
import { attachEngine } from "../engine.ts";
import type { Sink } from "../sink.ts";
import { newStateDir } from "../state.ts";
import { BATCH } from "../workloads/steady.ts";
import { sleeping, task } from "../workloads/work.ts";
import { multiply } from "./multiply.ts";

export type Folder = {
  readonly count: number;
  readonly stateDir: string;
  readonly rootKey: string;
  readonly call: StartCall;
};

const DAY_MS = 86_400_000;
/**
 * How long a sleeper sleeps. The engine checks ended executions after a week, so a later wake time identifies a
 * sleeper.
 */
const SLEEP_MS = 30 * DAY_MS;
const SLEEPS_BEYOND_MS = 20 * DAY_MS;
/** The number of sleepers that the engine creates itself: more than a cell keeps in memory. */
const MADE = 6_000;
/** Pause between batches. It keeps the start rate below the rate at which a pool grows. */
const BATCH_EVERY_MS = 300;
const WARM_UP = { concurrency: 8, ms: 2_000 };
const SETTLES_MS = 5_000;

export async function folders(sink: Sink, counts: readonly number[], tell: (line: string) => void): Promise<Folder[]> {
  const rootKey = `root-${randomBytes(16).toString("hex")}`;
  const first = await beginOn(newStateDir(), rootKey);
  const engine = await attachEngine(first.life.engineUrl, rootKey, "pooled", "auto");
  const call = await engine.prepare(task({ sink }));
  const asleep = await engine.prepare(sleeping({ sink }, SLEEP_MS));
  const awake = openClient(call, WARM_UP.concurrency);
  await closedLoop(awake, sink, WARM_UP.concurrency, WARM_UP.ms);
  awake.close();
  const empty = await killed(first);
  const second = await beginOn(copyOf(empty), rootKey);
  const filling = openClient(rebased(asleep, second.life), 1, { insists: true });
  await fill(filling, MADE);
  filling.close();
  const some = await killed(second);
  return counts.map((count) => {
    const stateDir = copyOf(count === 0 ? empty : some);
    if (count > 0) multiply(stateDir, count, Date.now() + SLEEPS_BEYOND_MS);
    tell(`a folder with ${count} is made`);
    return { count, stateDir, rootKey, call };
  });
}

export async function beginIn({ stateDir, rootKey, call }: Folder) {
  const { life } = await beginOn(stateDir, rootKey);
  return { life, call: rebased(call, life) };
}

type On = { readonly life: Life; readonly stateDir: string };

async function beginOn(stateDir: string, rootKey: string): Promise<On> {
  const ports = { port: await freePort(), sandboxPort: await freePort() };
  return { life: await begin({ stateDir, rootKey, ...ports }), stateDir };
}

/** Waits until the engine has stored and sent everything that it keeps in memory, and kills it. */
async function killed({ life, stateDir }: On): Promise<string> {
  await pause(SETTLES_MS);
  await life.kill();
  return stateDir;
}

function copyOf(stateDir: string): string {
  const copy = newStateDir();
  cpSync(stateDir, copy, { recursive: true });
  return copy;
}

function rebased(call: StartCall, { engineUrl }: Life): StartCall {
  return { ...call, url: new URL(call.url.pathname, engineUrl) };
}

async function fill(client: Client, count: number): Promise<void> {
  for (let left = count; left > 0; left -= BATCH) {
    const refs = Array.from({ length: Math.min(BATCH, left) }, newRef);
    const [isTaken] = await Promise.all([client.startMany(refs), pause(BATCH_EVERY_MS)]);
    if (!isTaken) throw new Error(`sleepers were refused: ${client.failure()}`);
  }
}
