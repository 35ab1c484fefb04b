// The mark of a changed reservation directly follows the audit row, wherever this row is in its batch.
import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { auditIfChanged } from "#catalog/audit.ts";
import { dbRecordingChange, reserveResponse } from "#catalog/stored-responses.ts";
import { tenants } from "#catalog/tables/tenants.ts";
import { auditRow } from "#services/audit/audit.ts";
import { callerOf, catalog, newTenant, world } from "#test/support/catalog.ts";

it.each([
  { of: "a change", changed: true, status: 200 },
  { of: "a batch that changes nothing", changed: false, status: null },
])("statements after the audit row of $of do not hide the mark", async ({ changed, status }) => {
  const [db, deps, tenant] = [catalog(), world(), newTenant()];
  const reservation = { tenant, key: "k-1", route: "POST /v1/x", fingerprint: "f", reservedAt: 1 };
  await reserveResponse(db, reservation, "f", 1);
  const change = sql`SELECT ${tenant}, 'Acme', 1, 30, NULL, NULL, NULL, NULL, 1, 0, 1, NULL WHERE ${changed}`;
  const recorded = dbRecordingChange(db, reservation, () => "{}");
  const [, inserted, , after] = await recorded.batch([
    db.select({ one: sql`1` }).from(sql`(SELECT 1)`),
    db.insert(tenants).select(change),
    auditIfChanged(db, auditRow(deps, callerOf(tenant), "tenant.create", tenant)),
    db
      .update(tenants)
      .set({ name: "Acme Inc." })
      .where(sql`id = ${tenant}`),
  ]);
  expect([inserted.meta.changes, after.meta.changes]).toEqual(changed ? [1, 1] : [0, 0]);
  expect(await reserveResponse(db, reservation, "f", 2)).toMatchObject({ status });
});
