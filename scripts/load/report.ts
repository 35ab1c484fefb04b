// Load test report: computes the figures and prints them as tables. Pure functions.
import { percentile } from "../../bench/meter.ts";
import { formatColumns } from "../../bench/table.ts";
import type { LoadPlan } from "#schema/load.ts";
import { findBottlenecks, type Bottleneck, type Sample } from "./bottleneck.ts";
import { estimateFinished } from "./estimate.ts";
import { samplesOf, type Counted, type ScenarioTally } from "./tally.ts";

type Spread = { readonly [name in (typeof ranks)[number][0] | "max"]: number | null };
type Counts = { readonly [name: string]: number };

export type ScenarioReport = {
  readonly name: string;
  readonly requests: number;
  readonly accepted: number;
  readonly acceptedPerSecond: number;
  readonly repeated: number;
  readonly dispatchMs: Spread;
  readonly followed: number;
  readonly ended: number;
  readonly finishedPerSecond: number;
  readonly endMs: Spread;
  readonly ends: Counts;
  readonly answers: Counts;
  readonly runErrors: Counts;
  readonly surprises: Counts;
};

export type Report = {
  readonly v: 1;
  readonly actionId: string;
  readonly url: string;
  readonly load: string;
  readonly concurrency: number;
  /** Seconds of the load itself, and seconds until the last followed action had ended. */
  readonly seconds: number;
  readonly withDrainSeconds: number;
  /** Followed actions that had not ended when the wait was over. */
  readonly open: number;
  readonly scenarios: readonly ScenarioReport[];
  readonly total: ScenarioReport;
  /** Sorted by the second in which each began. */
  readonly bottlenecks: readonly Bottleneck[];
  readonly notes: readonly string[];
  readonly bySecond: readonly Sample[];
};

export type LoadResult = {
  readonly plan: LoadPlan;
  readonly tally: Counted;
  readonly url: string;
  readonly load: string;
  readonly loadMs: number;
  readonly allMs: number;
  readonly open: number;
  readonly notes: readonly string[];
};

export function buildReport({ plan, tally, url, load, loadMs, allMs, open, notes }: LoadResult): Report {
  const seconds = loadMs / 1_000;
  const { byScenario } = estimateFinished(tally.seconds, tally.ended, loadMs);
  const of = (name: string, counted: ScenarioTally, finished: number) =>
    scenarioReport(name, counted, counted.accepted / seconds, finished / seconds);
  const tallies = [...tally.scenarios.values()];
  const bySecond = samplesOf(tally, plan.stages, loadMs);
  return {
    v: 1,
    actionId: plan.actionId,
    url,
    load,
    concurrency: plan.concurrency,
    seconds,
    withDrainSeconds: allMs / 1_000,
    open,
    scenarios: Array.from(tally.scenarios, ([name, counted]) => of(name, counted, byScenario[name] ?? 0)),
    total: of("total", totalOf(tallies), sum(byScenario)),
    bottlenecks: findBottlenecks(bySecond, plan.limits.requestsPerSecond),
    notes,
    bySecond,
  };
}

function scenarioReport(
  name: string,
  counted: ScenarioTally,
  acceptedPerSecond: number,
  finishedPerSecond: number,
): ScenarioReport {
  const { requests, accepted, repeated, followed, ends, answers, runErrors, surprises } = counted;
  return {
    name,
    requests,
    accepted,
    acceptedPerSecond,
    repeated,
    dispatchMs: spread(counted.dispatchMs),
    followed,
    ended: sum(ends),
    finishedPerSecond,
    endMs: spread(counted.endMs),
    ends,
    answers,
    runErrors,
    surprises,
  };
}

const ranks = [
  ["p50", 0.5],
  ["p90", 0.9],
  ["p95", 0.95],
  ["p99", 0.99],
] as const;

function spread(times: readonly number[]): Spread {
  const sorted = times.toSorted((one, other) => one - other);
  const [p50 = null, p90 = null, p95 = null, p99 = null] = ranks.map(([, share]) => percentile(sorted, share));
  return { p50, p90, p95, p99, max: sorted.at(-1) ?? null };
}

