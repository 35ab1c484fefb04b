// Benchmark (`npm run bench`): runs every workload on Escapement and on Cloudflare Workflows, one after the other on this
// machine. Each gets a fresh host, and both call the same sink.
//   --only throughput,latency   runs these workloads only. `step`: the kernel alone, with the growth of a step's cost.
//                               `preview`: the calendar of many subjects. `reconcilers`: the cost of idle reconcilers.
//                               `forecast`: compares a forecast with the enrolment of a list. It takes minutes and runs
//                               only if it is named here.
//   --asleep 0,10000,100000     the numbers of sleeping executions for `sleepers`, which runs only if it is named.
//                               1,000,000 need a gigabyte of disk.
//   --enrol 10000               how many subjects `forecast` enrols: --pace 60 a second, through a connection with
//                               --rate 40 a second, each in its own object or --pooled
//   --seconds 3                 how long each closed-loop measurement lasts
//   --recurring 1500            how many recurring actions are due in one minute or second
//   --rounds 3                  repeats everything and prints medians
//   --quick                     a smoke run of some seconds: proves that all workloads work, and measures nothing
//   --json                      prints one line of JSON per row and nothing else
import { parseArgs } from "node:util";
import { type Contender, WORKFLOWS } from "../bench/contender.ts";
import { medians } from "../bench/medians.ts";
import { enrolmentBlock, measureEnrolment } from "../bench/enrolment/enrolment.ts";
import { measurePreview, previewBlock } from "../bench/preview/preview.ts";
import { measureReconcilers, reconcilersBlock } from "../bench/reconcilers/reconcilers.ts";
import { block, verdicts } from "../bench/report.ts";
import { curveBlock } from "../bench/step/report.ts";
import { measureCurves } from "../bench/step/curves.ts";
import { openSink, type Sink } from "../bench/sink.ts";
import { removeStateDirs } from "../bench/state.ts";
import { FULL, QUICK, type Scale } from "../bench/scale.ts";
import type { Row, Workload } from "../bench/row.ts";
import { workloads } from "../bench/workloads.ts";
import { measureSleepers, SLEEPERS } from "../bench/sleepers/sleepers.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    seconds: { type: "string" },
    recurring: { type: "string" },
    asleep: { type: "string", default: "0,10000,100000,1000000" },
    enrol: { type: "string", default: "10000" },
    pace: { type: "string", default: "60" },
    rate: { type: "string", default: "40" },
    pooled: { type: "boolean", default: false },
    rounds: { type: "string", default: "1" },
    quick: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
const plain: Scale = values.quick ? QUICK : FULL;
const scale: Scale = {
  ...plain,
  seconds: Number(values.seconds ?? plain.seconds),
  recurring: Number(values.recurring ?? plain.recurring),
};
const rounds = Number(values.rounds);
if (!(scale.seconds > 0) || !(rounds >= 1) || !(scale.recurring >= 1))
  fail("--seconds, --rounds and --recurring take positive numbers");

const STEP = "step";
const MS_PER_POINT = { full: 150, quick: 5 };
const asked = values.only?.split(",").map((name) => name.trim());
if (asked === undefined || asked.includes(STEP)) tellSteps();
const PREVIEW = "preview";
const CROWD = { full: 5_000, quick: 50 };
if (asked === undefined || asked.includes(PREVIEW)) await tellPreview();
process.on("exit", removeStateDirs);
const FORECAST = "forecast";
if (asked?.includes(FORECAST)) await tellForecast();
const RECONCILERS = "reconcilers";
const RESTING = { full: { count: 1_000, seconds: 10 }, quick: { count: 20, seconds: 2 } };
if (asked === undefined || asked.includes(RECONCILERS)) await tellReconcilers();

const sink = await openSink();
const rows: Row[] = [];
for (const workload of chosen()) {
  const measured = await measure(workload, sink);
  rows.push(...measured);
  if (values.json) for (const row of measured) console.log(JSON.stringify(row));
  else console.log(`${block(workload, measured)}\n`);
}
if (asked?.includes(SLEEPERS.name)) await tellSleepers();
await sink.close();
if (!values.json && !values.quick) tellAims();
process.exit(rows.some(isWrong) ? 1 : 0);

