// RPC entrypoint of cells: returns whether a tenant is suspended, and resizes pools after load reports. Cells cannot
// read the catalog themselves.
import { WorkerEntrypoint } from "cloudflare:workers";
import type { Env } from "#env";
import type { PoolReport } from "#schema/placement/tenant-pool.ts";
import { applyLoadReport } from "#services/pools/resize-pool.ts";
import { tenantSettingsOf } from "#services/quotas/tenant-settings.ts";
import { depsOf } from "./deps.ts";

export class Tenancy extends WorkerEntrypoint<Env> {
  /** When the tenant was suspended, in epoch ms; null if it is not suspended. */
  async suspendedAt(tenant: string): Promise<number | null> {
    const { suspended } = await tenantSettingsOf(depsOf(this.env), tenant);
    return suspended?.at ?? null;
  }

  /** Resizes the tenant's pool if a cell's load report requires it. */
  async reportPoolLoad(tenant: string, report: PoolReport): Promise<void> {
    await applyLoadReport(depsOf(this.env), tenant, report);
  }
}
