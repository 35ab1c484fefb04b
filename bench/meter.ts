// Process meter: reads the CPU time and memory of workerd from /proc. On other systems than Linux it returns null, and
// the report omits the columns.
import { readdirSync, readFileSync } from "node:fs";

/** /proc counts CPU time in hundredths of a second, on every common kernel build. */
const MS_PER_TICK = 10;
const KIB = 1024;

/** `writtenBytes`: bytes that the process has written to disk, by the kernel's count. */
export type Usage = { readonly cpuMs: number; readonly residentBytes: number; readonly writtenBytes: number };

/**
 * Sums the usage of all workerd processes that are children or grandchildren of the process. Returns null if there are
 * none.
 */
export function readUsage(of = process.pid): Usage | null {
  const pids = workerdPids(of);
  if (pids.length === 0) return null;
  const cpu = pids.map(cpuMs);
  const resident = pids.map(residentBytes);
  return { cpuMs: sum(cpu), residentBytes: sum(resident), writtenBytes: sum(pids.map(writtenBytes)) };
}

function workerdPids(of: number): readonly string[] {
  try {
    return readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && isWorkerdOf(of, pid));
  } catch {
    return [];
  }
}

/**
 * Reads /proc/<pid>/stat. The name is in brackets and may contain any character, so the other fields are split after
 * the last bracket.
 */
function readStat(pid: string): { readonly name: string; readonly rest: readonly string[] } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const end = text.lastIndexOf(")");
    return { name: text.slice(text.indexOf("(") + 1, end), rest: text.slice(end + 2).split(" ") };
  } catch {
    return null;
  }
}

function isWorkerdOf(root: number, pid: string): boolean {
  const fields = readStat(pid);
  if (fields === null || fields.name !== "workerd") return false;
  const parent = fields.rest[1] ?? "";
  return [parent, readStat(parent)?.rest[1]].includes(String(root));
}

function cpuMs(pid: string): number {
  const rest = readStat(pid)?.rest ?? [];
  return (Number(rest[11] ?? 0) + Number(rest[12] ?? 0)) * MS_PER_TICK;
}

function residentBytes(pid: string): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * KIB;
}

function writtenBytes(pid: string): number {
  const counters = readFileSync(`/proc/${pid}/io`, "utf8");
  return Number(/^write_bytes:\s+(\d+)/m.exec(counters)?.[1] ?? 0);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** Returns the nearest-rank percentile, or null for an empty list. */
export function percentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}

/** Returns the median: for an even count, the mean of the two middle values. */
export function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const low = sorted[(sorted.length - 1) >> 1];
  const high = sorted[sorted.length >> 1];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}
