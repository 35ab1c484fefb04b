// Worker view: status, run counts and queue depths of the installation, in the form that the worker endpoints document.
import { countRuns, type RunCount, missingColumns } from "#catalog/worker.ts";
import { actionQueues, type Backlog, type QueueSettings } from "#schema/engine/installation.ts";
import { runStatuses, type RunStatus } from "#schema/engine/run.ts";
import { isolateCaches } from "#schema/limits/isolates/caches.ts";
import { STATISTICS_RUNS_MAX } from "#schema/limits/upkeep/statistics.ts";
import type { Suspension } from "#schema/quota.ts";
import { accept, type Result, refuse } from "#schema/refusal.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { readCached, openIsolateCache } from "../isolate-cache.ts";
import { tenantSettingsOf } from "../quotas/tenant-settings.ts";
import { checkHealth } from "../upkeep/check-health.ts";

export type WorkerStatus = {
  readonly running: boolean;
  readonly suspended: Suspension | null;
  readonly catalog: "ok" | "failed";
};

export async function workerStatus(deps: Deps, { tenant }: TenantCaller): Promise<Result<WorkerStatus>> {
  const { suspended } = await tenantSettingsOf(deps, tenant);
  const { checks } = await checkHealth(deps, { deep: true });
  const catalog = checks?.catalog ?? "ok";
  return accept({ running: suspended === null && catalog === "ok", suspended, catalog });
}

const runCountCache = openIsolateCache<readonly RunCount[]>({
  sizeMax: isolateCaches.statistics.sizeMax,
  freshMs: () => isolateCaches.statistics.freshMs,
  staleMs: () => isolateCaches.statistics.freshMs,
});

export type RunStatistics = {
  readonly byStatus: { readonly [status in RunStatus]: number };
  /** Only runs of executions created at or after this time (epoch ms) are counted; null: all runs. */
  readonly since: number | null;
  /** The creation time, in epoch ms, of the oldest run that still waits in a queue; null if none waits. */
  readonly oldestQueuedAt: number | null;
};

export async function runStatistics(
  deps: Pick<Deps, "db" | "now">,
  { tenant }: Pick<TenantCaller, "tenant">,
  options: { readonly since: number | null },
): Promise<Result<RunStatistics>> {
  const load = () => countRuns(deps.db, tenant, options.since ?? 0, STATISTICS_RUNS_MAX);
  const counts = await readCached(runCountCache, `${tenant}\n${options.since}`, deps.now, load);
  const countOf = (status: RunStatus) => counts.find((found) => found.status === status);
  const counted = counts.reduce((sum, { count }) => sum + count, 0);
  const byStatus = Object.fromEntries(runStatuses.map((status) => [status, countOf(status)?.count ?? 0]));
  return accept({
    byStatus: byStatus as RunStatistics["byStatus"], // The object has one entry for each run status.
    since: counted < STATISTICS_RUNS_MAX ? options.since : Math.min(...counts.map(({ since }) => since)),
    oldestQueuedAt: countOf("queued")?.oldestAt ?? null,
  });
}

export type StreamInfo = {
  readonly queues: readonly (QueueSettings & { readonly backlog: Backlog | null })[];
  readonly queued: number;
  readonly retry: number;
  readonly oldestQueuedAt: number | null;
};

export async function streamInfo(deps: Deps, caller: TenantCaller): Promise<Result<StreamInfo>> {
  const statistics = await runStatistics(deps, caller, { since: null });
  if (!statistics.ok) return statistics;
  const backlogs = caller.actor.kind === "root" ? await deps.installation.backlogs() : [];
  const { byStatus, oldestQueuedAt } = statistics.value;
  return accept({
    queues: actionQueues.map((settings, n) => ({ ...settings, backlog: backlogs[n] ?? null })),
    queued: byStatus.queued,
    retry: byStatus.retry,
    oldestQueuedAt,
  });
}

export type InitializedStream = { readonly queues: readonly string[] };

export async function initializeStream(deps: Deps): Promise<Result<InitializedStream>> {
  const bindings = deps.installation.missingBindings();
  if (bindings.length > 0)
    return refuse(
      installationIncomplete(`bindings: ${bindings.join(", ")}`, "Add the missing bindings to wrangler.toml."),
    );
  const columns = await missingColumns(deps.db);
  if (columns.length > 0)
    return refuse(installationIncomplete(`columns: ${columns.join(", ")}`, "Apply the migrations."));
  return accept({ queues: actionQueues.map(({ queue }) => queue) });
}

function installationIncomplete(missing: string, todo: string) {
  return {
    code: "not_configured",
    message: `This installation lacks ${missing}.`,
    hint: `${todo} Then deploy again. The command npm run deploy does both.`,
  } as const;
}
