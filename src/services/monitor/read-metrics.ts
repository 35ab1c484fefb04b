// Metrics: a tenant's results of today, per day, and by failure. They come from daily counters, so the cost does not
// grow with the data.
import { queueDepth as depthOf } from "#catalog/metrics/due-runs.ts";
import { errorsSince, listDays, type TypeErrors } from "#catalog/metrics/run-days.ts";
import { deriveFigures } from "#policy/metrics/derive-figures.ts";
import type { Figures } from "#schema/metrics/figures.ts";
import { allRuns } from "#policy/metrics/type-figures.ts";
import { isolateCaches } from "#schema/limits/isolates/caches.ts";
import { QUEUE_DEPTH_MAX } from "#schema/limits/upkeep/queue-drains.ts";
import { DAY_MS } from "#schema/limits/upkeep/statistics.ts";
import { OVERDUE_MAX } from "#schema/limits/upkeep/sweeps.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { readCached, openIsolateCache } from "../isolate-cache.ts";
import { countersByDay } from "./daily-figures.ts";

export type Day = {
  readonly day: number;
  readonly figures: Figures;
  /** The samples of the queue depth. */
  readonly depthMax: number;
  readonly depthSum: number;
  readonly depthSamples: number;
};
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
  const stored = listDays(deps.db, tenant, from);
  const [counted, sampled, errors, queueDepth] = await Promise.all([
    countersByDay(deps, tenant, from, stored),
    stored,
    errorsSince(deps.db, tenant, from),
    readCached(depthCache, tenant, deps.now, () => depthOf(deps.db, tenant, bounds)),
  ]);
  const samples = new Map(sampled.map((day) => [day.day, day]));
  const all = Array.from({ length: days }, (_, n) => {
    const day = from + n;
    const { depthMax = 0, depthSum = 0, depthSamples = 0 } = samples.get(day) ?? {};
    return { day, figures: deriveFigures(allRuns(counted.get(day) ?? [])), depthMax, depthSum, depthSamples };
  });
  return accept({ days: all, queueDepth, errors });
}
