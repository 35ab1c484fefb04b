// In which cell of its tenant's pool a new execution is to live, by how large that is as this isolate knows it. Without a
// key any will do; a key needs to be sure, for it may have begun something elsewhere.
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { Pool } from "#schema/placement/tenant-pool.ts";
import { newExecutionId } from "../cells/placement.ts";
import type { Deps } from "../deps.ts";
import { termsOf, type TermsDeps } from "../quotas/tenant-terms.ts";

export type Placed = { readonly execution: string; readonly pool: Pool | null };

type PlaceDeps = TermsDeps & Pick<Deps, "randomBytes">;

/** `keyed`: the id that its key gives it in a pool of that size; null: it has none. */
export async function placeInPool(
  deps: PlaceDeps,
  tenant: string,
  keyed: ((pool: Pool) => Promise<string>) | null,
): Promise<Result<Placed>> {
  const { pool } = await termsOf(deps, tenant);
  if (keyed === null)
    return accept({ execution: newExecutionId("pooled", pool, deps.now(), deps.randomBytes(11)), pool });
  return pool === null ? refuse(unknown) : accept({ execution: await keyed(pool), pool });
}

const unknown = {
  code: "unavailable",
  message: "Where the tenant's keys lead cannot be looked up just now.",
  hint: "Send the same request again with the same Idempotency-Key.",
  retryAfterS: 1,
} as const;
