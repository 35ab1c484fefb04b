// Memory workload: measures the memory of sleeping executions.
import { runClosedLoop, pause } from "../drive.ts";
import { readUsage } from "../meter.ts";
import type { Bench, Measurement } from "../row.ts";
import { oneAction, threeActions, withClient } from "./work.ts";

const CONCURRENCY = 32;

/**
 * Measures memory per sleeping execution. One load runs before the first reading, so that memory that is allocated once
 * does not count.
 */
export async function measureMemory(bench: Bench): Promise<Measurement> {
  const { sink, scale } = bench;
  const warm = await withClient(bench, threeActions(bench), CONCURRENCY, (client) =>
    runClosedLoop(client, sink, CONCURRENCY, scale.warmUpMs),
  );
  return withClient(bench, oneAction(bench, 3_600_000), CONCURRENCY, async (client) => {
    await pause(1_000);
    const before = readUsage();
    let { failedStarts } = warm;
    for (let left = scale.sleepers; left > 0; left -= CONCURRENCY) {
      const size = Math.min(CONCURRENCY, left);
      const started = await Promise.all(Array.from({ length: size }, (_, n) => client.start(`asleep-${left}-${n}`)));
      failedStarts += started.filter((ok) => !ok).length;
    }
    await pause(3_000);
    const after = readUsage();
    const bytes = before && after ? (after.residentBytes - before.residentBytes) / scale.sleepers : null;
    return {
      kibibytes: bytes === null ? null : bytes / 1_024,
      asked: scale.sleepers,
      failedStarts,
      failure: client.failure(),
    };
  });
}
