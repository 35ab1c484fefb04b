// Bottleneck analysis: finds the first bottleneck of a load test in its figures per second. Pure functions.

/** The figures of one second of the load. */
export type Sample = {
  readonly second: number;
  /** How many requests could be in flight. */
  readonly concurrency: number;
  readonly requests: number;
  /** Counts of actions in this second: accepted by the API, and ended. */
  readonly dispatched: number;
  readonly finished: number;
  /** Requests refused because of load, by status and code, such as "429 event_buffer_full" or "no answer". */
  readonly refused: { readonly [what: string]: number };
  /** The 95th percentile of dispatch times in milliseconds. Null if there were no answers. */
  readonly p95: number | null;
  /** Actions that are accepted and have not ended. */
  readonly backlog: number;
  /** Status checks of followed actions, and how many found the action held, by reason. */
  readonly looks: number;
  readonly held: { readonly [reason: string]: number };
  /** The share of the second in which this machine's event loop was busy. */
  readonly busy: number;
};

export type Bottleneck = {
  readonly kind: "client" | "api" | "provider" | "queue" | "saturation";
  readonly second: number;
  readonly says: string;
};

/** Lists the bottlenecks by the second in which each began. In the same second a cause comes before its symptoms. */
export function findBottlenecks(
  samples: readonly Sample[],
  requestsPerSecondMax: number | null,
): readonly Bottleneck[] {
  const looks = [
    findClientBottleneck(samples),
    findApiBottleneck(samples),
    findProviderBottleneck(samples),
    findQueueBottleneck(samples),
  ];
  const found = [...looks, findSaturation(samples, requestsPerSecondMax ?? Infinity)].flatMap((each) => each ?? []);
  return found.toSorted((one, other) => one.second - other.second);
}

const BUSY_SHARE = 0.9;
function findClientBottleneck(samples: readonly Sample[]): Bottleneck | null {
  const isBusy = (sample: Sample | undefined) => sample !== undefined && sample.busy >= BUSY_SHARE;
  const first = samples.find((sample, at) => isBusy(sample) && isBusy(samples[at + 1]));
  if (first === undefined) return null;
  const says = `this machine is saturated from second ${first.second} on, so later figures are not the engine's`;
  return { kind: "client", second: first.second, says };
}

/** A smaller share of refusals is not a bottleneck. */
const REFUSED_SHARE = 0.02;
function findApiBottleneck(samples: readonly Sample[]): Bottleneck | null {
  const first = samples.find(({ refused, requests }) => sum(refused) > Math.max(1, requests * REFUSED_SHARE));
  if (first === undefined) return null;
  const { second, concurrency } = first;
  const says = `the API answers ${mostFrequent(first.refused)} from second ${second} on, at concurrency ${concurrency}`;
  return { kind: "api", second, says };
}

const HELD_SHARE = 0.1;
function findProviderBottleneck(samples: readonly Sample[]): Bottleneck | null {
  const first = samples.find(({ held, looks }) => sum(held) > 1 && sum(held) >= looks * HELD_SHARE);
  if (first === undefined) return null;
  const says = `the connection holds actions back (${mostFrequent(first.held)}) from second ${first.second} on`;
  return { kind: "provider", second: first.second, says };
}

