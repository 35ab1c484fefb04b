// A burst of starts.
import { clock } from "../clock.ts";
import { burst } from "../drive.ts";
import { percentile } from "../meter.ts";
import type { Bench, Measured } from "../row.ts";
import { spread, task, withClient } from "./work.ts";

const BURST_CONNECTIONS = 500;

export async function bursting(bench: Bench): Promise<Measured> {
  const { sink, scale } = bench;
  return withClient(bench, task(bench), BURST_CONNECTIONS, async (client) => {
    const from = clock();
    const driven = await burst(client, sink, { count: scale.burst, concurrency: BURST_CONNECTIONS });
    const seconds = ((percentile(driven.arrivals, 1) ?? from) - from) / 1_000;
    const completed = driven.arrivals.length;
    return { ...spread(driven), asked: scale.burst, completed, seconds, perSecond: completed / seconds };
  });
}
