// File limit of the local runtime: computes how many more objects may be opened. An open object holds three files
// (database, write-ahead log, shared-memory index) and a connection, which is two, all in one process. Node has raised
// the process limit to its maximum already. Only Linux reports open files; on other systems the limit is not applied.
import { readdirSync, readFileSync, statSync } from "node:fs";

const FILES_EACH = 5;
/**
 * The share of files for connections and for objects that alarms open. The runtime crashes if it cannot accept a
 * connection.
 */
const RESERVED_SHARE = 0.3;
export const PERMITS_PER_ANSWER_MAX = 256;

export type Files = { readonly open: number; readonly limit: number };

/**
 * Returns how many more objects may be opened. `pending`: objects whose permit is granted and which may not be open
 * yet.
 */
export function objectsThatMayOpen(files: Files | null, pending: number): number {
  if (files === null) return PERMITS_PER_ANSWER_MAX;
  const left = Math.floor((files.limit * (1 - RESERVED_SHARE) - files.open) / FILES_EACH) - pending;
  return Math.max(0, Math.min(PERMITS_PER_ANSWER_MAX, left));
}

/** Null if the system does not report open files. */
export function readOpenFiles(pid: number): Files | null {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/limits`, "utf8"))?.[1];
    if (soft === undefined) return null;
    // Newer kernels report the number of files as the folder's size.
    const folder = `/proc/${pid}/fd`;
    return { open: statSync(folder).size || readdirSync(folder).length, limit: Number(soft) };
  } catch {
    return null;
  }
}