/** A shorter growth of the backlog may only be the duration of the actions. */
const GROWING_SECONDS_MIN = 5;
const OUTRUN = 1.15;
function findQueueBottleneck(samples: readonly Sample[]): Bottleneck | null {
  const isOutrun = (part: readonly Sample[]) => mean(part, "dispatched") > OUTRUN * mean(part, "finished");
  if (samples.length < GROWING_SECONDS_MIN || !isOutrun(samples.slice(-GROWING_SECONDS_MIN))) return null;
  const spans = [1, 3, samples.length];
  const at = samples.findIndex((_, from) => spans.every((span) => isOutrun(samples.slice(from, from + span))));
  const growing = samples.slice(at);
  const [first] = growing;
  const last = growing.at(-1);
  if (at < 0 || growing.length < GROWING_SECONDS_MIN || first === undefined || last === undefined) return null;
  const [acceptedPerS, finishedPerS] = [mean(growing, "dispatched"), mean(growing, "finished")];
  if (last.backlog - first.backlog < 2 * acceptedPerS) return null;
  const rates = `${acceptedPerS.toFixed(0)}/s accepted, ${finishedPerS.toFixed(0)}/s finished`;
  const says = `actions wait: the backlog grows from second ${first.second} on to ${last.backlog} (${rates})`;
  return { kind: "queue", second: first.second, says };
}

type Level = {
  readonly concurrency: number;
  readonly second: number;
  readonly perSecond: number;
  readonly requestsPerSecond: number;
  readonly p95: number;
};

const SLOWER = 3;
const STANDSTILL = 1.1;
/** The share of the plan's own request limit from which a constant throughput is intended. */
const CAPPED_SHARE = 0.9;
/** Finds the level from which more concurrency raised latency but not throughput. */
function findSaturation(samples: readonly Sample[], requestsPerSecondMax: number): Bottleneck | null {
  const levels = levelsOf(samples).filter((each) => each.requestsPerSecond < CAPPED_SHARE * requestsPerSecondMax);
  for (const [at, level] of levels.entries()) {
    const before = levels.slice(0, at);
    const lowestP95 = Math.min(...before.map(({ p95 }) => p95));
    const bestPerSecond = Math.max(...before.map(({ perSecond }) => perSecond));
    const plateauStart = before.find(({ perSecond }) => perSecond * STANDSTILL >= bestPerSecond);
    if (plateauStart === undefined || level.perSecond > bestPerSecond * STANDSTILL || level.p95 < SLOWER * lowestP95)
      continue;
    const p95Change = `${(level.p95 / lowestP95).toFixed(1)} times (${lowestP95.toFixed(0)} to ${level.p95.toFixed(0)} ms)`;
    const throughput = throughputChange(bestPerSecond, level.perSecond);
    const says = `dispatch p95 rose ${p95Change} while throughput ${throughput} from concurrency ${plateauStart.concurrency} on`;
    return { kind: "saturation", second: plateauStart.second, says };
  }
  return null;
}

function throughputChange(bestPerSecond: number, perSecond: number): string {
  const hasFallen = perSecond * STANDSTILL < bestPerSecond;
  return hasFallen
    ? `fell from ${bestPerSecond.toFixed(0)}/s to ${perSecond.toFixed(0)}/s`
    : `stayed at ${bestPerSecond.toFixed(0)}/s`;
}

/**
 * Groups the seconds by concurrency. The first second is left out if there are others, because it warms up caches and
 * connections.
 */
function levelsOf(samples: readonly Sample[]): Level[] {
  const warm = samples.length > 1 ? samples.slice(1) : samples;
  return [...Map.groupBy(warm, ({ concurrency }) => concurrency)].flatMap(([concurrency, members]) => {
    const times = members.flatMap(({ p95 }) => p95 ?? []).toSorted((one, other) => one - other);
    const [first] = members;
    const p95 = times[times.length >> 1];
    if (first === undefined || p95 === undefined) return [];
    const requestsPerSecond = mean(members, "requests");
    return [{ concurrency, second: first.second, perSecond: mean(members, "dispatched"), requestsPerSecond, p95 }];
  });
}

function mean(samples: readonly Sample[], figure: "requests" | "dispatched" | "finished"): number {
  return samples.reduce((total, sample) => total + sample[figure], 0) / Math.max(1, samples.length);
}

function sum(counts: { readonly [name: string]: number }): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

function mostFrequent(counts: { readonly [name: string]: number }): string {
  return Object.entries(counts).toSorted(([, one], [, other]) => other - one)[0]?.[0] ?? "";
}
