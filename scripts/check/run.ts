// Runs steps beside each other, as many as there are cores. What a step says is kept back until it ends, so that no two
// speak at once: all of it where it failed, its last lines where it did not.
import { spawn, type ChildProcess } from "node:child_process";
import { availableParallelism } from "node:os";
import type { Step } from "./steps.ts";

export type Ran = {
  readonly name: string;
  readonly ok: boolean;
  readonly seconds: number;
  /** The last it said. */
  readonly end: readonly string[];
};

const LINES_OF_SUCCESS = 6;
/** Of a failed step, again beneath all others: where only the end of it all is kept, it still says what failed. */
const LINES_OF_END = 40;
const CORES = Math.max(2, availableParallelism());

const running = new Set<ChildProcess>();
// Each step is a process group of its own: a signal to us would not reach it.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.once(signal, () => {
    for (const child of running) stop(child);
    process.exit(1);
  });

/** In the order of the steps, whichever ended first. */
export async function runAll(steps: readonly Step[]): Promise<Ran[]> {
  const ended = new Map<Step, Ran>();
  const run = async (step: Step): Promise<void> => void ended.set(step, await runOne(step));
  const left = steps.filter(({ waits }) => !waits);
  const core = async (): Promise<void> => {
    for (let step = left.shift(); step; step = left.shift()) await run(step);
  };
  await Promise.all([...steps.filter(({ waits }) => waits).map(run), ...Array.from({ length: CORES }, core)]);
  return steps.flatMap((step) => ended.get(step) ?? []);
}

async function runOne({ name, command, hint }: Step): Promise<Ran> {
  const begun = performance.now();
  const { ok, said } = await outputOf(command);
  const seconds = (performance.now() - begun) / 1_000;
  const lines = said.split("\n").filter((line) => line.trim() !== "");
  console.log(`\n— ${name}: ${command} (${seconds.toFixed(1)} s)`);
  for (const line of ok ? lines.slice(-LINES_OF_SUCCESS) : lines) console.log(line);
  if (!ok) console.log(`${name} failed: ${hint}`);
  return { name, ok, seconds, end: lines.slice(-LINES_OF_END) };
}

function outputOf(command: string): Promise<{ ok: boolean; said: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, { shell: true, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    running.add(child);
    const said: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => said.push(chunk));
    child.once("error", (error) => said.push(Buffer.from(String(error))));
    child.once("close", (status) => {
      running.delete(child);
      resolve({ ok: status === 0, said: Buffer.concat(said).toString() });
    });
  });
}

function stop({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGTERM");
  } catch {
    // It has ended meanwhile.
  }
}
