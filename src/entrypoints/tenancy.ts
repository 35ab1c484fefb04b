// Tenancy entrypoint: answers cells about their tenants and records their pool load over RPC, because cells cannot read
// the catalog. Isolates cache the answers.
import { WorkerEntrypoint } from "cloudflare:workers";
import type { Env } from "#env";
import type { PoolReport } from "#schema/placement/tenant-pool.ts";
import { applyLoadReport } from "#services/pools/resize-pool.ts";
import { tenantSettingsOf } from "#services/quotas/tenant-settings.ts";
import { depsOf } from "./deps.ts";

export class Tenancy extends WorkerEntrypoint<Env> {
  /** null: not suspended. */
  async suspendedAt(tenant: string): Promise<number | null> {
    const { suspended } = await tenantSettingsOf(depsOf(this.env), tenant);
    return suspended?.at ?? null;
  }

  /** Records a pool cell's report of its load. */
  async poolSeen(tenant: string, report: PoolReport): Promise<void> {
    await applyLoadReport(depsOf(this.env), tenant, report);
  }
}
