// Burst workload: sends all starts at once, each on its own connection. The client retries a start after a 503.
import { clock } from "../clock.ts";
import { burst, openClient } from "../drive.ts";
import { percentile } from "../meter.ts";
import type { Bench, Measured } from "../row.ts";
import { spread, task } from "./work.ts";

export async function bursting(bench: Bench): Promise<Measured> {
  const { hosted, sink, scale } = bench;
  const client = openClient(await hosted.prepare(task(bench)), scale.burst, { insists: true });
  try {
    const from = clock();
    const driven = await burst(client, sink, { count: scale.burst, concurrency: scale.burst });
    const seconds = ((percentile(driven.arrivals, 1) ?? from) - from) / 1_000;
    const completed = driven.arrivals.length;
    const [busy, broken] = [client.answers(503), client.answers(500)];
    return { ...spread(driven), busy, broken, asked: scale.burst, completed, seconds, perSecond: completed / seconds };
  } finally {
    client.close();
  }
}
