// Burst workload: sends all starts at once, each on its own connection. The client retries a start after a 503.
import { clock } from "../clock.ts";
import { runBurst, openClient } from "../drive.ts";
import { percentile } from "../meter.ts";
import type { Bench, Measurement } from "../row.ts";
import { percentilesOf, threeActions } from "./work.ts";

export async function measureBurst(bench: Bench): Promise<Measurement> {
  const { hosted, sink, scale } = bench;
  const client = openClient(await hosted.prepare(threeActions(bench)), scale.burst, { retriesUnanswered: true });
  try {
    const from = clock();
    const driven = await runBurst(client, sink, { count: scale.burst, concurrency: scale.burst });
    const seconds = ((percentile(driven.arrivals, 1) ?? from) - from) / 1_000;
    const completed = driven.arrivals.length;
    const [busy, broken] = [client.answers(503), client.answers(500)];
    return {
      ...percentilesOf(driven),
      busy,
      broken,
      asked: scale.burst,
      completed,
      seconds,
      perSecond: completed / seconds,
    };
  } finally {
    client.close();
  }
}
