// The sink as the bench sees it: an address to call, and word of every execution whose last action got its 200.
// Both sides are watched here and only here, so that finding out costs neither of them anything.
import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** The action whose success means that the execution is through. */
export const LAST = "c";

export type Arrival = readonly [ref: string, at: number];
export type Tally = { readonly requests: number; readonly repeats: number };

type Word = {
  readonly port?: number;
  readonly arrivals?: readonly Arrival[];
  readonly tally?: Tally;
  readonly firings?: readonly number[];
};

export type Sink = {
  readonly url: string;
  /** Resolves with the instant at which the last action of `ref` was answered. */
  readonly arrival: (ref: string) => Promise<number>;
  /** What came in since the last tally. Nothing that was awaited before is awaited any more. */
  readonly tally: () => Promise<Tally>;
  /** When timers fired, by the word of those who called because of them since the last tally. */
  readonly firings: () => Promise<readonly number[]>;
  readonly close: () => Promise<void>;
};

export async function openSink(): Promise<Sink> {
  const thread = new Worker(new URL("./sink-thread.ts", import.meta.url));
  const [{ port }] = (await once(thread, "message")) as [Word];
  const awaited = new Map<string, (at: number) => void>();
  let tallied: ((tally: Tally) => void) | null = null;
  let fired: ((firings: readonly number[]) => void) | null = null;
  thread.on("message", ({ arrivals, tally, firings }: Word) => {
    if (tally) tallied?.(tally);
    if (firings) fired?.(firings);
    for (const [ref, at] of arrivals ?? []) {
      awaited.get(ref)?.(at);
      awaited.delete(ref);
    }
  });
  return {
    url: `http://127.0.0.1:${port}/quick`,
    arrival: (ref) => new Promise((resolve) => awaited.set(ref, resolve)),
    tally: () => {
      awaited.clear();
      return new Promise((resolve) => {
        tallied = resolve;
        thread.postMessage("tally", []);
      });
    },
    firings: () =>
      new Promise((resolve) => {
        fired = resolve;
        thread.postMessage("firings", []);
      }),
    close: async () => void (await thread.terminate()),
  };
}
