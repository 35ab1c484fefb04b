// Load client: starts executions over HTTP and waits until the sink reports each one complete. It uses node:http with
// kept-alive connections, because Node's fetch costs more CPU than the measured calls.
import { Agent, request } from "node:http";
import { clock } from "./clock.ts";
import type { StartCall } from "./contender.ts";
import type { Sink } from "./sink.ts";

export type LoadResult = {
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

/** `retriesUnanswered`: the client repeats a start after a 503 or without an answer, as API clients should. */
export type ClientOptions = { readonly retriesUnanswered?: boolean };

type Answer = { readonly status: number; readonly retryMs: number };
/** Delay before the client retries a start that got no answer. */
const UNANSWERED_RETRY_MS = 500;

export function openClient(
  call: StartCall,
  connections: number,
  { retriesUnanswered = false }: ClientOptions = {},
): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const { hostname, port, pathname } = call.url;
  const { batch } = call;
  let failure: string | null = null;
  const answers = new Map<number, number>();
  const mayRetry = (status: number): boolean => retriesUnanswered && (status === 503 || status === 0);
  const postOnce = (path: string, body: string, ref: string): Promise<Answer> =>
    new Promise((answer) => {
      const resolve = (status: number, retryMs = 0): void => {
        answers.set(status, (answers.get(status) ?? 0) + 1);
        answer({ status, retryMs });
      };
      const fail = (reason: string, status = 0, retryMs = UNANSWERED_RETRY_MS): void => {
        if (!mayRetry(status)) failure ??= reason;
        resolve(status, retryMs);
      };
      const key = call.isKeyed ? { "Idempotency-Key": ref } : {};
      const headers = { ...call.headers, ...key, "Content-Length": Buffer.byteLength(body) };
      const sent = request({ agent, hostname, port, path, method: "POST", headers }, (response) => {
        const { statusCode = 0 } = response;
        const retryMs = Number(response.headers["retry-after"] ?? 0) * 1_000;
        response.on("error", ({ message }) => fail(message));
        if (statusCode === 201 || statusCode === 200) response.on("end", () => resolve(statusCode)).resume();
        else
          response
            .setEncoding("utf8")
            .once("data", (text: string) => fail(`${statusCode} ${text.slice(0, 300)}`, statusCode, retryMs));
      });
      sent.on("error", ({ message }) => fail(message));
      sent.end(body);
    });
  const post = async (path: string, body: string, ref: string): Promise<boolean> => {
    for (;;) {
      const { status, retryMs } = await postOnce(path, body, ref);
      if (status === 200 || status === 201) return true;
      if (!mayRetry(status)) return false;
      await pause(retryMs * (1 + Math.random()));
    }
  };
  const start = (ref: string): Promise<boolean> => post(pathname, call.body(ref), ref);
  const startMany = async (refs: readonly string[]): Promise<boolean> => {
    if (batch === undefined) throw new Error("this contender has no batch endpoint");
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

let refsCreated = 0;
export function newRef(): string {
  refsCreated += 1;
  return `r${refsCreated}`;
}

/**
 * Runs `concurrency` workers for `ms` milliseconds. Each worker starts the next execution when its previous one is
 * complete.
 */
export function runClosedLoop(client: Client, sink: Sink, concurrency: number, ms: number): Promise<LoadResult> {
  return runWorkers(client, sink, { workers: concurrency, size: 1, ms, start: ([ref = ""]) => client.start(ref) });
}

export type Batches = { readonly workers: number; readonly size: number; readonly ms: number };

/**
 * Runs workers that start executions in batches. Each worker sends its next batch when all executions of its previous
 * batch are complete.
 */
export function runClosedBatches(client: Client, sink: Sink, batches: Batches): Promise<LoadResult> {
  return runWorkers(client, sink, { ...batches, start: client.startMany });
}

type ClosedLoad = Batches & { readonly start: (refs: readonly string[]) => Promise<boolean> };

async function runWorkers(client: Client, sink: Sink, { workers, size, ms, start }: ClosedLoad): Promise<LoadResult> {
  const endAt = clock() + ms;
  const latencies: number[] = [];
  const arrivals: number[] = [];
  const acks: number[] = [];
  let failedStarts = 0;
  const runWorker = async (): Promise<void> => {
    while (clock() < endAt) {
      const refs = Array.from({ length: size }, newRef);
      const completions = Promise.all(refs.map(sink.arrival));
      const sentAt = clock();
      if (!(await start(refs))) {
        failedStarts += size;
        await pause(10);
        continue;
      }
      acks.push(clock() - sentAt);
      const completedAt = await withTimeLimit(LOST_AFTER_MS, completions);
      if (completedAt === null) return;
      latencies.push(...completedAt.map((instant) => instant - sentAt));
      arrivals.push(...completedAt);
    }
  };
  await Promise.all(Array.from({ length: workers }, runWorker));
  return { latencies, arrivals, acks, failedStarts, failure: client.failure() };
}

export type Burst = {
  readonly count: number;
  readonly concurrency: number;
  /** The wait ends if no execution completes for this long. */
  readonly patienceMs?: number;
  /** Called with the number of complete executions, whenever one completes. */
  readonly progress?: (completed: number) => void;
  /** For scheduled executions: latency counts from `dueAt(ref)`, and the wait does not end before `lastDueAt`. */
  readonly schedule?: { readonly dueAt: (ref: string) => number; readonly lastDueAt: number };
};

/**
 * Starts `count` executions as fast as the contender accepts them. Then waits until all are complete, or until none has
 * completed for `patienceMs`.
 */
export async function runBurst(
  client: Client,
  sink: Sink,
  { count, concurrency, schedule, patienceMs = LOST_AFTER_MS, progress }: Burst,
): Promise<LoadResult & { readonly startedAt: number }> {
  const latencies: number[] = [];
  const arrivals: number[] = [];
  const acks: number[] = [];
  let failedStarts = 0;
  let startsLeft = count;
  let lastCompletionAt = clock();
  const recordCompletion = async (latencyFrom: number, arrival: Promise<number>): Promise<void> => {
    const completedAt = await arrival;
    lastCompletionAt = clock();
    latencies.push(completedAt - latencyFrom);
    arrivals.push(completedAt);
    progress?.(arrivals.length);
  };
  const runWorker = async (): Promise<void> => {
    while (startsLeft > 0) {
      startsLeft -= 1;
      const ref = newRef();
      const sentAt = clock();
      void recordCompletion(schedule?.dueAt(ref) ?? sentAt, sink.arrival(ref));
      if (await client.start(ref)) acks.push(clock() - sentAt);
      else failedStarts += 1;
    }
  };
  const starts = Promise.all(Array.from({ length: concurrency }, runWorker));
  await withTimeLimit(STARTS_MS_MIN + count * STARTS_MS_EACH, starts);
  const startedAt = clock();
  lastCompletionAt = Math.max(startedAt, schedule?.lastDueAt ?? 0);
  while (arrivals.length < count && clock() - lastCompletionAt < patienceMs) await pause(50);
  return { latencies, arrivals, acks, failedStarts, failure: client.failure(), startedAt };
}

/**
 * An execution that takes longer counts as lost. The engine's watchdog would resend its lost calls later than this.
 */
const LOST_AFTER_MS = 20_000;
/** The time limit of all starts: a fixed part, and a part for each start. */
const [STARTS_MS_MIN, STARTS_MS_EACH] = [120_000, 50];

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Returns null if the work takes longer than `ms`. */
async function withTimeLimit<T>(ms: number, work: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
