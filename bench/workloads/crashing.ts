// Crash workload: kills the contender's process under full load. The client retries unanswered starts under the same
// key, and every accepted execution must complete.
import { runBurst, openClient } from "../drive.ts";
import type { Bench, Measurement } from "../row.ts";
import { percentilesOf, threeActions } from "./work.ts";

const CONNECTIONS = 64;
/** Each call takes a third of a second, so that many calls are in flight when the process is killed. */
const QUERY = "?delayMs=333&slowShare=1";
/** Longer than a minute, after which the engine resends the calls that were in flight when the process was killed. */
const PATIENCE_MS = 100_000;

export async function measureCrash(bench: Bench): Promise<Measurement> {
  const { hosted, sink, scale } = bench;
  const { killAndRestart } = hosted;
  if (killAndRestart === undefined) throw new Error("it cannot be killed");
  const client = openClient(await hosted.prepare(threeActions(bench, QUERY)), CONNECTIONS, { retriesUnanswered: true });
  let crash: Promise<void> | null = null;
  const progress = (through: number): void => {
    if (through >= scale.crashed / 4) crash ??= killAndRestart();
  };
  try {
    const asked = { count: scale.crashed, concurrency: CONNECTIONS, patienceMs: PATIENCE_MS, progress };
    const driven = await runBurst(client, sink, asked);
    if (crash === null) throw new Error("it was never killed");
    await crash;
    const completed = driven.arrivals.length;
    return { ...percentilesOf(driven), asked: scale.crashed, completed, lost: scale.crashed - completed };
  } finally {
    client.close();
  }
}
