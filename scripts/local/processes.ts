// Process identity: checks whether a stored process is still the same one. Process ids are reused, so the start time is
// stored too. Null where the system does not report it: an unknown process is never ended.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

export type ProcessName = { readonly pid: number; readonly began: string };

/** Null if there is no such process, or if the system does not report its start time. */
export function processNamed(pid: number): ProcessName | null {
  const began = process.platform === "linux" ? beganOnLinux(pid) : beganByPs(pid);
  return began === null ? null : { pid, began };
}

export function isRunning({ pid, began }: ProcessName): boolean {
  return processNamed(pid)?.began === began;
}

/** Lists the direct child processes of `pid`. */
export function childrenOf(pid: number): readonly ProcessName[] {
  const pids = process.platform === "linux" ? childrenOnLinux(pid) : childrenByPs(pid);
  return pids.flatMap((child) => processNamed(child) ?? []);
}

/** Ends the process with SIGTERM, then SIGKILL. Returns false if it still runs `waitMs` after the second signal. */
export async function endProcess(name: ProcessName, waitMs: number): Promise<boolean> {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    if (isRunning(name)) process.kill(name.pid, signal);
    const until = Date.now() + waitMs;
    while (isRunning(name) && Date.now() < until) await new Promise((done) => setTimeout(done, 20));
  }
  return !isRunning(name);
}

/** Returns the boot id and the process's start time in ticks since boot. A zombie process counts as ended. */
function beganOnLinux(pid: number): string | null {
  const fields = statOf(pid);
  if (fields === null || fields[0] === "Z") return null;
  return `${read("/proc/sys/kernel/random/boot_id")?.trim() ?? ""}/${fields[19]}`;
}

function childrenOnLinux(pid: number): readonly number[] {
  const pids = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []));
  return pids.filter((each) => statOf(each)?.[1] === String(pid));
}

/**
 * Returns the fields after the process's name: state, parent, …, start time. The name is in brackets and may contain
 * any character.
 */
function statOf(pid: number): readonly string[] | null {
  const stat = read(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ") ?? null;
}

function read(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}

function beganByPs(pid: number): string | null {
  const began = ps(["-o", "lstart=", "-p", String(pid)])[0]?.trim();
  return began === undefined || began === "" ? null : began;
}

function childrenByPs(pid: number): readonly number[] {
  return ps(["-A", "-o", "pid=,ppid="]).flatMap((line) => {
    const [child, parent] = line.trim().split(/\s+/).map(Number);
    return child !== undefined && parent === pid ? child : [];
  });
}

/** Returns no lines on Windows, which has no ps. */
function ps(args: readonly string[]): readonly string[] {
  const { status, stdout } = spawnSync("ps", args, { encoding: "utf8", env: { ...process.env, LC_ALL: "C" } });
  return status === 0 ? stdout.split("\n") : [];
}
