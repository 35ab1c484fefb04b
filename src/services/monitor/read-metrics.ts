// Metrics: a tenant's results of today, per day, and by failure. They come from daily counters, so the cost does not
// grow with the data.
import { queueDepth as depthOf } from "#catalog/metrics/due-runs.ts";
import { errorsSince, listDays, type RunDay, type TypeErrors } from "#catalog/metrics/run-days.ts";
import { isolateCaches } from "#schema/limits/isolates/caches.ts";
import { QUEUE_DEPTH_MAX } from "#schema/limits/upkeep/queue-drains.ts";
import { DAY_MS } from "#schema/limits/upkeep/statistics.ts";
import { OVERDUE_MAX } from "#schema/limits/upkeep/sweeps.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { readCached, openIsolateCache } from "../isolate-cache.ts";

export type Day = Omit<RunDay, "tenant">;
export type Metrics = {
  /** One entry for each day, the oldest first and today last. Days without runs have an entry too. */
  readonly days: readonly Day[];
  readonly queueDepth: number;
  readonly errors: readonly TypeErrors[];
};

const depthCache = openIsolateCache<number>({
  sizeMax: isolateCaches.statistics.sizeMax,
  freshMs: () => isolateCaches.statistics.freshMs,
  staleMs: () => isolateCaches.statistics.freshMs,
});

export async function readMetrics(
  deps: Pick<Deps, "db" | "now">,
  { tenant }: TenantCaller,
  { days }: { readonly days: number },
): Promise<Result<Metrics>> {
  const now = deps.now();
  const today = Math.floor(now / DAY_MS);
  const from = today - days + 1;
  const bounds = { now, lateMax: OVERDUE_MAX, countedMax: QUEUE_DEPTH_MAX };
  const [counted, errors, queueDepth] = await Promise.all([
    listDays(deps.db, tenant, from),
    errorsSince(deps.db, tenant, from),
    readCached(depthCache, tenant, deps.now, () => depthOf(deps.db, tenant, bounds)),
  ]);
  const byDay = new Map(counted.map((day) => [day.day, day]));
  const all = Array.from({ length: days }, (_, n) => byDay.get(from + n) ?? { ...emptyDay, day: from + n });
  return accept({ days: all, queueDepth, errors });
}

const emptyDay = {
  total: 0,
  successful: 0,
  failed: 0,
  refused: 0,
  retried: 0,
  tookMs: 0,
  timed: 0,
  depthMax: 0,
  depthSum: 0,
  depthSamples: 0,
};
