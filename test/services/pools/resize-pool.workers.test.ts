// The row of a pool: concurrent changes, late reports, and shrinking after a quiet time.
import { expect, it } from "vitest";
import { poolColumns, poolOfRow } from "#catalog/pools/tenant-pools.ts";
import { findTenant, insertTenant } from "#catalog/tenants.ts";
import { newPool } from "#policy/pools/layout.ts";
import { POOL_SHRINK_AFTER_MS, POOL_STARTS_PER_S_MAX as MAX } from "#schema/limits/pool-cells.ts";
import type { Pool } from "#schema/placement/tenant-pool.ts";
import { createTenant } from "#services/caller/tenants.ts";
import { applyLoadReport, shrinkQuietPools } from "#services/pools/resize-pool.ts";
import { evictTenantSettings } from "#services/quotas/tenant-settings.ts";
import { auditRow, newTenant, NOW, world } from "#test/support/catalog.ts";

async function tenantWith(pool: Pool, neededAt = NOW) {
  const deps = world();
  const id = newTenant();
  const row = { id, name: id, createdAt: NOW, retentionDays: 30, ...poolColumns(pool, NOW), poolNeededAt: neededAt };
  await insertTenant(deps.db, row, auditRow({ tenant: id }));
  const read = async () => {
    const found = await findTenant(deps.db, id);
    return { ...poolOfRow(found), neededAt: found?.poolNeededAt };
  };
  const tell = (startsPerS: number, epoch = pool.epoch) => applyLoadReport(deps, id, { epoch, startsPerS, bytes: 0 });
  return { deps, id, read, tell };
}

it("a pool grows once, however many cells report overload", async () => {
  const { read, tell, deps } = await tenantWith(newPool);
  await Promise.all([tell(3 * MAX), tell(3 * MAX)]);
  await tell(3 * MAX);
  expect(await read()).toMatchObject({ epoch: 1, size: 4, layers: [1, 4] });
  expect(deps.lines.filter(({ event }) => event === "pool_resized")).toMatchObject([{ from: 1, to: 4 }]);
});

it("a report about a newer pool than this isolate has cached is applied", async () => {
  const { read, tell } = await tenantWith(newPool);
  await tell(3 * MAX);
  const { tell: other, id } = { tell, id: "" };
  evictTenantSettings(id);
  await other(3 * MAX, 1);
  expect(await read()).toMatchObject({ epoch: 2, size: 16 });
});

it("a pool that is needed at its size is kept, and the time is recorded", async () => {
  const { read, tell, deps } = await tenantWith(
    { epoch: 2, size: 16, layers: [1, 16] },
    NOW - POOL_SHRINK_AFTER_MS - 1,
  );
  await tell(MAX / 2, 2);
  expect(await read()).toMatchObject({ size: 16, neededAt: NOW });
  await shrinkQuietPools(deps);
  expect(await read()).toMatchObject({ size: 16 });
});

it("a quiet day shrinks a pool to a quarter, and the next day again", async () => {
  const { read, deps } = await tenantWith({ epoch: 2, size: 16, layers: [1, 16] }, NOW - POOL_SHRINK_AFTER_MS - 1);
  await shrinkQuietPools(deps);
  await shrinkQuietPools(deps);
  expect(await read()).toMatchObject({ epoch: 3, size: 4, layers: [1, 4, 16], neededAt: NOW });
  deps.clock.now += POOL_SHRINK_AFTER_MS + 1;
  await shrinkQuietPools(deps);
  expect(await read()).toMatchObject({ epoch: 4, size: 1, layers: [1, 4, 16] });
  deps.clock.now += POOL_SHRINK_AFTER_MS + 1;
  await shrinkQuietPools(deps);
  expect(await read()).toMatchObject({ epoch: 4, size: 1 });
});

it("a new tenant has a pool of one cell", async () => {
  const deps = world();
  const root = { actor: { kind: "root", id: "root" }, tenant: null, scopes: [] } as const;
  const id = newTenant();
  await createTenant(deps, root, { id, name: id, retentionDays: null, dryRun: false });
  expect(poolOfRow(await findTenant(deps.db, id))).toEqual(newPool);
});
