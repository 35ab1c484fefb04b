// How many of a tenant's runs have which status. Lists are counted, the newest first and so many at the most: what is
// asked for often must cost the same however much there is.
import { countRuns, type RunCount } from "#catalog/worker.ts";
import { remembered } from "#schema/limits/isolates.ts";
import { STATISTICS_RUNS_MAX } from "#schema/limits/upkeep.ts";
import { runStatuses, type RunStatus } from "#schema/engine/run.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { cached, isolateCache } from "../isolate-cache.ts";

const known = isolateCache<readonly RunCount[]>({
  sizeMax: remembered.statistics.sizeMax,
  freshMs: () => remembered.statistics.freshMs,
  staleMs: () => remembered.statistics.freshMs,
});

export type RunStatistics = {
  readonly byStatus: { readonly [status in RunStatus]: number };
  /** Executions from then on are counted; null: all there are. */
  readonly since: number | null;
  /** When the oldest was made that still waits in a queue. */
  readonly oldestQueuedAt: number | null;
};

export async function runStatistics(
  deps: Pick<Deps, "db" | "now">,
  { tenant }: Pick<TenantCaller, "tenant">,
  asked: { readonly since: number | null },
): Promise<Result<RunStatistics>> {
  const look = () => countRuns(deps.db, tenant, asked.since ?? 0, STATISTICS_RUNS_MAX);
  const counts = await cached(known, `${tenant}\n${asked.since}`, deps.now, look);
  const of = (status: RunStatus) => counts.find((found) => found.status === status);
  const counted = counts.reduce((sum, { count }) => sum + count, 0);
  const byStatus = Object.fromEntries(runStatuses.map((status) => [status, of(status)?.count ?? 0]));
  return accept({
    byStatus: byStatus as RunStatistics["byStatus"], // made of all of them
    since: counted < STATISTICS_RUNS_MAX ? asked.since : Math.min(...counts.map(({ since }) => since)),
    oldestQueuedAt: of("queued")?.oldestAt ?? null,
  });
}
