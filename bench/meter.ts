// What the hosted process costs: CPU time and memory of workerd, read from /proc. Elsewhere than on Linux there is no
// such place, and the columns stay empty.
import { readdirSync, readFileSync } from "node:fs";

/** The kernel counts in hundredths of a second on every common build. */
const MS_PER_TICK = 10;
const KIB = 1024;

/** `writtenBytes`: handed to the disk, as far as the kernel can tell. */
export type Usage = { readonly cpuMs: number; readonly residentBytes: number; readonly writtenBytes: number };

/** Of the workerd processes that this one started, or one that it started; or that another one started. */
export function usage(of = process.pid): Usage | null {
  const pids = children(of);
  if (pids.length === 0) return null;
  const cpu = pids.map(cpuMs);
  const resident = pids.map(residentBytes);
  return { cpuMs: sum(cpu), residentBytes: sum(resident), writtenBytes: sum(pids.map(writtenBytes)) };
}

function children(of: number): readonly string[] {
  try {
    return readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && isOf(of, pid));
  } catch {
    return [];
  }
}

/** Fields after the name, which is in brackets and may hold anything: state, parent, … */
function fieldsOf(pid: string): { readonly name: string; readonly rest: readonly string[] } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const end = text.lastIndexOf(")");
    return { name: text.slice(text.indexOf("(") + 1, end), rest: text.slice(end + 2).split(" ") };
  } catch {
    return null;
  }
}

function isOf(root: number, pid: string): boolean {
  const fields = fieldsOf(pid);
  if (fields === null || fields.name !== "workerd") return false;
  const parent = fields.rest[1] ?? "";
  return [parent, fieldsOf(parent)?.rest[1]].includes(String(root));
}

function cpuMs(pid: string): number {
  const rest = fieldsOf(pid)?.rest ?? [];
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

/** Nearest rank; null of nothing. */
export function percentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}

/** Of an even number the mean of the two in the middle. */
export function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const low = sorted[(sorted.length - 1) >> 1];
  const high = sorted[sorted.length >> 1];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}
