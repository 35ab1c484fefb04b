// Whether any test of the kernel notices a mutant: golden histories and those named after its file are asked first, then
// the quick ones of its folder, and all of them only where it still lives.
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { mutated, type Mutant } from "./mistake.ts";
import { whileChanged } from "./tree.ts";

/** `by`: the first test that failed. Null where none did. */
export type Trial = { readonly by: string | null };

/** What has no end takes so many times as long as all tests did with nothing changed, on whatever machine that was. */
const TIMES_AS_LONG = 3;
const LIMIT_MIN_MS = 90_000;
const UNCHANGED_LIMIT_MS = 900_000;
const VITEST = ["node_modules/vitest/vitest.mjs", "run", "--config", "scripts/mutants/vitest.config.ts", "--no-color"];
/** They take some seconds each. */
const SLOW = ["step.anything", "work.step", "redrive.late", "differential", "connection.sim", "occurrences.oracle"];
/** In an instant it sees much of what anything does. */
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

/** What fails with nothing changed: then no mutant says anything. And how long each mutant is to be tried. */
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
    // Vitest's workers are processes of their own: one in a loop without end would outlive it.
    process.kill(-running.pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
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
      // Only a failing test counts: what cannot even begin tells nothing of them.
      if (failed === undefined) return reject(new Error(`no test failed, and yet vitest did:\n${text}`));
      resolve(failed.replace(/\s+/g, " "));
    });
  });
}
