// Whether work is being done for a tenant: the catalog answers, and nobody has suspended it.
import { accept, type Result } from "#schema/refusal.ts";
import type { Suspension } from "#schema/quota.ts";
import { termsOf } from "../quotas/tenant-terms.ts";
import { checkHealth } from "../upkeep/check-health.ts";
import type { Deps, TenantCaller } from "../deps.ts";

export type WorkerStatus = {
  readonly running: boolean;
  readonly suspended: Suspension | null;
  readonly catalog: "ok" | "failed";
};

export async function workerStatus(deps: Deps, { tenant }: TenantCaller): Promise<Result<WorkerStatus>> {
  const { suspended } = await termsOf(deps, tenant);
  const { checks } = await checkHealth(deps, { deep: true });
  const catalog = checks?.catalog ?? "ok";
  return accept({ running: suspended === null && catalog === "ok", suspended, catalog });
}
