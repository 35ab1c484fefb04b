// Neighbour workload: measures a tenant with little load, first alone and then while another tenant floods the
// installation.
import type { Task } from "../contender.ts";
import { runClosedLoop, newRef, openClient, pause, type Client } from "../drive.ts";
import { percentile } from "../meter.ts";
import type { Bench, Measurement } from "../row.ts";
import { BATCH_SIZE, BATCHES_AT_ONCE } from "./steady.ts";
import { oneAction, percentilesOf, threeActions, withClient } from "./work.ts";

/** Executions at once of the tenant with little load. */
export const MODEST_CONCURRENCY = 4;
/**
 * The other tenant's load: actions that take eight seconds and have a timeout of a minute, so the engine treats them as
 * slow.
 */
export const FLOOD = { count: 400, delayMs: 8_000, timeoutMs: 60_000 } as const;

/** Measures the tenant alone, and then while the neighbour's actions are in flight or queued. */
export async function measureBesideFlood(bench: Bench): Promise<Measurement> {
  const { hosted, sink, scale } = bench;
  const { prepareNeighbour } = hosted;
  if (prepareNeighbour === undefined) throw new Error("it has no tenants");
  const drive = (client: Client, ms: number) => runClosedLoop(client, sink, MODEST_CONCURRENCY, ms);
  return withClient(bench, threeActions(bench), MODEST_CONCURRENCY, async (client) => {
    await drive(client, scale.warmUpMs);
    const quiet = await drive(client, scale.seconds * 1_000);
    const url = `${sink.url}?delayMs=${FLOOD.delayMs}&slowShare=1`;
    const slow: Task = { ...oneAction(bench, 0), url, timeoutMs: FLOOD.timeoutMs };
    const flood = openClient(await prepareNeighbour(slow), BATCHES_AT_ONCE);
    const refs = Array.from({ length: FLOOD.count }, newRef);
    const started = [];
    for (let from = 0; from < refs.length; from += BATCH_SIZE)
      started.push(flood.startMany(refs.slice(from, from + BATCH_SIZE)));
    const failedStarts = (await Promise.all(started)).filter((ok) => !ok).length * BATCH_SIZE;
    // After this pause all of the neighbour's actions are sent, so starting them is not measured.
    await pause(1_000);
    const driven = await drive(client, scale.seconds * 1_000);
    flood.close();
    const quietP99 = percentile(quiet.latencies, 0.99);
    const failed = { failedStarts: driven.failedStarts + failedStarts, failure: driven.failure ?? flood.failure() };
    return { ...percentilesOf(driven), quietP99, ...failed };
  });
}
