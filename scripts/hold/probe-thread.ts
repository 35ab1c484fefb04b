// The thread that probes: it sends small requests, one after the other in each lane. Sending the worst bodies does not delay it.
import { parentPort, workerData } from "node:worker_threads";
import { connect } from "../load/http.ts";
import type { Lane, Sample, Span } from "./probe.ts";

const GAP_MS = 4;
const KEPT = 20_000;

// The starter of this thread gives it these lanes.
const lanes = workerData as readonly Lane[];
const samples: Sample[] = [];
const waiting: { readonly span: Span; readonly id: number }[] = [];

for (const [at, lane] of lanes.entries()) void probe(at, lane);
// Only openProbe posts to it.
parentPort?.on("message", ({ id, span }: { id: number; span: Span }) => {
  waiting.push({ span, id });
});

async function probe(at: number, { base, path, headers }: Lane): Promise<never> {
  const { ask } = connect(base, headers, 1);
  for (;;) {
    const begun = performance.timeOrigin + performance.now();
    const { status, ms } = await ask("GET", path);
    samples.push({ lane: at, begun, ms, ok: status === 200 });
    if (samples.length > KEPT) samples.splice(0, KEPT / 2);
    answerWhereDone();
    await new Promise((resolve) => setTimeout(resolve, GAP_MS));
  }
}

/** A span is known once each lane has begun a request after it: what was under way at its end has been answered. */
function answerWhereDone(): void {
  const lastOf = (lane: number): number => samples.findLast((sample) => sample.lane === lane)?.begun ?? 0;
  for (const asked of waiting.filter(({ span }) => lanes.every((_, lane) => lastOf(lane) > span.to))) {
    waiting.splice(waiting.indexOf(asked), 1);
    const { from, to } = asked.span;
    const within = samples.filter(({ begun, ms }) => begun < to && begun + ms > from);
    parentPort?.postMessage({ id: asked.id, samples: within }, []);
  }
}
