// The client: starts executions over HTTP and waits for the sink's word that they are through. node:http with
// kept-alive connections, because Node's fetch costs more than what is measured.
import { Agent, request } from "node:http";
import { clock } from "./clock.ts";
import type { StartCall } from "./contender.ts";
import type { Sink } from "./sink.ts";

export type Driven = {
  /** From the request to the sink's answer to the last action. */
  readonly latencies: readonly number[];
  /** When they were through. */
  readonly arrivals: readonly number[];
  readonly failedStarts: number;
  readonly failure: string | null;
};

export type Client = {
  /** False: it was refused, or broke off; `failure` says how the first one did. */
  readonly start: (ref: string) => Promise<boolean>;
  readonly startMany: (refs: readonly string[]) => Promise<boolean>;
  readonly failure: () => string | null;
  readonly close: () => void;
};

export function openClient(call: StartCall, connections: number): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const { hostname, port, pathname } = call.url;
  const { batch } = call;
  let failure: string | null = null;
  const post = (path: string, body: string, ref: string): Promise<boolean> =>
    new Promise((resolve) => {
      const fail = (why: string): void => {
        failure ??= why;
        resolve(false);
      };
      const key = call.isKeyed ? { "Idempotency-Key": ref } : {};
      const headers = { ...call.headers, ...key, "Content-Length": Buffer.byteLength(body) };
      const asked = request({ agent, hostname, port, path, method: "POST", headers }, (response) => {
        const { statusCode } = response;
        response.on("error", ({ message }) => fail(message));
        if (statusCode === 201 || statusCode === 200) response.on("end", () => resolve(true)).resume();
        else response.setEncoding("utf8").once("data", (text: string) => fail(`${statusCode} ${text.slice(0, 300)}`));
      });
      asked.on("error", ({ message }) => fail(message));
      asked.end(body);
    });
  const start = (ref: string): Promise<boolean> => post(pathname, call.body(ref), ref);
  const startMany = async (refs: readonly string[]): Promise<boolean> => {
    if (batch === undefined) throw new Error("it starts nothing by the batch");
    return post(batch.path, batch.body(refs), `${refs[0]}-${refs.at(-1)}`);
  };
  return { start, startMany, failure: () => failure, close: () => agent.destroy() };
}

let refs = 0;
export function newRef(): string {
  refs += 1;
  return `r${refs}`;
}

/** So many at once, each followed by the next as soon as it is through, until the time is over and all are through. */
export async function closedLoop(client: Client, sink: Sink, concurrency: number, ms: number): Promise<Driven> {
  const until = clock() + ms;
  const latencies: number[] = [];
  const arrivals: number[] = [];
  let failedStarts = 0;
  const one = async (): Promise<void> => {
    while (clock() < until) {
      const ref = newRef();
      const through = sink.arrival(ref);
      const asked = clock();
      if (!(await client.start(ref))) {
        failedStarts += 1;
        await pause(10);
        continue;
      }
      const at = await within(GIVE_UP_MS, through);
      if (at === null) return;
      latencies.push(at - asked);
      arrivals.push(at);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, one));
  return { latencies, arrivals, failedStarts, failure: client.failure() };
}

/** The same by the batch: so many requests at once, each followed by the next as soon as all of its own are through. */
export async function closedBatches(client: Client, sink: Sink, { at, size, ms }: Batches): Promise<Driven> {
  const until = clock() + ms;
  const latencies: number[] = [];
  const arrivals: number[] = [];
  let failedStarts = 0;
  const one = async (): Promise<void> => {
    while (clock() < until) {
      const refs = Array.from({ length: size }, newRef);
      const through = refs.map(sink.arrival);
      const asked = clock();
      if (!(await client.startMany(refs))) {
        failedStarts += size;
        await pause(10);
        continue;
      }
      const arrived = await within(GIVE_UP_MS, Promise.all(through));
      if (arrived === null) return;
      latencies.push(...arrived.map((instant) => instant - asked));
      arrivals.push(...arrived);
    }
  };
  await Promise.all(Array.from({ length: at }, one));
  return { latencies, arrivals, failedStarts, failure: client.failure() };
}

export type Batches = { readonly at: number; readonly size: number; readonly ms: number };

/** All starts as fast as they are taken; then waits until all are through, or nothing has happened for a while. */
export async function burst(
  client: Client,
  sink: Sink,
  asked: Burst,
): Promise<Driven & { readonly startedAt: number }> {
  const { count, concurrency, due } = asked;
  const latencies: number[] = [];
  const arrivals: number[] = [];
  let failedStarts = 0;
  let left = count;
  let lastWord = clock();
  const note = async (from: number, arrival: Promise<number>): Promise<void> => {
    const at = await arrival;
    lastWord = clock();
    latencies.push(at - from);
    arrivals.push(at);
  };
  const one = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const ref = newRef();
      void note(due?.at(ref) ?? clock(), sink.arrival(ref));
      if (!(await client.start(ref))) failedStarts += 1;
    }
  };
  await within(BURST_MS + count * BURST_MS_EACH, Promise.all(Array.from({ length: concurrency }, one)));
  const startedAt = clock();
  lastWord = Math.max(startedAt, due?.until ?? 0);
  while (arrivals.length < count && clock() - lastWord < GIVE_UP_MS) await pause(50);
  return { latencies, arrivals, failedStarts, failure: client.failure(), startedAt };
}

export type Burst = {
  readonly count: number;
  readonly concurrency: number;
  /** What a calendar says: each is late from its own instant on, and nobody waits for the last before its time. */
  readonly due?: { readonly at: (ref: string) => number; readonly until: number };
};

/** Longer than any watchdog's first gap would be too long to wait for; what takes this long has been lost. */
const GIVE_UP_MS = 20_000;
const [BURST_MS, BURST_MS_EACH] = [120_000, 50];

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function within<T>(ms: number, work: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
