// Probes of another tenant, in a thread of their own: how long each took that was under way in a span of time.
import { Worker } from "node:worker_threads";

/** In the order of the lanes. */
export const laneNames = ["health", "reads"] as const;
export type LaneName = (typeof laneNames)[number];
export type Lane = {
  readonly base: string;
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
};
export type Sample = { readonly lane: number; readonly begun: number; readonly ms: number; readonly ok: boolean };
export type Span = { readonly from: number; readonly to: number };
export type Probe = {
  readonly during: (span: Span) => Promise<readonly Sample[]>;
  readonly close: () => Promise<unknown>;
};

const WARM_MS = 1_500;

export async function openProbe(lanes: readonly Lane[]): Promise<Probe> {
  const thread = new Worker(new URL("./probe-thread.ts", import.meta.url), { workerData: lanes });
  const asked = new Map<number, (samples: readonly Sample[]) => void>();
  thread.on("message", ({ id, samples }: { id: number; samples: readonly Sample[] }) => asked.get(id)?.(samples));
  let last = 0;
  const during = (span: Span) =>
    new Promise<readonly Sample[]>((resolve) => {
      const id = ++last;
      asked.set(id, (samples) => {
        asked.delete(id);
        resolve(samples);
      });
      thread.postMessage({ id, span }, []);
    });
  await pause(WARM_MS);
  return { during, close: () => thread.terminate() };
}

/** One clock for both threads. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Nearest rank; NaN of none. */
export function percentile(samples: readonly Sample[], share: number): number {
  const sorted = samples.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
