// Load test (`npm run load -- plan.json`): runs a load plan against an engine, by default that of `npm start`.
//   --url, --key      the engine's address, and a key with the scopes read and write
//   --sandbox         the sandbox's address, if it differs from the plan's
//   --json out.json   writes the report with its figures per second
//   --allow-remote    required for any host but this machine
// Exit code 0: all answers are as the plan expects. 1: some are not. 2: nothing was run.
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { performance } from "node:perf_hooks";
import { runLoad } from "./load/drive.ts";
import { openFollower } from "./load/follow.ts";
import { connect } from "./load/http.ts";
import { optionsOf, Usage, type Options } from "./load/options.ts";
import { progressLine } from "./load/progress.ts";
import { formatReport, buildReport, type Report } from "./load/report.ts";
import { storeScripts } from "./load/sandbox.ts";
import { openTally, type Tally } from "./load/tally.ts";

const root = resolve(import.meta.dirname, "..");
const PROGRESS_MS = process.stdout.isTTY ? 200 : 5_000;

try {
  const options = optionsOf(process.argv.slice(2), process.env, root);
  const report = await run(options);
  console.log(formatReport(report).join("\n"));
  if (options.json !== null) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
  process.exit(Object.keys(report.total.surprises).length === 0 ? 0 : 1);
} catch (error) {
  if (!(error instanceof Usage)) throw error;
  console.error(error.message);
  process.exit(2);
}

async function run({ plan: asked, url, key }: Options): Promise<Report> {
  const { ask, close } = connect(url, { Authorization: `Bearer ${key}` }, asked.concurrency * 2 + 50);
  await mustAnswer(ask, url);
  const { plan, notes, clear } = await storeScripts(asked);
  if (plan.scenarios.length === 0) throw new Usage(["No scenario can run.", ...notes].join("\n"));
  const load = randomBytes(4).toString("hex");
  const tally = openTally(plan.scenarios.map(({ name }) => name));
  const begun = performance.now();
  const sinceBegin = () => performance.now() - begun;
  const isStopped = stopOnInterrupt();
  let isOver = false;
  const stopTicking = tick(tally, () => progressLine(tally, plan, sinceBegin(), isOver), sinceBegin);
  const follower = openFollower({ ask, tally, atOnce: plan.limits.followedAtOnce, sinceBegin });
  await runLoad({ plan, load, ask, tally, follower, sinceBegin, isStopped });
  const loadMs = sinceBegin();
  isOver = true;
  const open = await follower.drain(plan.limits.drainMs);
  stopTicking();
  await clear();
  close();
  return buildReport({ plan, tally, url, load, loadMs, allMs: sinceBegin(), open, notes });
}

async function mustAnswer(ask: ReturnType<typeof connect>["ask"], url: string): Promise<void> {
  const { status, body } = await ask("GET", "/v1/retry-policies");
  if (status === 200) return;
  if (status === 0) throw new Usage(`No engine answers at ${url} (${String(body)}). Start one with npm start.`);
  throw new Usage(`${url} answers ${status}: ${JSON.stringify(body)}`);
}

/**
 * Returns a function that tells whether Ctrl-C was pressed. The first Ctrl-C ends the load and prints the report; the
 * second ends the process.
 */
function stopOnInterrupt(): () => boolean {
  let isStopped = false;
  process.once("SIGINT", () => (isStopped = true));
  return () => isStopped;
}

/**
 * Records each second how busy this machine's event loop was, and prints the progress. Returns a function that stops
 * both.
 */
function tick(tally: Tally, lineNow: () => string, sinceBegin: () => number): () => void {
  let last = performance.eventLoopUtilization();
  const watch = setInterval(() => {
    const now = performance.eventLoopUtilization();
    tally.second(sinceBegin() - 500).busy = performance.eventLoopUtilization(now, last).utilization;
    last = now;
  }, 1_000);
  const show = setInterval(() => {
    const line = lineNow();
    if (process.stdout.isTTY) process.stdout.write(`\r\x1b[2K${line.slice(0, process.stdout.columns - 1)}`);
    else console.log(line);
  }, PROGRESS_MS);
  return () => {
    clearInterval(watch);
    clearInterval(show);
    if (process.stdout.isTTY) process.stdout.write("\r\x1b[2K");
  };
}
