// What workloads have in common: the work that contenders are given, a client for as long as it takes, and what is said
// of how long things took.
import type { Task } from "../contender.ts";
import { openClient, type Client, type Driven } from "../drive.ts";
import { percentile } from "../meter.ts";
import type { Bench } from "../row.ts";
import { LAST } from "../sink.ts";

export function task({ sink }: Bench, query = ""): Task {
  return { url: sink.url + query, actions: ["a", "b", LAST], sleepMs: 0, retryMs: 100, attempts: 10 };
}

export function sleeping({ sink }: Bench, sleepMs: number): Task {
  return { url: sink.url, actions: [LAST], sleepMs, retryMs: 100, attempts: 10 };
}

export async function withClient<T>(
  { hosted }: Bench,
  work: Task,
  connections: number,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const client = openClient(await hosted.prepare(work), connections);
  try {
    return await use(client);
  } finally {
    client.close();
  }
}

export function spread({ latencies, failedStarts, failure }: Driven) {
  const [p50, p95, max] = [0.5, 0.95, 1].map((share) => percentile(latencies, share));
  return { p50: p50 ?? null, p95: p95 ?? null, max: max ?? null, failedStarts, failure };
}
