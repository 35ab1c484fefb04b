// The queues that actions travel by, and what of a tenant's is on its way. How much waits in a queue altogether is told to
// the root key only: from it one tenant could see what others do.
import { actionQueues, type Backlog, type QueueSettings } from "#schema/engine/installation.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { runStatistics } from "./run-statistics.ts";

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
