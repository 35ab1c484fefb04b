// Report: prints a table per workload, which compares each contender with Workflows, and then whether each aim was met.
import { WORKFLOWS } from "./contender.ts";
import { formatColumns } from "./table.ts";
import type { Row, Workload } from "./row.ts";

export type Aim = {
  readonly workload: string;
  readonly contender: string;
  readonly text: string;
  /** Whether the aim was met. Null if a figure is missing. */
  readonly met: (ours: Row, theirs: Row) => boolean | null;
};

const atLeast = (times: number) => ({
  text: `at least ${times} × the throughput of ${WORKFLOWS}`,
  met: (ours: Row, theirs: Row) => compareRatio(ours.perSecond, theirs.perSecond, (ratio) => ratio >= times),
});

/**
 * The journey aim is 10,000 items a minute: a hundred times the hundred items a minute that journey executors require.
 */
const ITEMS_A_MINUTE = 100 * 100;
const ITEMS = 3;
const itemsPerMinute = {
  text: `${ITEMS_A_MINUTE} items a minute, which is a hundred times a hundred`,
  met: ({ perSecond }: Row) => (perSecond == null ? null : perSecond * 60 * ITEMS >= ITEMS_A_MINUTE),
};

const atMost = (share: number, what: string, of: (row: Row) => number | null | undefined) => ({
  text: `${what} at most ${share} × that of ${WORKFLOWS}`,
  met: (ours: Row, theirs: Row) => compareRatio(of(ours), of(theirs), (ratio) => ratio <= share),
});
const p50 = (row: Row) => row.p50;
const cpu = (row: Row) => row.cpuMs;

const KIB_MAX = 15;
const bytesWritten = {
  text: `at most ${KIB_MAX} KiB written`,
  met: ({ kibWritten }: Row) => (kibWritten == null ? null : kibWritten <= KIB_MAX),
};
const FIRED_MS_MAX = 20;
const timersOnTime = {
  text: `99 of 100 timers fire within ${FIRED_MS_MAX} ms`,
  met: ({ firedP99 }: Row) => (firedP99 == null ? null : firedP99 <= FIRED_MS_MAX),
};
const allComplete = {
  text: "every execution completes, and no answer is a 500",
  met: ({ asked, completed, broken }: Row) => completed === asked && broken === 0,
};
const nothingLost = { text: "nothing is lost", met: ({ lost }: Row) => lost === 0 };

export const aims: readonly Aim[] = [
  { workload: "throughput", contender: "own, auto", ...atLeast(1.8) },
  { workload: "throughput", contender: "own, queue", ...atLeast(1.4) },
  { workload: "throughput", contender: "pooled, auto", ...atLeast(7) },
  { workload: "throughput", contender: "pooled, auto", ...itemsPerMinute },
  { workload: "throughput", contender: "pooled, auto", ...atMost(0.2, "CPU", cpu) },
  { workload: "throughput", contender: "pooled, auto", ...bytesWritten },
  { workload: "single", contender: "standalone, auto", ...atLeast(8) },
  { workload: "latency", contender: "pooled, auto", ...atMost(0.35, "p50", p50) },
  { workload: "failing-many", contender: "pooled, auto", ...atLeast(4.5) },
  { workload: "slow", contender: "own, auto", ...atLeast(1.5) },
  { workload: "slow", contender: "pooled, auto", ...atLeast(1.5) },
  { workload: "timers", contender: "own, auto", ...timersOnTime },
  { workload: "timers", contender: "pooled, auto", ...timersOnTime },
  { workload: "timers-alone", contender: "own, auto", ...timersOnTime },
  { workload: "timers-alone", contender: "pooled, auto", ...timersOnTime },
  { workload: "timers-in-turn", contender: "own, auto", ...timersOnTime },
  { workload: "timers-in-turn", contender: "pooled, auto", ...timersOnTime },
  { workload: "burst", contender: "own, auto", ...allComplete },
  { workload: "burst", contender: "pooled, auto", ...allComplete },
  { workload: "crash", contender: "own, auto", ...nothingLost },
  { workload: "crash", contender: "pooled, auto", ...nothingLost },
  { workload: "memory", contender: "pooled, auto", ...atMost(0.1, "memory", ({ kibibytes }) => kibibytes) },
];

type Column = { readonly head: string; readonly of: (row: Row, theirs: Row | null) => string | null };

