// Steady workloads: keep a fixed number of executions at once for some seconds, after a warm-up that is not measured.
import { clock } from "../clock.ts";
import type { Task } from "../contender.ts";
import { closedBatches, closedLoop, type Client, type Driven } from "../drive.ts";
import { usage, type Usage } from "../meter.ts";
import type { Bench, Measured } from "../row.ts";
import type { Scale } from "../scale.ts";
import type { Sink } from "../sink.ts";
import { sleeping, spread, withClient } from "./work.ts";

export const BATCH = 100;
/** Batches at once. A batch waits for its slowest execution, so several of them keep the contender busy. */
export const BATCHES = 4;

export function closed(bench: Bench, work: Task, concurrency: number): Promise<Measured> {
  const { sink } = bench;
  const drive = (client: Client, ms: number) => closedLoop(client, sink, concurrency, ms);
  return withClient(bench, work, concurrency, (client) => steadily(bench, (ms) => drive(client, ms)));
}

export function batched(bench: Bench): Promise<Measured> {
  const drive = (client: Client, ms: number) => closedBatches(client, bench.sink, { at: BATCHES, size: BATCH, ms });
  return withClient(bench, sleeping(bench, 0), BATCHES, (client) => steadily(bench, (ms) => drive(client, ms)));
}

type Steady = { readonly sink: Sink; readonly scale: Pick<Scale, "seconds" | "warmUpMs"> };

/** `of`: the process whose workerd children are measured. Default: the bench's own process. */
export async function steadily(
  { sink, scale }: Steady,
  drive: (ms: number) => Promise<Driven>,
  of?: number,
): Promise<Measured> {
  await drive(scale.warmUpMs);
  await sink.tally();
  const before = usage(of);
  const from = clock();
  const driven = await drive(scale.seconds * 1_000);
  const after = usage(of);
  const inTime = driven.arrivals.filter((at) => at < from + scale.seconds * 1_000).length;
  const each = (of: (usage: Usage) => number): number | null =>
    before && after ? (of(after) - of(before)) / driven.arrivals.length : null;
  const kibWritten = each(({ writtenBytes }) => writtenBytes / 1_024);
  return { perSecond: inTime / scale.seconds, ...spread(driven), cpuMs: each(({ cpuMs }) => cpuMs), kibWritten };
}
