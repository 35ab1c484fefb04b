// What cells ask of their tenants, and tell of their pools, over RPC: they cannot look into the catalog. Isolates remember
// the answer.
import { WorkerEntrypoint } from "cloudflare:workers";
import type { Env } from "#env";
import type { PoolReport } from "#schema/placement/tenant-pool.ts";
import { heedReport } from "#services/pools/resize-pool.ts";
import { termsOf } from "#services/quotas/tenant-terms.ts";
import { depsOf } from "./deps.ts";

export class Tenancy extends WorkerEntrypoint<Env> {
  /** null: it is not. */
  async suspendedAt(tenant: string): Promise<number | null> {
    const { suspended } = await termsOf(depsOf(this.env), tenant);
    return suspended?.at ?? null;
  }

  /** What a cell of its pool has seen of its load. */
  async poolSeen(tenant: string, report: PoolReport): Promise<void> {
    await heedReport(depsOf(this.env), tenant, report);
  }
}
