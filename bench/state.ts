// Bench state folders: keeps each host's state on disk until the bench ends. Removing thousands of files slows down new
// files for minutes on some file systems: ext4 skips inodes that were freed recently. That would distort the next
// contender's figures.
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
