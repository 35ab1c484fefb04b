// Calendar workload: creates recurring actions that are due in the same minute or second, and measures how late their
// calls are. All of them exist and their objects are evicted before the first one is due, so creating them is not
// measured.
import type { Task } from "../contender.ts";
import { runBurst, newRef, openClient } from "../drive.ts";
import { percentile } from "../meter.ts";
import type { Bench, Measurement } from "../row.ts";

const [SECOND_MS, MINUTE_MS, HOUR_MS] = [1_000, 60_000, 3_600_000];
const CONCURRENCY = 32;
/**
 * TRIED actions are created to measure how long one takes. SLOWER is the safety factor, because a shared machine may
 * become slower.
 */
const [TRIED, SLOWER] = [100, 2];
/** The local runtime evicts an idle object after about ten seconds. */
const ASLEEP_MS = 15_000;

export const STARTED_LATE = "creating them took too long: some were due before all existed";

export type Calendar = { readonly count: number; readonly over: "second" | "minute" };

export async function measureCalendar(
  { hosted, sink }: Bench,
  { count, over }: Calendar,
  work: Task,
): Promise<Measurement> {
  const from = Date.now();
  const far = openClient(await hosted.prepare({ ...work, dueAt: () => from + 20 * HOUR_MS }), CONCURRENCY);
  for (let made = 0; made < TRIED; made += CONCURRENCY)
    await Promise.all(Array.from({ length: CONCURRENCY }, () => far.start(newRef())));
  far.close();
  const eachMs = (Date.now() - from) / TRIED;
  const unitMs = over === "second" ? SECOND_MS : MINUTE_MS;
  const due = Math.ceil((Date.now() + count * eachMs * SLOWER + ASLEEP_MS) / unitMs) * unitMs;
  const dueAt = (ref: string): number => due + (over === "second" ? 0 : (Number(ref.slice(1)) % 60) * SECOND_MS);
  const client = openClient(await hosted.prepare({ ...work, dueAt }), CONCURRENCY);
  try {
    const lastDueAt = due + unitMs;
    const driven = await runBurst(client, sink, { count, concurrency: CONCURRENCY, schedule: { dueAt, lastDueAt } });
    const { latencies, failedStarts, startedAt } = driven;
    const failure = driven.failure ?? (startedAt > due ? STARTED_LATE : null);
    const at = (share: number) => percentile(latencies, share);
    const late = { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
    return { ...late, asked: count, completed: latencies.length, failedStarts, failure };
  } finally {
    client.close();
  }
}

/**
 * Returns how many objects the local runtime can keep in memory at once. Each needs three files (the database, its
 * write-ahead log and its shared-memory index) and a socket during a call, all in one process. The deployed platform
 * has no such limit.
 */
export function objectsInMemoryMax(): number {
  const report = process.report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } }; // process.report has no types
  const open = Number(report.userLimits?.open_files?.soft);
  return Number.isFinite(open) ? Math.max(1, Math.floor((open - OTHER_FILES) / FILES_EACH)) : AT_ONCE_OTHERWISE;
}
const [FILES_EACH, OTHER_FILES, AT_ONCE_OTHERWISE] = [4, 2_000, 4_000];
