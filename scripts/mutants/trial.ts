// Mutant trial: finds out whether a test of the kernel detects a mutant. Golden histories and the tests named after the
// changed file run first, then the quick tests of its folder, and then all tests.
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { mutated, type Mutant } from "./mistake.ts";
import { whileChanged } from "./tree.ts";

/** `by`: the first test that failed. Null if no test failed. */
export type Trial = { readonly by: string | null };

/**
 * A trial's time limit, as a multiple of the duration of all tests without a mutant. A mutant may cause an endless
 * loop.
 */
const TIMES_AS_LONG = 3;
const LIMIT_MIN_MS = 90_000;
const UNCHANGED_LIMIT_MS = 900_000;
const VITEST = ["node_modules/vitest/vitest.mjs", "run", "--config", "scripts/mutants/vitest.config.ts", "--no-color"];
/** Tests that take some seconds each. They run last. */
const SLOW = [
  "step.random-inputs",
  "work.step",
  "redrive.late",
  "differential",
  "connection.sim",
  "occurrences.oracle",
];
/** Runs in an instant and covers much of a step's behaviour. */
const GOLDEN = "test/kernel/execution/step.golden.test.ts";
const QUICK = ["--passWithNoTests", ...SLOW.flatMap((name) => ["--exclude", `**/*${name}.test.ts`])];

let running: ChildProcess | null = null;

export async function tryMutant(root: string, mutant: Mutant, limitMs: number): Promise<Trial> {
  return whileChanged(
    join(root, mutant.file),
    (text) => mutated(mutant, text),
    async () => {
      for (const tests of stagesFor(root, mutant.file)) {
        const by = await firstFailure(root, tests, limitMs);
        if (by !== null) return { by };
      }
      return { by: null };
    },
  );
}

/**
 * Runs all tests without a mutant. Returns the first failing test, which makes all trials meaningless, and the time
 * limit of a trial.
 */
export async function tryUnchanged(
  root: string,
): Promise<{ readonly failing: string | null; readonly limitMs: number }> {
  const begun = performance.now();
  const failing = await firstFailure(root, [], UNCHANGED_LIMIT_MS);
  return { failing, limitMs: Math.max(LIMIT_MIN_MS, TIMES_AS_LONG * (performance.now() - begun)) };
}

export function stopTrial(): void {
  if (running?.pid === undefined) return;
  try {
    // Vitest's workers are child processes. One in an endless loop would outlive Vitest.
    process.kill(-running.pid, "SIGKILL");
  } catch {
    // The process has ended already.
  }
}

function stagesFor(root: string, file: string): readonly (readonly string[])[] {
  const folder = dirname(file).replace(/^src/, "test");
  const name = `${basename(file, ".ts")}.`;
  const inFolder = existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : [];
  const own = inFolder.filter((each) => each.startsWith(name) && each.endsWith(".test.ts"));
  return [[...QUICK, GOLDEN, ...own.map((each) => `${folder}/${each}`)], [...QUICK, `${folder}/`], []];
}

function firstFailure(root: string, tests: readonly string[], limitMs: number): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const args = [...VITEST, "--bail", "1", ...tests];
    const child = spawn(process.execPath, args, { cwd: root, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    running = child;
    let isOver = false;
    const clock = setTimeout(() => {
      isOver = true;
      stopTrial();
    }, limitMs);
    const said: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => said.push(chunk));
    child.once("error", reject);
    child.once("close", (status) => {
      clearTimeout(clock);
      running = null;
      if (status === 0) return resolve(null);
      if (isOver) return resolve(`no end within ${Math.round(limitMs / 1_000)} s`);
      const text = Buffer.concat(said).toString();
      const failed = /FAIL\s+(.*)/.exec(text)?.[1];
      // Only a failing test counts. If vitest fails without one, the trial is invalid.
      if (failed === undefined) return reject(new Error(`no test failed, and yet vitest did:\n${text}`));
      resolve(failed.replace(/\s+/g, " "));
    });
  });
}
