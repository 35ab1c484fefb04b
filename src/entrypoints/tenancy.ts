// What cells ask of their tenants, over RPC: they cannot look into the catalog. Isolates remember the answer.
import { WorkerEntrypoint } from "cloudflare:workers";
import type { Env } from "#env";
import { termsOf } from "#services/quotas/tenant-terms.ts";
import { depsOf } from "./deps.ts";

export class Tenancy extends WorkerEntrypoint<Env> {
  /** null: it is not. */
  async suspendedAt(tenant: string): Promise<number | null> {
    const { suspended } = await termsOf(depsOf(this.env), tenant);
    return suspended?.at ?? null;
  }
}
