// Crash workload: kills the contender's process under full load. The client retries unanswered starts under the same
// key, and every accepted execution must complete.
import { burst, openClient } from "../drive.ts";
import type { Bench, Measured } from "../row.ts";
import { spread, task } from "./work.ts";

const CONNECTIONS = 64;
/** Each call takes a third of a second, so that many calls are in flight when the process is killed. */
const QUERY = "?delayMs=333&slowShare=1";
/** Longer than a minute, after which the engine resends the calls that were in flight when the process was killed. */
const PATIENCE_MS = 100_000;

export async function crashing(bench: Bench): Promise<Measured> {
  const { hosted, sink, scale } = bench;
  const { crash } = hosted;
  if (crash === undefined) throw new Error("it cannot be killed");
  const client = openClient(await hosted.prepare(task(bench, QUERY)), CONNECTIONS, { insists: true });
  let crashed: Promise<void> | null = null;
  const progress = (through: number): void => {
    if (through >= scale.crashed / 4) crashed ??= crash();
  };
  try {
    const asked = { count: scale.crashed, concurrency: CONNECTIONS, patienceMs: PATIENCE_MS, progress };
    const driven = await burst(client, sink, asked);
    if (crashed === null) throw new Error("it was never killed");
    await crashed;
    const completed = driven.arrivals.length;
    return { ...spread(driven), asked: scale.crashed, completed, lost: scale.crashed - completed };
  } finally {
    client.close();
  }
}
