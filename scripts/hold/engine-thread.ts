// What the engine's thread has done and waited for: all requests share it, so what one of them computes the others wait for. Read from
// /proc; elsewhere than on Linux it is not known.
import { readFileSync } from "node:fs";
import { childrenOf } from "../local/processes.ts";

/** ranMs: computed. waitedMs: was ready to, while other processes had the processors. */
export type ThreadTime = { readonly ranMs: number; readonly waitedMs: number };

const NS_PER_MS = 1_000_000;

export function engineThread(): () => ThreadTime {
  const pid = childrenOf(process.pid).find((child) => nameOf(child.pid) === "workerd")?.pid;
  return () => timeOf(pid ?? 0);
}

export function since(before: ThreadTime, after: ThreadTime): ThreadTime {
  return { ranMs: after.ranMs - before.ranMs, waitedMs: after.waitedMs - before.waitedMs };
}

function nameOf(pid: number): string {
  return read(`/proc/${pid}/comm`).trim();
}

function timeOf(pid: number): ThreadTime {
  const [ran = 0, waited = 0] = read(`/proc/${pid}/task/${pid}/schedstat`).split(" ").map(Number);
  return { ranMs: ran / NS_PER_MS, waitedMs: waited / NS_PER_MS };
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
