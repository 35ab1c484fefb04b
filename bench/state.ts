// Where the hosts of one bench keep their state: on disk, and until the bench is over. Removing thousands of files
// slows down every new one for minutes on some file systems (ext4 passes over inodes that were freed lately), and the
// contender that came next would pay for it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const made: string[] = [];

export function newStateDir(): string {
  const path = mkdtempSync(join(tmpdir(), "escapement-bench-"));
  made.push(path);
  return path;
}

export function removeStateDirs(): void {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
}
