// One route: each of its worst requests some times, and how long the probes took meanwhile, beside how long just before.
import { since, type ThreadTime } from "./engine-thread.ts";
import { laneNames, now, pause, percentile, type LaneName, type Probe, type Sample } from "./probe.ts";
import type { Route, Worst } from "./routes.ts";
import { send } from "./send-worst.ts";

export type MeasuredBody = {
  readonly name: string;
  readonly status: number;
  readonly tookMs: number;
  /** What the engine computed for one of them, probes included. */
  readonly ranMs: number;
  readonly answerBytes: number;
  readonly quiet: PerLane;
  readonly meanwhile: PerLane;
  /** How much later than quiet the slowest probes of either lane were answered, without what the engine waited for other processes. */
  readonly heldMs: number;
};
export type Percentiles = { readonly p50: number; readonly p99: number; readonly count: number };
export type PerLane = { readonly [lane in LaneName]: Percentiles };
export type Measured = { readonly route: string; readonly bodies: readonly MeasuredBody[] };

const QUIET_MS = 250;
/** So many requests of each body, one after the other. */
const REPEATED = 2;
/** What seems to hold is tried so often again, since the machine does other things as well: the least counts. */
const TRIED_AGAIN = 2;

export type Terms = { readonly probe: Probe; readonly engine: () => ThreadTime; readonly limitMs: number };

export async function measureRoute(route: Route, terms: Terms): Promise<Measured> {
  const bodies: MeasuredBody[] = [];
  let quiet = await quietly(terms.probe);
  for (const worst of route.worst) {
    let found = await measure(worst, quiet, terms);
    for (let again = 0; again < TRIED_AGAIN && found.heldMs > terms.limitMs; again++) {
      quiet = await quietly(terms.probe);
      const next = await measure(worst, quiet, terms);
      if (next.heldMs < found.heldMs) found = next;
    }
    bodies.push(found);
  }
  return { route: route.name, bodies };
}

async function quietly(probe: Probe): Promise<PerLane> {
  const from = now();
  await pause(QUIET_MS);
  return percentilesOf(await probe.during({ from, to: now() }));
}

async function measure({ name, make }: Worst, quiet: PerLane, { probe, engine }: Terms): Promise<MeasuredBody> {
  const samples: Sample[] = [];
  let [status, tookMs, answerBytes, ranMs, waitedMs] = [0, 0, 0, 0, 0];
  for (let n = 0; n < REPEATED; n++) {
    const sent = make(n);
    const [from, before] = [now(), engine()];
    const answered = await send(sent);
    samples.push(...(await probe.during({ from, to: now() })));
    const engineTime = since(before, engine());
    status = answered.status;
    tookMs = Math.max(tookMs, answered.ms);
    answerBytes = Math.max(answerBytes, answered.bytes);
    ranMs = Math.max(ranMs, engineTime.ranMs);
    waitedMs = Math.max(waitedMs, engineTime.waitedMs);
  }
  const meanwhile = percentilesOf(samples);
  const heldMs = Math.max(0, laterMs(quiet, meanwhile) - waitedMs);
  return { name, status, tookMs, ranMs, answerBytes, quiet, meanwhile, heldMs };
}

/** How much later than quiet the slowest probes of either lane were answered. */
export function laterMs(quiet: PerLane, meanwhile: PerLane): number {
  return Math.max(0, ...laneNames.map((lane) => laterOf(quiet[lane], meanwhile[lane])));
}

/** No probe was under way: none was held. */
function laterOf(quiet: Percentiles, meanwhile: Percentiles): number {
  return meanwhile.count === 0 ? 0 : meanwhile.p99 - quiet.p99;
}

export function percentilesOf(samples: readonly Sample[]): PerLane {
  const [health, reads] = laneNames.map((_, lane) => {
    const own = samples.filter((sample) => sample.lane === lane);
    return { p50: percentile(own, 0.5), p99: percentile(own, 0.99), count: own.length };
  });
  return { health: health ?? NONE, reads: reads ?? NONE };
}

const NONE: Percentiles = { p50: Number.NaN, p99: Number.NaN, count: 0 };
