// The workloads. Each is run for each of its contenders on a fresh host, and gives one row of plain numbers.
import { atOnceMax, calendar } from "./calendar.ts";
import { clock } from "./clock.ts";
import { contenders, type Contender, type Hosted, type Task } from "./contender.ts";
import { burst, closedBatches, closedLoop, newRef, openClient, pause, type Client, type Driven } from "./drive.ts";
import { percentile, usage, type Usage } from "./meter.ts";
import type { Scale } from "./scale.ts";
import { LAST, type Sink } from "./sink.ts";

export type Row = {
  readonly workload: string;
  readonly contender: string;
  readonly perSecond?: number | null;
  readonly p50?: number | null;
  readonly p95?: number | null;
  readonly max?: number | null;
  readonly p99?: number | null;
  /** The same before the neighbour came. */
  readonly quietP99?: number | null;
  readonly cpuMs?: number | null;
  readonly kibibytes?: number | null;
  readonly kibWritten?: number | null;
  readonly completed?: number;
  readonly asked?: number;
  readonly seconds?: number;
  /** Calls that were answered 200 and came again all the same. */
  readonly repeats: number;
  readonly failedStarts: number;
  /** What the first of them was told. */
  readonly failure: string | null;
};

export type Workload = {
  readonly name: string;
  readonly title: string;
  readonly contenders: readonly Contender[];
  /** Those that even a smoke run takes. */
  readonly inQuick: readonly Contender[];
  readonly run: (bench: Bench) => Promise<Measured>;
};

export type Bench = { readonly hosted: Hosted; readonly sink: Sink; readonly scale: Scale };
export type Measured = Omit<Row, "workload" | "contender" | "repeats">;

const { workflows, ownAuto, ownQueue, pooledAuto, pooledQueue, standalone, recurring, alarms, bare } = contenders;
const all = [workflows, ownAuto, ownQueue, pooledAuto, pooledQueue];
const automatic = [workflows, ownAuto, pooledAuto];
/** The limit beside them. */
const withBare = [...all, bare];

const CONCURRENCY = 32;
/** With fewer, a second of waiting would limit what anybody can do. */
const SLOW_CONCURRENCY = 64;
const BURST_CONNECTIONS = 500;
/** A tenant who is not in a hurry. */
const MODEST_CONCURRENCY = 4;
/** What its neighbour has under way: slow actions by their timeout, and slow indeed. */
const FLOOD = { count: 400, delayMs: 8_000, timeoutMs: 60_000 } as const;
const BATCH = 100;
/** Each waits for the slowest of its hundred; with several, others are busy meanwhile. */
const BATCHES = 4;

