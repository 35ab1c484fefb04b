// Sink: the HTTP address that contenders call. It reports each execution whose last action was answered with 200. All
// measurements are taken here, so measuring costs every contender the same.
import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** The name of the last action. When its call is answered with 200, the execution is complete. */
export const LAST_ACTION = "c";

export type Arrival = readonly [ref: string, at: number];
export type Tally = { readonly requests: number; readonly repeats: number };

type SinkMessage = {
  readonly port?: number;
  readonly arrivals?: readonly Arrival[];
  readonly tally?: Tally;
  readonly firings?: readonly number[];
};

export type Sink = {
  readonly url: string;
  /** Resolves with the time at which the sink answered the last action of `ref`, in milliseconds since 1970. */
  readonly arrival: (ref: string) => Promise<number>;
  /** Returns and resets the counts since the previous tally. Promises of `arrival` that are still open are dropped. */
  readonly resetTally: () => Promise<Tally>;
  /** Lists when timers fired, as the calls since the previous tally reported it. */
  readonly takeFirings: () => Promise<readonly number[]>;
  readonly close: () => Promise<void>;
};

export async function openSink(): Promise<Sink> {
  const thread = new Worker(new URL("./sink-thread.ts", import.meta.url));
  const [{ port }] = (await once(thread, "message")) as [SinkMessage];
  const awaited = new Map<string, (at: number) => void>();
  let onTally: ((tally: Tally) => void) | null = null;
  let onFirings: ((firings: readonly number[]) => void) | null = null;
  thread.on("message", ({ arrivals, tally, firings }: SinkMessage) => {
    if (tally) onTally?.(tally);
    if (firings) onFirings?.(firings);
    for (const [ref, at] of arrivals ?? []) {
      awaited.get(ref)?.(at);
      awaited.delete(ref);
    }
  });
  return {
    url: `http://127.0.0.1:${port}/quick`,
    arrival: (ref) => new Promise((resolve) => awaited.set(ref, resolve)),
    resetTally: () => {
      awaited.clear();
      return new Promise((resolve) => {
        onTally = resolve;
        thread.postMessage("tally", []);
      });
    },
    takeFirings: () =>
      new Promise((resolve) => {
        onFirings = resolve;
        thread.postMessage("firings", []);
      }),
    close: async () => void (await thread.terminate()),
  };
}
