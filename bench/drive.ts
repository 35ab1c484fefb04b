// Load client: starts executions over HTTP and waits until the sink reports each one complete. It uses node:http with
// kept-alive connections, because Node's fetch costs more CPU than the measured calls.
import { Agent, request } from "node:http";
import { clock } from "./clock.ts";
import type { StartCall } from "./contender.ts";
import type { Sink } from "./sink.ts";

export type Driven = {
  /** Milliseconds from each start request to the sink's answer to the execution's last action. */
  readonly latencies: readonly number[];
  /** When each execution was complete, in milliseconds since 1970. */
  readonly arrivals: readonly number[];
  /** Milliseconds from each start request to its answer, which the product sends after storing the execution. */
  readonly acks: readonly number[];
  readonly failedStarts: number;
  readonly failure: string | null;
};

export type Client = {
  /**
   * Starts one execution. Returns false if the start was refused or the connection broke; `failure` then has the first
   * reason.
   */
  readonly start: (ref: string) => Promise<boolean>;
  readonly startMany: (refs: readonly string[]) => Promise<boolean>;
  readonly failure: () => string | null;
  /** Counts the answers with an HTTP status. Status 0 counts the requests without an answer. */
  readonly answers: (status: number) => number;
  readonly close: () => void;
};

/** `insists`: the client retries a start under the same key after a 503 or without an answer, as API clients should. */
export type Manner = { readonly insists?: boolean };

export function openClient(call: StartCall, connections: number, { insists = false }: Manner = {}): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const { hostname, port, pathname } = call.url;
  const { batch } = call;
  let failure: string | null = null;
  const answers = new Map<number, number>();
  const once = (path: string, body: string, ref: string): Promise<Answer> =>
    new Promise((answer) => {
      const resolve = (status: number, retryMs = 0): void => {
        answers.set(status, (answers.get(status) ?? 0) + 1);
        answer({ status, retryMs });
      };
      const fail = (why: string, status = 0, retryMs = NO_ANSWER_MS): void => {
        if (!insists || (status !== 503 && status !== 0)) failure ??= why;
        resolve(status, retryMs);
      };
      const key = call.isKeyed ? { "Idempotency-Key": ref } : {};
      const headers = { ...call.headers, ...key, "Content-Length": Buffer.byteLength(body) };
      const asked = request({ agent, hostname, port, path, method: "POST", headers }, (response) => {
        const { statusCode = 0 } = response;
        const retryMs = Number(response.headers["retry-after"] ?? 0) * 1_000;
        response.on("error", ({ message }) => fail(message));
        if (statusCode === 201 || statusCode === 200) response.on("end", () => resolve(statusCode)).resume();
        else
          response
            .setEncoding("utf8")
            .once("data", (text: string) => fail(`${statusCode} ${text.slice(0, 300)}`, statusCode, retryMs));
      });
      asked.on("error", ({ message }) => fail(message));
      asked.end(body);
    });
  const post = async (path: string, body: string, ref: string): Promise<boolean> => {
    for (;;) {
      const { status, retryMs } = await once(path, body, ref);
      if (status === 200 || status === 201) return true;
      if (!insists || (status !== 503 && status !== 0)) return false;
      await pause(retryMs * (1 + Math.random()));
    }
  };
  const start = (ref: string): Promise<boolean> => post(pathname, call.body(ref), ref);
  const startMany = async (refs: readonly string[]): Promise<boolean> => {
    if (batch === undefined) throw new Error("it starts nothing by the batch");
    return post(batch.path, batch.body(refs), `${refs[0]}-${refs.at(-1)}`);
  };
  return {
    start,
    startMany,
    failure: () => failure,
    answers: (status) => answers.get(status) ?? 0,
    close: () => agent.destroy(),
  };
}

type Answer = { readonly status: number; readonly retryMs: number };
/** Delay before the client retries a start that got no answer. */
const NO_ANSWER_MS = 500;

let refs = 0;
export function newRef(): string {
  refs += 1;
  return `r${refs}`;
}

/**
 * Runs `concurrency` workers for `ms` milliseconds. Each worker starts the next execution when its previous one is
 * complete.
 */
export async function closedLoop(client: Client, sink: Sink, concurrency: number, ms: number): Promise<Driven> {
  const until = clock() + ms;
  const latencies: number[] = [];
  const arrivals: number[] = [];
  const acks: number[] = [];
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
      acks.push(clock() - asked);
      const at = await within(GIVE_UP_MS, through);
      if (at === null) return;
      latencies.push(at - asked);
      arrivals.push(at);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, one));
  return { latencies, arrivals, acks, failedStarts, failure: client.failure() };
}

/**
 * Runs workers that start executions in batches. Each worker sends its next batch when all executions of its previous
 * batch are complete.
 */
export async function closedBatches(client: Client, sink: Sink, { at, size, ms }: Batches): Promise<Driven> {
  const until = clock() + ms;
  const latencies: number[] = [];
  const arrivals: number[] = [];
  const acks: number[] = [];
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
      acks.push(clock() - asked);
      const arrived = await within(GIVE_UP_MS, Promise.all(through));
      if (arrived === null) return;
      latencies.push(...arrived.map((instant) => instant - asked));
      arrivals.push(...arrived);
    }
  };
  await Promise.all(Array.from({ length: at }, one));
  return { latencies, arrivals, acks, failedStarts, failure: client.failure() };
}

export type Batches = { readonly at: number; readonly size: number; readonly ms: number };

/**
 * Starts `count` executions as fast as the contender accepts them. Then waits until all are complete, or until none has
 * completed for `patienceMs`.
 */
export async function burst(
  client: Client,
  sink: Sink,
  asked: Burst,
): Promise<Driven & { readonly startedAt: number }> {
  const { count, concurrency, due, patienceMs = GIVE_UP_MS, progress } = asked;
  const latencies: number[] = [];
  const arrivals: number[] = [];
  const acks: number[] = [];
  let failedStarts = 0;
  let left = count;
  let lastWord = clock();
  const note = async (from: number, arrival: Promise<number>): Promise<void> => {
    const at = await arrival;
    lastWord = clock();
    latencies.push(at - from);
    arrivals.push(at);
    progress?.(arrivals.length);
  };
  const one = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const ref = newRef();
      const from = clock();
      void note(due?.at(ref) ?? from, sink.arrival(ref));
      if (await client.start(ref)) acks.push(clock() - from);
      else failedStarts += 1;
    }
  };
  await within(BURST_MS + count * BURST_MS_EACH, Promise.all(Array.from({ length: concurrency }, one)));
  const startedAt = clock();
  lastWord = Math.max(startedAt, due?.until ?? 0);
  while (arrivals.length < count && clock() - lastWord < patienceMs) await pause(50);
  return { latencies, arrivals, acks, failedStarts, failure: client.failure(), startedAt };
}

export type Burst = {
  readonly count: number;
  readonly concurrency: number;
  /** The wait ends if no execution completes for this long. */
  readonly patienceMs?: number;
  /** Called with the number of complete executions, whenever one completes. */
  readonly progress?: (through: number) => void;
  /** For scheduled executions: latency counts from `at(ref)`, and the wait does not end before `until`. */
  readonly due?: { readonly at: (ref: string) => number; readonly until: number };
};

/** An execution that takes longer counts as lost. The engine's watchdog would resend its lost calls later than this. */
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
