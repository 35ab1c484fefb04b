// Sleeper folders: prepares state folders that differ only in how many executions sleep in their cell. The engine
// creates the first thousands; `multiply` adds copies while the engine is stopped.
import { randomBytes } from "node:crypto";
import { cpSync } from "node:fs";
import { startEngine, freePort, type EngineProcess } from "../../test/crash/life.ts";
import type { StartCall } from "../contender.ts";
import { runClosedLoop, newRef, openClient, pause, type Client } from "../drive.ts";
import { connectEngine } from "../engine.ts";
import type { Sink } from "../sink.ts";
import { newStateDir } from "../state.ts";
import { BATCH_SIZE } from "../workloads/steady.ts";
import { oneAction, threeActions } from "../workloads/work.ts";
import { copySleepers } from "./multiply.ts";

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
const STARTED_SLEEPERS = 6_000;
/** Pause between batches. It keeps the start rate below the rate at which a pool grows. */
const BATCH_EVERY_MS = 300;
const WARM_UP = { concurrency: 8, ms: 2_000 };
const SETTLE_MS = 5_000;

export async function prepareFolders(
  sink: Sink,
  counts: readonly number[],
  tell: (line: string) => void,
): Promise<Folder[]> {
  const rootKey = `root-${randomBytes(16).toString("hex")}`;
  const first = await startEngineOn(newStateDir(), rootKey);
  const engine = await connectEngine(first.life.engineUrl, rootKey, "pooled", "auto");
  const call = await engine.prepare(threeActions({ sink }));
  const asleep = await engine.prepare(oneAction({ sink }, SLEEP_MS));
  const awake = openClient(call, WARM_UP.concurrency);
  await runClosedLoop(awake, sink, WARM_UP.concurrency, WARM_UP.ms);
  awake.close();
  const empty = await killWhenIdle(first);
  const second = await startEngineOn(copyOf(empty), rootKey);
  const filling = openClient(callTo(asleep, second.life), 1, { retriesUnanswered: true });
  await startSleepers(filling, STARTED_SLEEPERS);
  filling.close();
  const some = await killWhenIdle(second);
  return counts.map((count) => {
    const stateDir = copyOf(count === 0 ? empty : some);
    if (count > 0) copySleepers(stateDir, count, Date.now() + SLEEPS_BEYOND_MS);
    tell(`a folder with ${count} is made`);
    return { count, stateDir, rootKey, call };
  });
}

export async function startEngineIn({ stateDir, rootKey, call }: Folder) {
  const { life } = await startEngineOn(stateDir, rootKey);
  return { life, call: callTo(call, life) };
}

type RunningEngine = { readonly life: EngineProcess; readonly stateDir: string };

async function startEngineOn(stateDir: string, rootKey: string): Promise<RunningEngine> {
  const ports = { port: await freePort(), sandboxPort: await freePort() };
  return { life: await startEngine({ stateDir, rootKey, ...ports }), stateDir };
}

/** Waits until the engine has stored and sent everything that it keeps in memory, and kills it. */
async function killWhenIdle({ life, stateDir }: RunningEngine): Promise<string> {
  await pause(SETTLE_MS);
  await life.kill();
  return stateDir;
}

function copyOf(stateDir: string): string {
  const copy = newStateDir();
  cpSync(stateDir, copy, { recursive: true });
  return copy;
}

function callTo(call: StartCall, { engineUrl }: EngineProcess): StartCall {
  return { ...call, url: new URL(call.url.pathname, engineUrl) };
}

async function startSleepers(client: Client, count: number): Promise<void> {
  for (let left = count; left > 0; left -= BATCH_SIZE) {
    const refs = Array.from({ length: Math.min(BATCH_SIZE, left) }, newRef);
    const [isTaken] = await Promise.all([client.startMany(refs), pause(BATCH_EVERY_MS)]);
    if (!isTaken) throw new Error(`sleepers were refused: ${client.failure()}`);
  }
}
