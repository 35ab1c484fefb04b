// The engine with a door that is deployed nowhere: the crash test resizes a tenant's pool through it, as load would, and asks how
// large one is (GET).
import { openDb } from "#catalog/db.ts";
import { changePool, poolOfRow } from "#catalog/pools/tenant-pools.ts";
import { findTenant } from "#catalog/tenants.ts";
import type { Env } from "#env";
import { evictTenantSettings } from "#services/quotas/tenant-settings.ts";
import main from "../../../src/index.ts";
export * from "../../../src/index.ts";

export default {
  ...main,
  fetch: async (request, env, ctx) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== "/_crash/pool") return main.fetch(request, env, ctx);
    const [tenant, size] = [searchParams.get("tenant") ?? "", Number(searchParams.get("size"))];
    const db = openDb(env.DB);
    const from = poolOfRow(await findTenant(db, tenant));
    if (request.method === "GET") return Response.json(from);
    const layers = from.layers.includes(size) ? from.layers : [...from.layers, size];
    if (from.size !== size) await changePool(db, tenant, from, { epoch: from.epoch + 1, size, layers }, Date.now());
    evictTenantSettings(tenant);
    return Response.json({ size });
  },
} satisfies ExportedHandler<Env>;