export const workloads: readonly Workload[] = [
  {
    name: "throughput",
    title: "three actions, 32 executions at once, each start with a key",
    contenders: withBare,
    inQuick: [workflows, ownQueue, pooledAuto],
    run: (bench) => closed(bench, task(bench), CONCURRENCY),
  },
  {
    name: "single",
    title: "one action, 32 at once, each start a request with a key",
    contenders: [workflows, pooledAuto, standalone, bare],
    inQuick: [],
    run: (bench) => closed(bench, sleeping(bench, 0), CONCURRENCY),
  },
  {
    name: "batched",
    title: `one action, started by the hundred, ${BATCHES} requests at once`,
    contenders: [ownAuto, pooledAuto, standalone],
    inQuick: [standalone],
    run: batched,
  },
  {
    name: "latency",
    title: "three actions, one execution at a time",
    contenders: withBare,
    inQuick: [],
    run: (bench) => closed(bench, task(bench), 1),
  },
  {
    name: "failing",
    title: "three in ten answers are 503; retries after 100 ms",
    contenders: [...automatic, bare],
    inQuick: [],
    run: (bench) => closed(bench, task(bench, "?status=503&share=0.3"), CONCURRENCY),
  },
  {
    name: "slow",
    title: "one action in twenty takes a second, 64 executions at once",
    contenders: all,
    inQuick: [],
    run: (bench) => closed(bench, task(bench, "?delayMs=1000&slowShare=0.05"), SLOW_CONCURRENCY),
  },
  {
    name: "timers",
    title: "timers at once: how late the call goes out, counted from the request to start",
    contenders: automatic,
    inQuick: [ownAuto],
    run: timers,
  },
  {
    name: "recurring",
    title: "recurring actions due over the seconds of one minute: how late the calls go out",
    contenders: [alarms, recurring],
    inQuick: [recurring],
    run: (bench) => calendar(bench, { count: bench.scale.recurring, over: "minute" }, sleeping(bench, 0)),
  },
  {
    name: "same-second",
    title: "recurring actions due at the same second: how late the calls go out",
    contenders: [alarms, recurring],
    inQuick: [],
    run: (bench) => calendar(bench, { count: mostAtOnce(bench), over: "second" }, sleeping(bench, 0)),
  },
  {
    name: "burst",
    title: "a burst of starts over 500 connections, three actions each",
    contenders: all,
    inQuick: [pooledQueue],
    run: bursting,
  },
  {
    name: "neighbour",
    title: `three actions, ${MODEST_CONCURRENCY} executions at once, beside another tenant's ${FLOOD.count} slow actions`,
    contenders: [pooledAuto, pooledQueue],
    inQuick: [pooledQueue],
    run: besideFlood,
  },
  {
    name: "memory",
    title: "memory of executions that sleep",
    contenders: automatic,
    inQuick: [],
    run: memory,
  },
];

function mostAtOnce({ scale }: Bench): number {
  return Math.min(scale.recurring, atOnceMax());
}

function task({ sink }: Bench, query = ""): Task {
  return { url: sink.url + query, actions: ["a", "b", LAST], sleepMs: 0, retryMs: 100, attempts: 10 };
}

function sleeping({ sink }: Bench, sleepMs: number): Task {
  return { url: sink.url, actions: [LAST], sleepMs, retryMs: 100, attempts: 10 };
}

function closed(bench: Bench, work: Task, concurrency: number): Promise<Measured> {
  const { sink } = bench;
  const drive = (client: Client, ms: number) => closedLoop(client, sink, concurrency, ms);
  return withClient(bench, work, concurrency, (client) => steadily(bench, (ms) => drive(client, ms)));
}

function batched(bench: Bench): Promise<Measured> {
  const drive = (client: Client, ms: number) => closedBatches(client, bench.sink, { at: BATCHES, size: BATCH, ms });
  return withClient(bench, sleeping(bench, 0), BATCHES, (client) => steadily(bench, (ms) => drive(client, ms)));
}

async function steadily({ sink, scale }: Bench, drive: (ms: number) => Promise<Driven>): Promise<Measured> {
  await drive(scale.warmUpMs);
  await sink.tally();
  const before = usage();
  const from = clock();
  const driven = await drive(scale.seconds * 1_000);
  const after = usage();
  const inTime = driven.arrivals.filter((at) => at < from + scale.seconds * 1_000).length;
  const each = (of: (usage: Usage) => number): number | null =>
    before && after ? (of(after) - of(before)) / driven.arrivals.length : null;
  const kibWritten = each(({ writtenBytes }) => writtenBytes / 1_024);
  return { perSecond: inTime / scale.seconds, ...spread(driven), cpuMs: each(({ cpuMs }) => cpuMs), kibWritten };
}

/** Lateness counts everything from the request to start, so that a start that is slow to be taken in counts, too. */
async function timers(bench: Bench): Promise<Measured> {
  const { sink, scale } = bench;
  return withClient(bench, sleeping(bench, scale.timerMs), CONCURRENCY, async (client) => {
    const driven = await burst(client, sink, { count: scale.timers, concurrency: CONCURRENCY });
    const latencies = driven.latencies.map((latency) => latency - scale.timerMs);
    return { ...spread({ ...driven, latencies }), asked: scale.timers, completed: driven.arrivals.length };
  });
}

