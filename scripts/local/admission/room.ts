// How many more objects the local runtime may open: each that is awake holds three files (its database, what it writes
// ahead, the index of that) and a connection, which are two, and all of them live in one process with one limit. Node has raised that
// as far as it may already. Only Linux tells how many are open; elsewhere there is always room.
import { readdirSync, readFileSync, statSync } from "node:fs";

const FILES_EACH = 5;
/** For connections, and for what wakes by itself: alarms ask nobody. The runtime ends where it cannot accept a connection. */
const RESERVED_SHARE = 0.3;
export const GIVEN_AT_ONCE_MAX = 256;

export type Files = { readonly open: number; readonly limit: number };

/** `pending`: who may open one already, and perhaps has not yet. */
export function roomIn(files: Files | null, pending: number): number {
  if (files === null) return GIVEN_AT_ONCE_MAX;
  const left = Math.floor((files.limit * (1 - RESERVED_SHARE) - files.open) / FILES_EACH) - pending;
  return Math.max(0, Math.min(GIVEN_AT_ONCE_MAX, left));
}

/** null where the system does not tell. */
export function filesOf(pid: number): Files | null {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/limits`, "utf8"))?.[1];
    if (soft === undefined) return null;
    // Newer kernels say how many there are without listing them.
    const folder = `/proc/${pid}/fd`;
    return { open: statSync(folder).size || readdirSync(folder).length, limit: Number(soft) };
  } catch {
    return null;
  }
}
