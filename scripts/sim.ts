// Simulator search: runs the simulator with many seeds: `npm run sim -- --seeds 5000`. One run again:
// `--seed N --scenario X --trace`. The simulated cell needs the types of Workers, which other scripts do not use.
/// <reference types="@cloudflare/workers-types/experimental" />
import { parseArgs } from "node:util";
import { scenarios } from "#test/sim/all-scenarios.ts";
import { simulate, type Report } from "#test/sim/simulate.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "300" },
    from: { type: "string", default: "1" },
    seed: { type: "string" },
    scenario: { type: "string" },
    trace: { type: "boolean", default: false },
  },
});

const TRACE_LINES = values.trace ? 100_000 : 40;
const FAILURES_SHOWN = 5;
const names = values.scenario === undefined ? Object.keys(scenarios) : [values.scenario];
const first = Number(values.seed ?? values.from);
const count = values.seed === undefined ? Number(values.seeds) : 1;

const begun = performance.now();
let failed = 0;
for (let seed = first; seed < first + count; seed++) {
  // Without --scenario each seed takes the next scenario.
  const scenario = names[(seed - 1) % names.length] ?? "sequence";
  const report = await simulate({ scenario, seed, linesKept: TRACE_LINES });
  if (report.findings.length > 0) {
    failed += 1;
    if (failed <= FAILURES_SHOWN) show(report);
    else console.log(`seed ${seed} ${scenario}: ${report.findings[0]}`);
  } else if (values.trace) {
    console.log(report.trace.join("\n"));
  }
}
const seconds = (performance.now() - begun) / 1_000;
console.log(`${count} seeds, ${failed} failed, ${(count / seconds).toFixed(0)} seeds per second`);
process.exit(failed === 0 ? 0 : 1);

function show({ seed, scenario, findings, trace }: Report): void {
  console.log(`\nseed ${seed}, scenario ${scenario}:`);
  for (const finding of findings) console.log(`  ✗ ${finding}`);
  console.log(trace.map((line) => `    ${line}`).join("\n"));
  console.log(`  again: npm run sim -- --seed ${seed} --scenario ${scenario} --trace`);
}
