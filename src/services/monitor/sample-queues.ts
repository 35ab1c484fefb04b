// Queue samples: stores for each tenant how many runs are due and have not begun. The daily queue depth is computed
// from these samples. The sweep calls this.
import { sampleDepths } from "#catalog/metrics/due-runs.ts";
import { QUEUE_DEPTH_MAX, QUEUE_DEPTH_TENANTS_MAX } from "#schema/limits/upkeep/queue-drains.ts";
import { OVERDUE_MAX } from "#schema/limits/upkeep/sweeps.ts";
import type { Deps } from "../deps.ts";

export async function sampleQueues(deps: Pick<Deps, "db" | "now">): Promise<{ readonly queuesSampledPages: number }> {
  const bounds = { tenantsMax: QUEUE_DEPTH_TENANTS_MAX, lateMax: OVERDUE_MAX, countedMax: QUEUE_DEPTH_MAX };
  let pages = 0;
  for (let after: string | null = ""; after !== null; pages += 1) {
    after = await sampleDepths(deps.db, { ...bounds, now: deps.now(), after });
  }
  return { queuesSampledPages: pages };
}
