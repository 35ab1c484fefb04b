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
import { mediansOf } from "../bench/medians.ts";
import { enrolmentBlock, measureEnrolment } from "../bench/enrolment/enrolment.ts";
import { measurePreview, previewBlock } from "../bench/preview/preview.ts";
import { measureReconcilers, reconcilersBlock } from "../bench/reconcilers/reconcilers.ts";
import { formatTable, checkAims } from "../bench/report.ts";
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
const baseScale: Scale = values.quick ? QUICK : FULL;
const scale: Scale = {
  ...baseScale,
  seconds: Number(values.seconds ?? baseScale.seconds),
  recurring: Number(values.recurring ?? baseScale.recurring),
};
const rounds = Number(values.rounds);
if (!(scale.seconds > 0) || !(rounds >= 1) || !(scale.recurring >= 1))
  fail("--seconds, --rounds and --recurring take positive numbers");

const STEP = "step";
const MS_PER_POINT = { full: 150, quick: 5 };
const chosenNames = values.only?.split(",").map((name) => name.trim());
if (chosenNames === undefined || chosenNames.includes(STEP)) printStepCurves();
const PREVIEW = "preview";
const CROWD = { full: 5_000, quick: 50 };
if (chosenNames === undefined || chosenNames.includes(PREVIEW)) await printPreview();
process.on("exit", removeStateDirs);
const FORECAST = "forecast";
if (chosenNames?.includes(FORECAST)) await printForecast();
const RECONCILERS = "reconcilers";
const RESTING = { full: { count: 1_000, seconds: 10 }, quick: { count: 20, seconds: 2 } };
if (chosenNames === undefined || chosenNames.includes(RECONCILERS)) await printReconcilers();

const sink = await openSink();
const rows: Row[] = [];
for (const workload of chosenWorkloads()) {
  const measured = await measure(workload, sink);
  rows.push(...measured);
  if (values.json) for (const row of measured) console.log(JSON.stringify(row));
  else console.log(`${formatTable(workload, measured)}\n`);
}
if (chosenNames?.includes(SLEEPERS.name)) await printSleepers();
await sink.close();
if (!values.json && !values.quick) printAims();
process.exit(rows.some(isIncomplete) ? 1 : 0);

function chosenWorkloads(): readonly Workload[] {
  const ownCommands = [STEP, PREVIEW, RECONCILERS, FORECAST, SLEEPERS.name];
  if (chosenNames === undefined)
    return workloads.filter(({ smokeContenders }) => !values.quick || smokeContenders.length > 0);
  return chosenNames.flatMap((name) => {
    if (ownCommands.includes(name)) return [];
    const found = workloads.find((workload) => workload.name === name);
    return [
      found ?? fail(`there is no workload ${name}; there are ${[...ownCommands, ...workloads.map(nameOf)].join(", ")}`),
    ];
  });
}

function nameOf({ name }: Workload): string {
  return name;
}

/** Runs the kernel alone, without a host or a contender. Compare its figures with those of an earlier run. */
function printStepCurves(): void {
  const curves = measureCurves(values.quick ? MS_PER_POINT.quick : MS_PER_POINT.full, values.quick);
  if (values.json) for (const curve of curves) console.log(JSON.stringify({ workload: STEP, ...curve }));
  else console.log(`${curveBlock(curves)}\n`);
}

async function printPreview(): Promise<void> {
  const row = await measurePreview(values.quick ? CROWD.quick : CROWD.full);
  console.log(values.json ? JSON.stringify({ workload: PREVIEW, ...row }) : `${previewBlock(row)}\n`);
}

async function printForecast(): Promise<void> {
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

async function printReconcilers(): Promise<void> {
  const { count, seconds } = values.quick ? RESTING.quick : RESTING.full;
  const found = await measureReconcilers(count, seconds);
  if (values.json) for (const row of found) console.log(JSON.stringify({ workload: RECONCILERS, ...row }));
  else console.log(`${reconcilersBlock(found)}\n`);
}

async function printSleepers(): Promise<void> {
  const counts = values.asleep.split(",").map(Number);
  if (!counts.every((count) => Number.isInteger(count) && count >= 0)) fail("--asleep takes numbers, as in 0,10000");
  const found = await measureSleepers(sink, scale, { counts, rounds, tell: (line) => console.error(line) });
  rows.push(...found);
  if (values.json) for (const row of found) console.log(JSON.stringify(row));
  else console.log(`${formatTable(SLEEPERS, found)}\n`);
}

async function measure(workload: Workload, sink: Sink): Promise<Row[]> {
  const measuredContenders =
    values.quick && workload.smokeContenders.length > 0 ? workload.smokeContenders : workload.contenders;
  const byContender = new Map<Contender, Row[]>(measuredContenders.map((contender) => [contender, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [contender, found] of byContender) found.push(await measureOnce(workload, contender, sink));
  }
  return [...byContender.values()].map(mediansOf);
}

async function measureOnce(workload: Workload, contender: Contender, sink: Sink): Promise<Row> {
  const hosted = await contender.host();
  try {
    await sink.resetTally();
    const measured = await workload.run({ hosted, sink, scale });
    const { repeats } = await sink.resetTally();
    return { workload: workload.name, contender: contender.name, ...measured, repeats };
  } finally {
    await hosted.dispose();
  }
}

/** Returns true if a contender did not complete all executions or has no figures. A smoke run then fails. */
function isIncomplete({ contender, completed, asked, p50, kibibytes }: Row): boolean {
  if (contender === WORKFLOWS) return false;
  return (completed !== undefined && completed !== asked) || (p50 === null && kibibytes === undefined);
}

function printAims(): void {
  const verdicts = checkAims(rows);
  if (verdicts.length > 0)
    console.log(["aims", ...verdicts.map(({ text, met }) => `  ${met ? "met   " : "MISSED"} ${text}`)].join("\n"));
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
