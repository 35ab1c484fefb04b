// Pool placement: chooses a cell of the tenant's pool for a new execution, by the pool's size as this isolate has
// cached it. Without a key, any cell will do. With a key, the size must be known, because another cell may have used
// the key.
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { Pool } from "#schema/placement/tenant-pool.ts";
import { newExecutionId } from "../cells/placement.ts";
import type { Deps } from "../deps.ts";
import { tenantSettingsOf, type TenantSettingsDeps } from "../quotas/tenant-settings.ts";

export type PlacedExecution = { readonly execution: string; readonly pool: Pool | null };

type PlaceDeps = TenantSettingsDeps & Pick<Deps, "randomBytes">;

/** `keyed` returns the id that the key gives in a pool of that size; null if the request has no key. */
export async function placeInPool(
  deps: PlaceDeps,
  tenant: string,
  keyed: ((pool: Pool) => Promise<string>) | null,
): Promise<Result<PlacedExecution>> {
  const { pool } = await tenantSettingsOf(deps, tenant);
  if (keyed === null)
    return accept({ execution: newExecutionId("pooled", pool, deps.now(), deps.randomBytes(11)), pool });
  return pool === null ? refuse(unknown) : accept({ execution: await keyed(pool), pool });
}

const unknown = {
  code: "unavailable",
  message: "The catalog does not answer, so the cell of this key cannot be looked up.",
  hint: "Send the same request again with the same Idempotency-Key.",
  retryAfterS: 1,
} as const;
