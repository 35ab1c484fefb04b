// One engine on a state folder at a time: two would make two truths of every execution, and send its timers' effects
// twice. The lock is SQLite's on a file of its own, which the system lets go of however the process ends. The runtime
// that outlives a killed engine holds no such lock: it is known by what is written down beside it, and ended first.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { endProcess, isRunning, type ProcessName } from "./processes.ts";

const processName = z.object({ pid: z.number(), began: z.string() });
const holder = z.object({
  pid: z.number(),
  since: z.string(),
  /** null until it listens. */
  engineUrl: z.string().nullable(),
  /** The processes that it works through. */
  runtime: z.array(processName),
});
export type Holder = z.infer<typeof holder>;

export type FolderLock = {
  /** Says where it listens and what it works through, for whoever comes next. */
  listensAt(engineUrl: string, runtime: readonly ProcessName[]): void;
  release(): void;
};

export class FolderInUse extends Error {
  readonly stateDir: string;
  /** null: it has not written itself down yet. */
  readonly holder: Holder | null;
  constructor(stateDir: string, by: Holder | null) {
    super(`${stateDir} is in use`);
    this.stateDir = stateDir;
    this.holder = by;
  }
}

/** One that nothing refers to any more is closed by the garbage collector, and its lock is gone. */
const held = new Set<DatabaseSync>();

const BUSY = 5;
const END_WAIT_MS = 3_000;

export async function lockFolder(stateDir: string): Promise<FolderLock> {
  mkdirSync(stateDir, { recursive: true });
  const file = join(stateDir, "engine.json");
  const lock = locked(stateDir, file);
  const earlier = holderIn(file);
  const left = earlier?.runtime.filter(isRunning) ?? [];
  for (const each of left) {
    if (await endProcess(each, END_WAIT_MS)) {
      console.log(`An engine was killed here and left its runtime (process ${each.pid}) behind: ended.`);
      continue;
    }
    lock.close();
    throw new FolderInUse(stateDir, earlier);
  }
  held.add(lock);
  const mine: Holder = { pid: process.pid, since: new Date().toISOString(), engineUrl: null, runtime: [] };
  writeFileSync(file, JSON.stringify(mine));
  return {
    listensAt: (engineUrl, runtime) => writeFileSync(file, JSON.stringify({ ...mine, engineUrl, runtime })),
    release: () => {
      if (!held.delete(lock)) return;
      rmSync(file, { force: true });
      lock.close();
    },
  };
}

function locked(stateDir: string, file: string): DatabaseSync {
  const lock = new DatabaseSync(join(stateDir, "engine.lock"), { timeout: 0 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock.close();
    throw isBusy(error) ? new FolderInUse(stateDir, holderIn(file)) : error;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === BUSY;
}

/** null where nothing is written down, or not whole: the lock decides, this only says more. */
function holderIn(file: string): Holder | null {
  try {
    const parsed = holder.safeParse(JSON.parse(readFileSync(file, "utf8")));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