function chosen(): readonly Workload[] {
  const apart = [STEP, PREVIEW, RECONCILERS, FORECAST, SLEEPERS.name];
  if (asked === undefined) return workloads.filter(({ inQuick }) => !values.quick || inQuick.length > 0);
  return asked.flatMap((name) => {
    if (apart.includes(name)) return [];
    const found = workloads.find((workload) => workload.name === name);
    return [
      found ?? fail(`there is no workload ${name}; there are ${[...apart, ...workloads.map(nameOf)].join(", ")}`),
    ];
  });
}

function nameOf({ name }: Workload): string {
  return name;
}

/** Runs the kernel alone, without a host or a contender. Compare its figures with those of an earlier run. */
function tellSteps(): void {
  const curves = measureCurves(values.quick ? MS_PER_POINT.quick : MS_PER_POINT.full, values.quick);
  if (values.json) for (const curve of curves) console.log(JSON.stringify({ workload: STEP, ...curve }));
  else console.log(`${curveBlock(curves)}\n`);
}

async function tellPreview(): Promise<void> {
  const row = await measurePreview(values.quick ? CROWD.quick : CROWD.full);
  console.log(values.json ? JSON.stringify({ workload: PREVIEW, ...row }) : `${previewBlock(row)}\n`);
}

async function tellForecast(): Promise<void> {
  const enrolled = {
    count: Number(values.enrol),
    perSecond: Number(values.pace),
    rate: Number(values.rate),
    placement: values.pooled ? ("pooled" as const) : ("own" as const),
  };
  const lines = await measureEnrolment(enrolled, (line) => console.error(line));
  if (values.json) for (const line of lines) console.log(JSON.stringify({ workload: FORECAST, ...line }));
  else console.log(`${enrolmentBlock(enrolled, lines)}\n`);
}

async function tellReconcilers(): Promise<void> {
  const { count, seconds } = values.quick ? RESTING.quick : RESTING.full;
  const found = await measureReconcilers(count, seconds);
  if (values.json) for (const row of found) console.log(JSON.stringify({ workload: RECONCILERS, ...row }));
  else console.log(`${reconcilersBlock(found)}\n`);
}

async function tellSleepers(): Promise<void> {
  const counts = values.asleep.split(",").map(Number);
  if (!counts.every((count) => Number.isInteger(count) && count >= 0)) fail("--asleep takes numbers, as in 0,10000");
  const found = await measureSleepers(sink, scale, { counts, rounds, tell: (line) => console.error(line) });
  rows.push(...found);
  if (values.json) for (const row of found) console.log(JSON.stringify(row));
  else console.log(`${block(SLEEPERS, found)}\n`);
}

async function measure(workload: Workload, sink: Sink): Promise<Row[]> {
  const taking = values.quick && workload.inQuick.length > 0 ? workload.inQuick : workload.contenders;
  const byContender = new Map<Contender, Row[]>(taking.map((contender) => [contender, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [contender, found] of byContender) found.push(await once(workload, contender, sink));
  }
  return [...byContender.values()].map(medians);
}

async function once(workload: Workload, contender: Contender, sink: Sink): Promise<Row> {
  const hosted = await contender.host();
  try {
    await sink.tally();
    const measured = await workload.run({ hosted, sink, scale });
    const { repeats } = await sink.tally();
    return { workload: workload.name, contender: contender.name, ...measured, repeats };
  } finally {
    await hosted.dispose();
  }
}

/** Returns true if a contender did not complete all executions or has no figures. A smoke run then fails. */
function isWrong({ contender, completed, asked, p50, kibibytes }: Row): boolean {
  if (contender === WORKFLOWS) return false;
  return (completed !== undefined && completed !== asked) || (p50 === null && kibibytes === undefined);
}

function tellAims(): void {
  const told = verdicts(rows);
  if (told.length > 0)
    console.log(["aims", ...told.map(({ says, met }) => `  ${met ? "met   " : "MISSED"} ${says}`)].join("\n"));
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
