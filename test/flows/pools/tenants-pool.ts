// A tenant's pool in a test's hands: what its row says, and another size of it, as an isolate learns of that at once or not.
import { openDb } from "#catalog/db.ts";
import { changePool, poolOfRow } from "#catalog/pools/tenant-pools.ts";
import { findTenant } from "#catalog/tenants.ts";
import type { Pool } from "#schema/placement/tenant-pool.ts";
import { evictTenantSettings } from "#services/quotas/tenant-settings.ts";
import { bindings, type Engine } from "../engine.ts";

export async function poolOf({ tenant }: Engine): Promise<Pool> {
  return poolOfRow(await findTenant(openDb(bindings.DB), tenant));
}

export async function resized(shop: Engine, size: number): Promise<Pool> {
  const from = await poolOf(shop);
  const layers = from.layers.includes(size) ? from.layers : [...from.layers, size];
  const to = { epoch: from.epoch + 1, size, layers };
  await changePool(openDb(bindings.DB), shop.tenant, from, to, Date.now());
  evictTenantSettings(shop.tenant);
  return to;
}

export function cellOf(execution: string): number {
  return Number(/_p(\d+)$/.exec(execution)?.[1]);
}