const columns: readonly Column[] = [
  { head: "exec/s", of: ({ perSecond }) => formatNumber(perSecond, 1) },
  { head: "fired p50", of: ({ firedP50 }) => formatNumber(firedP50, 1) },
  { head: "fired p99", of: ({ firedP99 }) => formatNumber(firedP99, 1) },
  { head: "p50 ms", of: ({ p50 }) => formatNumber(p50, 1) },
  { head: "p95 ms", of: ({ p95 }) => formatNumber(p95, 1) },
  { head: "p99 ms", of: ({ p99 }) => formatNumber(p99, 1) },
  { head: "p99 alone", of: ({ quietP99 }) => formatNumber(quietP99, 1) },
  { head: "p99 × alone", of: ({ p99, quietP99 }) => formatRatio(p99, quietP99) },
  { head: "max ms", of: ({ max }) => formatNumber(max, 0) },
  { head: "ack p50", of: ({ ackP50 }) => formatNumber(ackP50, 1) },
  { head: "ack p99", of: ({ ackP99 }) => formatNumber(ackP99, 1) },
  { head: "CPU ms/exec", of: ({ cpuMs }) => formatNumber(cpuMs, 2) },
  { head: "KiB written", of: ({ kibWritten }) => formatNumber(kibWritten, 1) },
  { head: "KiB/exec", of: ({ kibibytes }) => formatNumber(kibibytes, 1) },
  { head: "503s", of: ({ busy }) => busy?.toString() ?? null },
  { head: "500s", of: ({ broken }) => broken?.toString() ?? null },
  { head: "first answer ms", of: ({ firstAnswerMs }) => formatNumber(firstAnswerMs, 0) },
  { head: "p99 then", of: ({ firstP99 }) => formatNumber(firstP99, 1) },
  { head: "MB in all", of: ({ residentMb }) => formatNumber(residentMb, 0) },
  { head: "cells", of: ({ cells }) => cells?.toString() ?? null },
  { head: "lost", of: ({ lost, asked }) => (lost === undefined ? null : `${lost} of ${asked}`) },
  { head: "completed", of: ({ completed, asked }) => (completed === undefined ? null : `${completed} of ${asked}`) },
  { head: "throughput ×", of: (row, theirs) => formatRatio(row.perSecond, theirs?.perSecond) },
  { head: "p50 ×", of: (row, theirs) => formatRatio(row.p50, theirs?.p50) },
  { head: "CPU ×", of: (row, theirs) => formatRatio(row.cpuMs, theirs?.cpuMs) },
  { head: "memory ×", of: (row, theirs) => formatRatio(row.kibibytes, theirs?.kibibytes) },
];

export function formatTable({ name, title }: Pick<Workload, "name" | "title">, rows: readonly Row[]): string {
  const theirs = rows.find(({ contender }) => contender === WORKFLOWS) ?? null;
  const cells = rows.map((row) => columns.map(({ of }) => of(row, row === theirs ? null : theirs)));
  const used = columns.flatMap((_, at) => (cells.some((row) => (row[at] ?? null) !== null) ? [at] : []));
  const table = [
    ["", ...used.map((at) => columns[at]?.head ?? "")],
    ...rows.map(({ contender }, n) => [contender, ...used.map((at) => cells[n]?.[at] ?? "")]),
  ];
  return [`${name}: ${title}`, ...formatColumns(table).map((line) => `  ${line}`), ...rows.flatMap(remarksOf)].join(
    "\n",
  );
}

export function checkAims(rows: readonly Row[]): readonly { readonly text: string; readonly met: boolean }[] {
  const find = (workload: string, contender: string) =>
    rows.find((row) => row.workload === workload && row.contender === contender);
  return aims.flatMap(({ workload, contender, text, met }) => {
    const ours = find(workload, contender);
    const theirs = find(workload, WORKFLOWS);
    const answer = ours && theirs ? met(ours, theirs) : null;
    return answer === null ? [] : [{ text: `${workload} ${contender}: ${text}`, met: answer }];
  });
}

function remarksOf({ contender, repeats, failedStarts, failure }: Row): string[] {
  const said = [];
  if (failedStarts > 0) said.push(`${failedStarts} starts were refused or broken off, the first: ${failure}`);
  else if (failure !== null) said.push(failure);
  if (repeats > 0) said.push(`${repeats} calls were repeated after a 200`);
  return said.length === 0 ? [] : [`  ${contender}: ${said.join("; ")}`];
}

function compareRatio(
  ours: number | null | undefined,
  theirs: number | null | undefined,
  holdsOf: (ratio: number) => boolean,
): boolean | null {
  return ours == null || theirs == null || theirs <= 0 ? null : holdsOf(ours / theirs);
}

function formatRatio(ours: number | null | undefined, theirs: number | null | undefined): string | null {
  return ours == null || theirs == null || theirs <= 0 ? null : `${(ours / theirs).toFixed(2)}`;
}

function formatNumber(value: number | null | undefined, digits: number): string | null {
  return value == null ? null : value.toFixed(digits);
}
