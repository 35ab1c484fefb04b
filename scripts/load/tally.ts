// Load tally: counts requests and actions of a load test by second and by scenario. The caller passes the time.
import { percentile } from "../../bench/meter.ts";
import type { LoadPlan } from "#schema/load.ts";
import type { Sample } from "./bottleneck.ts";
import { estimateFinished, type Ended } from "./estimate.ts";

type Counts = { [name: string]: number };
type Second = {
  requests: number;
  dispatched: number;
  /** Counts by scenario. */
  accepted: Counts;
  followed: Counts;
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
  const ended: Ended[] = [];
  const scenarios = new Map(names.map((name) => [name, emptyScenario()]));
  const second = (ms: number): Second => {
    const index = Math.max(0, Math.floor(ms / 1_000));
    for (let at = seconds.length; at <= index; at++) seconds.push(emptySecond());
    return seconds[index] ?? emptySecond();
  };
  const scenario = (name: string): ScenarioTally => scenarios.get(name) ?? emptyScenario();
  return { seconds, ended, scenarios, second, scenario };
}

export function add(counts: Counts, name: string, times = 1): void {
  counts[name] = (counts[name] ?? 0) + times;
}

export type Counted = Pick<Tally, "seconds" | "ended" | "scenarios">;

/** Returns the figures of the load's whole seconds. Later seconds only drain the engine. */
export function samplesOf(tally: Counted, stages: LoadPlan["stages"], ms: number): Sample[] {
  const { bySecond } = estimateFinished(tally.seconds, tally.ended, ms);
  let backlog = 0;
  return tally.seconds.slice(0, Math.floor(ms / 1_000)).map((counted, second) => {
    const { times, accepted: _accepted, followed: _followed, ...figures } = counted;
    const finished = bySecond[second] ?? 0;
    backlog = Math.max(0, backlog + counted.dispatched - finished);
    return {
      ...figures,
      second,
      finished: Math.round(finished),
      backlog: Math.round(backlog),
      p95: percentile(times, 0.95),
      concurrency: concurrencyAt(stages, second * 1_000),
    };
  });
}

export function concurrencyAt(stages: LoadPlan["stages"], ms: number): number {
  return stages.findLast(({ atMs }) => atMs <= ms)?.concurrency ?? 0;
}

function emptySecond(): Second {
  const counts = { requests: 0, dispatched: 0, looks: 0, busy: 0 };
  return { ...counts, accepted: {}, followed: {}, refused: {}, held: {}, times: [] };
}

function emptyScenario(): ScenarioTally {
  const counts = { requests: 0, accepted: 0, repeated: 0, followed: 0 };
  return { ...counts, dispatchMs: [], endMs: [], ends: {}, answers: {}, runErrors: {}, surprises: {} };
}
