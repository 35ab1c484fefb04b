// Timers, and how late what hangs on them is.
import { burst } from "../drive.ts";
import type { Bench, Measured } from "../row.ts";
import { sleeping, spread, withClient } from "./work.ts";

const CONCURRENCY = 32;

/** Lateness counts everything from the request to start, so that a start that is slow to be taken in counts, too. */
export async function timers(bench: Bench): Promise<Measured> {
  const { sink, scale } = bench;
  return withClient(bench, sleeping(bench, scale.timerMs), CONCURRENCY, async (client) => {
    const driven = await burst(client, sink, { count: scale.timers, concurrency: CONCURRENCY });
    const latencies = driven.latencies.map((latency) => latency - scale.timerMs);
    return { ...spread({ ...driven, latencies }), asked: scale.timers, completed: driven.arrivals.length };
  });
}
