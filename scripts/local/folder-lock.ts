// State folder lock: allows one engine per state folder. Two would write conflicting states and repeat the effects of
// timers. The lock is a SQLite lock, which the system releases when the process ends. A runtime process that outlives
// its killed host holds no lock. A file lists it, and it is ended first.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { endProcess, isRunning, type ProcessName } from "./processes.ts";

const processName = z.object({ pid: z.number(), began: z.string() });
const holder = z.object({
  pid: z.number(),
  since: z.string(),
  /** null: the engine does not listen yet. */
  engineUrl: z.string().nullable(),
  /** The runtime's processes. */
  runtime: z.array(processName),
});
export type LockOwner = z.infer<typeof holder>;

export type FolderLock = {
  /** true: the previous engine was killed, and the system may not have closed its ports yet. */
  readonly isAfterKill: boolean;
  /** Stores the engine's address and its runtime processes, for the next engine that opens the folder. */
  storeAddress(engineUrl: string, runtime: readonly ProcessName[]): void;
  release(): void;
};

export class FolderInUse extends Error {
  readonly stateDir: string;
  /** null: the other engine has not written its file yet. */
  readonly owner: LockOwner | null;
  constructor(stateDir: string, by: LockOwner | null) {
    super(`${stateDir} is in use`);
    this.stateDir = stateDir;
    this.owner = by;
  }
}

/** Keeps the lock's connection referenced. The garbage collector would close it and release the lock. */
const openLocks = new Set<DatabaseSync>();

const BUSY = 5;
const END_WAIT_MS = 3_000;

export async function lockFolder(stateDir: string): Promise<FolderLock> {
  mkdirSync(stateDir, { recursive: true });
  const file = join(stateDir, "engine.json");
  const lock = openLock(stateDir, file);
  const earlier = readOwner(file);
  const left = earlier?.runtime.filter(isRunning) ?? [];
  for (const each of left) {
    if (await endProcess(each, END_WAIT_MS)) {
      console.log(`Ended the runtime (process ${each.pid}) that a killed engine left behind.`);
      continue;
    }
    lock.close();
    throw new FolderInUse(stateDir, earlier);
  }
  openLocks.add(lock);
  const mine: LockOwner = { pid: process.pid, since: new Date().toISOString(), engineUrl: null, runtime: [] };
  writeFileSync(file, JSON.stringify(mine));
  return {
    isAfterKill: earlier !== null,
    storeAddress: (engineUrl, runtime) => writeFileSync(file, JSON.stringify({ ...mine, engineUrl, runtime })),
    release: () => {
      if (!openLocks.delete(lock)) return;
      rmSync(file, { force: true });
      lock.close();
    },
  };
}

function openLock(stateDir: string, file: string): DatabaseSync {
  const lock = new DatabaseSync(join(stateDir, "engine.lock"), { timeout: 0 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock.close();
    throw isBusy(error) ? new FolderInUse(stateDir, readOwner(file)) : error;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === BUSY;
}

/** Reads the lock's owner. Null if the file is missing or incomplete, because it only adds details to an error. */
function readOwner(file: string): LockOwner | null {
  try {
    const parsed = holder.safeParse(JSON.parse(readFileSync(file, "utf8")));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
