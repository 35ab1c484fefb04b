// Whether a process that was written down still is the same one: its number may be another's by now, so its beginning is
// kept beside it. Where the system does not tell, null: what is not known for certain is left alone.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

export type ProcessName = { readonly pid: number; readonly began: string };

/** null: there is no such process, or nothing says when it began. */
export function processNamed(pid: number): ProcessName | null {
  const began = process.platform === "linux" ? beganOnLinux(pid) : beganByPs(pid);
  return began === null ? null : { pid, began };
}

export function isRunning({ pid, began }: ProcessName): boolean {
  return processNamed(pid)?.began === began;
}

/** Which processes `pid` has begun itself. */
export function childrenOf(pid: number): readonly ProcessName[] {
  const pids = process.platform === "linux" ? childrenOnLinux(pid) : childrenByPs(pid);
  return pids.flatMap((child) => processNamed(child) ?? []);
}

/** False: it is there all the same after `waitMs`. */
export async function endProcess(name: ProcessName, waitMs: number): Promise<boolean> {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    if (isRunning(name)) process.kill(name.pid, signal);
    const until = Date.now() + waitMs;
    while (isRunning(name) && Date.now() < until) await new Promise((done) => setTimeout(done, 20));
  }
  return !isRunning(name);
}

/** The machine's start and the process's, in ticks after it; a process that has ended and is not reaped is none. */
function beganOnLinux(pid: number): string | null {
  const fields = statOf(pid);
  if (fields === null || fields[0] === "Z") return null;
  return `${read("/proc/sys/kernel/random/boot_id")?.trim() ?? ""}/${fields[19]}`;
}

function childrenOnLinux(pid: number): readonly number[] {
  const pids = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []));
  return pids.filter((each) => statOf(each)?.[1] === String(pid));
}

/** What follows the name, which is in brackets and may hold anything: state, parent, … , beginning. */
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

/** Not there on Windows. */
function ps(args: readonly string[]): readonly string[] {
  const { status, stdout } = spawnSync("ps", args, { encoding: "utf8", env: { ...process.env, LC_ALL: "C" } });
  return status === 0 ? stdout.split("\n") : [];
}
