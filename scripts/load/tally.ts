// Counts what happens during a load, by second and by scenario. Knows no clock: whoever tells it says when it was.
import { percentile } from "../../bench/meter.ts";
import type { LoadPlan } from "#schema/load.ts";
import type { Sample } from "./bottleneck.ts";

type Counts = { [name: string]: number };
type Second = {
  requests: number;
  dispatched: number;
  finished: number;
  refused: Counts;
  times: number[];
  looks: number;
  held: Counts;
  busy: number;
};

export type ScenarioTally = {
  requests: number;
  accepted: number;
  repeated: number;
  followed: number;
  /** Counted from those followed: each stands for those that were not. */
  finished: number;
  readonly dispatchMs: number[];
  readonly endMs: number[];
  readonly ends: Counts;
  readonly answers: Counts;
  readonly runErrors: Counts;
  readonly surprises: Counts;
};

export type Tally = ReturnType<typeof openTally>;

export function openTally(names: readonly string[]) {
  const seconds: Second[] = [];
  const scenarios = new Map(names.map((name) => [name, emptyScenario()]));
  const second = (ms: number): Second => {
    const index = Math.max(0, Math.floor(ms / 1_000));
    for (let at = seconds.length; at <= index; at++) seconds.push(emptySecond());
    return seconds[index] ?? emptySecond();
  };
  const scenario = (name: string): ScenarioTally => scenarios.get(name) ?? emptyScenario();
  return { seconds, scenarios, second, scenario };
}

export function add(counts: Counts, name: string, times = 1): void {
  counts[name] = (counts[name] ?? 0) + times;
}

/** Whole seconds of the load itself; what came after it only emptied the engine. */
export function samplesOf({ seconds }: Pick<Tally, "seconds">, plan: Pick<LoadPlan, "stages">, ms: number): Sample[] {
  let backlog = 0;
  return seconds.slice(0, Math.floor(ms / 1_000)).map((counted, second) => {
    const { times, ...figures } = counted;
    backlog = Math.max(0, backlog + counted.dispatched - counted.finished);
    return {
      ...figures,
      second,
      backlog: Math.round(backlog),
      p95: percentile(times, 0.95),
      concurrency: concurrencyAt(plan.stages, second * 1_000),
    };
  });
}

export function concurrencyAt(stages: LoadPlan["stages"], ms: number): number {
  return stages.findLast(({ atMs }) => atMs <= ms)?.concurrency ?? 0;
}

function emptySecond(): Second {
  return { requests: 0, dispatched: 0, finished: 0, refused: {}, times: [], looks: 0, held: {}, busy: 0 };
}

function emptyScenario(): ScenarioTally {
  const counts = { requests: 0, accepted: 0, repeated: 0, followed: 0, finished: 0 };
  return { ...counts, dispatchMs: [], endMs: [], ends: {}, answers: {}, runErrors: {}, surprises: {} };
}
