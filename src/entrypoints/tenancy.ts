// Tenancy entrypoint: answers cells about their tenants and records their pool load over RPC, because cells cannot read
// the catalog. Isolates cache the answers.
import { WorkerEntrypoint } from "cloudflare:workers";
import type { Env } from "#env";
import type { PoolReport } from "#schema/placement/tenant-pool.ts";
import { heedReport } from "#services/pools/resize-pool.ts";
import { termsOf } from "#services/quotas/tenant-settings.ts";
import { depsOf } from "./deps.ts";

export class Tenancy extends WorkerEntrypoint<Env> {
  /** null: not suspended. */
  async suspendedAt(tenant: string): Promise<number | null> {
    const { suspended } = await termsOf(depsOf(this.env), tenant);
    return suspended?.at ?? null;
  }

  /** Records a pool cell's report of its load. */
  async poolSeen(tenant: string, report: PoolReport): Promise<void> {
    await heedReport(depsOf(this.env), tenant, report);
  }
}