async function bursting(bench: Bench): Promise<Measured> {
  const { sink, scale } = bench;
  return withClient(bench, task(bench), BURST_CONNECTIONS, async (client) => {
    const from = clock();
    const driven = await burst(client, sink, { count: scale.burst, concurrency: BURST_CONNECTIONS });
    const seconds = ((percentile(driven.arrivals, 1) ?? from) - from) / 1_000;
    const completed = driven.arrivals.length;
    return { ...spread(driven), asked: scale.burst, completed, seconds, perSecond: completed / seconds };
  });
}

/** First alone, then while the neighbour's actions, of some seconds each, are all under way or in line. */
async function besideFlood(bench: Bench): Promise<Measured> {
  const { hosted, sink, scale } = bench;
  const { prepareNeighbour } = hosted;
  if (prepareNeighbour === undefined) throw new Error("it has no tenants");
  const drive = (client: Client, ms: number) => closedLoop(client, sink, MODEST_CONCURRENCY, ms);
  return withClient(bench, task(bench), MODEST_CONCURRENCY, async (client) => {
    await drive(client, scale.warmUpMs);
    const quiet = await drive(client, scale.seconds * 1_000);
    const url = `${sink.url}?delayMs=${FLOOD.delayMs}&slowShare=1`;
    const slow: Task = { ...sleeping(bench, 0), url, timeoutMs: FLOOD.timeoutMs };
    const flood = openClient(await prepareNeighbour(slow), BATCHES);
    const refs = Array.from({ length: FLOOD.count }, newRef);
    const started = [];
    for (let from = 0; from < refs.length; from += BATCH) started.push(flood.startMany(refs.slice(from, from + BATCH)));
    const failedStarts = (await Promise.all(started)).filter((ok) => !ok).length * BATCH;
    // They have all been sent out; what it costs to begin them is not what is asked here.
    await pause(1_000);
    const driven = await drive(client, scale.seconds * 1_000);
    flood.close();
    const quietP99 = percentile(quiet.latencies, 0.99);
    const failed = { failedStarts: driven.failedStarts + failedStarts, failure: driven.failure ?? flood.failure() };
    return { ...spread(driven), p99: percentile(driven.latencies, 0.99), quietP99, ...failed };
  });
}

/** What is there once is not counted: an execution has run before the first reading is taken. */
async function memory(bench: Bench): Promise<Measured> {
  const { sink, scale } = bench;
  const warm = await withClient(bench, task(bench), CONCURRENCY, (client) =>
    closedLoop(client, sink, CONCURRENCY, scale.warmUpMs),
  );
  return withClient(bench, sleeping(bench, 3_600_000), CONCURRENCY, async (client) => {
    await pause(1_000);
    const before = usage();
    let { failedStarts } = warm;
    for (let left = scale.sleepers; left > 0; left -= CONCURRENCY) {
      const size = Math.min(CONCURRENCY, left);
      const started = await Promise.all(Array.from({ length: size }, (_, n) => client.start(`asleep-${left}-${n}`)));
      failedStarts += started.filter((ok) => !ok).length;
    }
    await pause(3_000);
    const after = usage();
    const bytes = before && after ? (after.residentBytes - before.residentBytes) / scale.sleepers : null;
    return {
      kibibytes: bytes === null ? null : bytes / 1_024,
      asked: scale.sleepers,
      failedStarts,
      failure: client.failure(),
    };
  });
}

async function withClient<T>(
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

function spread({ latencies, failedStarts, failure }: Driven) {
  const [p50, p95, max] = [0.5, 0.95, 1].map((share) => percentile(latencies, share));
  return { p50: p50 ?? null, p95: p95 ?? null, max: max ?? null, failedStarts, failure };
}
