// Shared parts of workloads: the tasks, a client that is closed after use, and the percentiles of the measured times.
import type { Task } from "../contender.ts";
import { openClient, type Client, type LoadResult } from "../drive.ts";
import { percentile } from "../meter.ts";
import type { Bench } from "../row.ts";
import { LAST_ACTION } from "../sink.ts";

export function threeActions({ sink }: Pick<Bench, "sink">, query = ""): Task {
  return { url: sink.url + query, actions: ["a", "b", LAST_ACTION], sleepMs: 0, retryMs: 100, attempts: 10 };
}

/** Four steps, then the last action. A contender chooses how it calls the steps. */
export function fourSteps(bench: Pick<Bench, "sink">): Task {
  return { ...threeActions(bench), actions: ["s1", "s2", "s3", "s4", LAST_ACTION] };
}

export function oneAction({ sink }: Pick<Bench, "sink">, sleepMs: number): Task {
  return { url: sink.url, actions: [LAST_ACTION], sleepMs, retryMs: 100, attempts: 10 };
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

export function percentilesOf({ latencies, acks, failedStarts, failure }: LoadResult) {
  const at = (share: number) => percentile(latencies, share);
  const acknowledged = { ackP50: percentile(acks, 0.5), ackP99: percentile(acks, 0.99) };
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1), ...acknowledged, failedStarts, failure };
}