function totalOf(tallies: readonly ScenarioTally[]): ScenarioTally {
  const total = (figure: "requests" | "accepted" | "repeated" | "followed") =>
    tallies.reduce((all, each) => all + each[figure], 0);
  const counts = (of: "ends" | "answers" | "runErrors" | "surprises") => mergeCounts(tallies.map((each) => each[of]));
  return {
    requests: total("requests"),
    accepted: total("accepted"),
    repeated: total("repeated"),
    followed: total("followed"),
    dispatchMs: tallies.flatMap(({ dispatchMs }) => dispatchMs),
    endMs: tallies.flatMap(({ endMs }) => endMs),
    ends: counts("ends"),
    answers: counts("answers"),
    runErrors: counts("runErrors"),
    surprises: counts("surprises"),
  };
}

function mergeCounts(many: readonly Counts[]): { [name: string]: number } {
  const all: { [name: string]: number } = {};
  for (const [name, times] of many.flatMap(Object.entries<number>)) all[name] = (all[name] ?? 0) + times;
  return all;
}

/** Prints the tables, then the unexpected results, then the bottlenecks. */
export function formatReport(report: Report): string[] {
  const { scenarios, total, open, bottlenecks, notes } = report;
  const [first, ...later] = bottlenecks;
  const rows = [...scenarios, total];
  const span = `${report.seconds.toFixed(1)} s, up to ${report.concurrency} at once`;
  return [
    `${report.actionId}: ${span}, against ${report.url}`,
    "",
    ...formatColumns([dispatchHead, ...rows.map(dispatchRow)]),
    "",
    ...formatColumns([endHead, ...rows.filter(({ followed }) => followed > 0).map(endRow)]),
    "",
    ...scenarios.flatMap(remarks),
    ...(open === 0 ? [] : [`${open} actions had not ended ${waited(report)} s after the load`]),
    ...notes,
    `first bottleneck: ${first?.says ?? "none seen"}`,
    ...later.map(({ says }) => `then: ${says}`),
  ];
}

const figures = ["p50", "p90", "p95", "p99", "max"] as const;
const dispatchHead = ["dispatch, ms", "requests", "accepted", "accepted/s", "repeated", ...figures, "unexpected"];
const endHead = ["to the end, ms", "followed", "ended", "finished/s", ...figures, "ended as"];

function dispatchRow({ name, requests, accepted, acceptedPerSecond, repeated, dispatchMs, surprises }: ScenarioReport) {
  const counted = [requests, accepted].map(String);
  const times = figures.map((figure) => shown(dispatchMs[figure]));
  return [`  ${name}`, ...counted, acceptedPerSecond.toFixed(1), String(repeated), ...times, String(sum(surprises))];
}

function endRow({ name, followed, ended, finishedPerSecond, endMs, ends }: ScenarioReport) {
  const times = figures.map((figure) => shown(endMs[figure]));
  return [`  ${name}`, String(followed), String(ended), finishedPerSecond.toFixed(1), ...times, listed(ends)];
}

function remarks({ name, answers, runErrors, surprises }: ScenarioReport): string[] {
  const said = [
    sum(answers) === 0 ? "" : `refused: ${listed(answers)}`,
    sum(runErrors) === 0 ? "" : `failed attempts: ${listed(runErrors)}`,
    sum(surprises) === 0 ? "" : `UNEXPECTED: ${listed(surprises)}`,
  ].filter((part) => part !== "");
  return said.length === 0 ? [] : [`${name}: ${said.join("; ")}`];
}

function waited({ seconds, withDrainSeconds }: Report): string {
  return (withDrainSeconds - seconds).toFixed(0);
}

function shown(ms: number | null): string {
  return ms === null ? "–" : ms.toFixed(ms < 10 ? 1 : 0);
}

function listed(counts: Counts): string {
  const often = Object.entries(counts).toSorted(([, one], [, other]) => other - one);
  return often.map(([name, times]) => `${times} × ${name}`).join(", ");
}

function sum(counts: Counts): number {
  return Object.values(counts).reduce((total, times) => total + times, 0);
}
