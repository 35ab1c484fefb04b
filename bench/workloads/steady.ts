// Steady workloads: keep a fixed number of executions at once for some seconds, after a warm-up that is not measured.
import { clock } from "../clock.ts";
import type { Task } from "../contender.ts";
import { runClosedBatches, runClosedLoop, type Client, type LoadResult } from "../drive.ts";
import { readUsage, type Usage } from "../meter.ts";
import type { Bench, Measurement } from "../row.ts";
import type { Scale } from "../scale.ts";
import type { Sink } from "../sink.ts";
import { oneAction, percentilesOf, withClient } from "./work.ts";

export const BATCH_SIZE = 100;
/** Batches at once. A batch waits for its slowest execution, so several of them keep the contender busy. */
export const BATCHES_AT_ONCE = 4;

export function measureClosedLoop(bench: Bench, work: Task, concurrency: number): Promise<Measurement> {
  const { sink } = bench;
  const drive = (client: Client, ms: number) => runClosedLoop(client, sink, concurrency, ms);
  return withClient(bench, work, concurrency, (client) => measureSteady(bench, (ms) => drive(client, ms)));
}

export function measureBatches(bench: Bench): Promise<Measurement> {
  const drive = (client: Client, ms: number) =>
    runClosedBatches(client, bench.sink, { workers: BATCHES_AT_ONCE, size: BATCH_SIZE, ms });
  return withClient(bench, oneAction(bench, 0), BATCHES_AT_ONCE, (client) =>
    measureSteady(bench, (ms) => drive(client, ms)),
  );
}

type Steady = { readonly sink: Sink; readonly scale: Pick<Scale, "seconds" | "warmUpMs"> };

/** `of`: the process whose workerd children are measured. Default: the bench's own process. */
export async function measureSteady(
  { sink, scale }: Steady,
  drive: (ms: number) => Promise<LoadResult>,
  of?: number,
): Promise<Measurement> {
  await drive(scale.warmUpMs);
  await sink.resetTally();
  const before = readUsage(of);
  const from = clock();
  const driven = await drive(scale.seconds * 1_000);
  const after = readUsage(of);
  const inTime = driven.arrivals.filter((at) => at < from + scale.seconds * 1_000).length;
  const each = (of: (usage: Usage) => number): number | null =>
    before && after ? (of(after) - of(before)) / driven.arrivals.length : null;
  const kibWritten = each(({ writtenBytes }) => writtenBytes / 1_024);
  return { perSecond: inTime / scale.seconds, ...percentilesOf(driven), cpuMs: each(({ cpuMs }) => cpuMs), kibWritten };
}
