// Tests stored responses, and the purging of old rows in bounded chunks.
import { describe, expect, it } from "vitest";
import { insertAudit, listAudit, purgeAudit } from "#catalog/audit.ts";
import { countDeadLetters } from "#catalog/dead-letters.ts";
import { findExecution, purgeExecutions } from "#catalog/executions.ts";
import {
  storeResponse,
  purgeResponses,
  releaseResponse,
  reserveResponse,
  takeOverResponse,
} from "#catalog/stored-responses.ts";
import { applyProjections } from "#catalog/projections/projections.ts";
import { listRuns } from "#catalog/runs.ts";
import { insertTenant, listTenants } from "#catalog/tenants.ts";
import { auditRow, catalog, executionRow, newTenant, NOW, projection, runRow } from "#test/support/catalog.ts";

const db = catalog();
const DAY = 86_400_000;

async function tenantKeeping(retentionDays: number): Promise<string> {
  const id = newTenant();
  await insertTenant(db, { id, name: id, createdAt: NOW, retentionDays }, auditRow({ tenant: id }));
  return id;
}

describe("stored responses", () => {
  it("are reserved once, then stored and found with their fingerprint", async () => {
    const at = { tenant: newTenant(), key: "k", route: "POST /v1/keys" };
    expect(await reserveResponse(db, at, "f1", NOW)).toBeNull();
    expect(await reserveResponse(db, at, "f2", NOW + 1)).toMatchObject({ fingerprint: "f1", status: null });
    const held = { ...at, fingerprint: "f1", reservedAt: NOW };
    await storeResponse(db, held, "{}");
    expect(await reserveResponse(db, at, "f1", NOW + 2)).toEqual({
      ...at,
      fingerprint: "f1",
      status: 200,
      body: "{}",
      createdAt: NOW,
    });
    await releaseResponse(db, held);
    expect(await reserveResponse(db, at, "f1", NOW)).not.toBeNull();
  });

  it("if abandoned, are taken over by exactly one of the requests that read the reservation", async () => {
    const at = { tenant: newTenant(), key: "k", route: "a" };
    await reserveResponse(db, at, "f", NOW);
    const read = await reserveResponse(db, at, "f", NOW + 1);
    expect(read && (await takeOverResponse(db, read, NOW + 9))).toBe(true);
    expect(read && (await takeOverResponse(db, read, NOW + 9))).toBe(false);
    await storeResponse(db, { ...at, fingerprint: "f", reservedAt: NOW }, "{}");
    await releaseResponse(db, { ...at, fingerprint: "f", reservedAt: NOW });
    expect(await reserveResponse(db, at, "f", NOW)).toMatchObject({ status: null, createdAt: NOW + 9 });
  });

  it("are separate for each tenant and route", async () => {
    const at = { tenant: newTenant(), key: "k", route: "a" };
    await reserveResponse(db, at, "f", NOW);
    expect(await reserveResponse(db, { ...at, tenant: newTenant() }, "f", NOW)).toBeNull();
    expect(await reserveResponse(db, { ...at, route: "b" }, "f", NOW)).toBeNull();
  });

  it("are released for the next request if the first one changed nothing", async () => {
    const at = { tenant: newTenant(), key: "k", route: "a" };
    await reserveResponse(db, at, "f", NOW);
    await releaseResponse(db, { ...at, fingerprint: "f", reservedAt: NOW });
    expect(await reserveResponse(db, at, "f", NOW)).toBeNull();
  });

  it("are purged by age in bounded chunks", async () => {
    while ((await purgeResponses(db, 2, 100)) > 0);
    const tenant = newTenant();
    for (const [n, key] of ["a", "b", "c"].entries()) await reserveResponse(db, { tenant, key, route: "r" }, "f", n);
    expect(await purgeResponses(db, 2, 1)).toBe(1);
    expect(await purgeResponses(db, 2, 10)).toBe(1);
    expect(await reserveResponse(db, { tenant, key: "c", route: "r" }, "f", NOW)).not.toBeNull();
  });
});

describe("retention", () => {
  it("purges finished executions beyond the tenant's retention, their runs first", async () => {
    while ((await purgeExecutions(db, NOW, 100)) > 0);
    const [short, long] = [await tenantKeeping(1), await tenantKeeping(30)];
    const old = { createdAt: NOW - 3 * DAY, finishedAt: NOW - 2 * DAY };
    const executions = [short, long].flatMap((tenant) => [
      executionRow({ tenant, id: "exe_old", ...old }),
      executionRow({ tenant, id: "exe_live", ...old, finishedAt: null, status: "waiting" }),
      executionRow({ tenant, id: "exe_slow", ...old, finishedAt: NOW }),
    ]);
    const runs = [short, long].flatMap((tenant) => [
      ...["1.1", "2.1", "3.1"].map((id) => runRow({ tenant, execution: "exe_old", incarnation: old.createdAt, id })),
      runRow({ tenant, execution: "exe_live" }),
    ]);
    await applyProjections(db, [projection({ executions, runs })]);
    expect(await purgeExecutions(db, NOW, 2)).toBe(2);
    expect(await findExecution(db, short, "exe_old", null)).not.toBeNull();
    expect(await purgeExecutions(db, NOW, 2)).toBe(2);
    expect(await purgeExecutions(db, NOW, 2)).toBe(0);
    expect(await findExecution(db, short, "exe_old", null)).toBeNull();
    expect(await listRuns(db, short, "exe_old", {}, null, 9)).toMatchObject({ value: { data: [] } });
    for (const id of ["exe_live", "exe_slow"]) expect(await findExecution(db, short, id, null)).not.toBeNull();
    expect(await findExecution(db, long, "exe_old", null)).not.toBeNull();
    expect(await listRuns(db, short, "exe_live", {}, null, 9)).toMatchObject({ value: { data: [{ id: "1.1" }] } });
  });

  it("keeps executions whose dead letters can still be retried", async () => {
    const tenant = await tenantKeeping(1);
    const old = { tenant, createdAt: NOW - 40 * DAY, finishedAt: NOW - 39 * DAY, status: "failed" } as const;
    const executions = ["exe_waits", "exe_over"].map((id) => executionRow({ ...old, id }));
    const dead = { tenant, incarnation: old.createdAt, deadLetter: true, status: "failed" } as const;
    const runs = [
      runRow({ ...dead, execution: "exe_waits", finishedAt: NOW - 29 * DAY }),
      runRow({ ...dead, execution: "exe_over", finishedAt: NOW - 31 * DAY }),
    ];
    await applyProjections(db, [projection({ executions, runs })]);
    while ((await purgeExecutions(db, NOW, 10)) > 0);
    expect(await findExecution(db, tenant, "exe_over", null)).toBeNull();
    expect(await findExecution(db, tenant, "exe_waits", null)).not.toBeNull();
    expect(await countDeadLetters(db, tenant, {})).toBe(1);
    await applyProjections(db, [projection({ runs: runs.map((row) => ({ ...row, seq: 99, deadLetter: false })) })]);
    while ((await purgeExecutions(db, NOW, 10)) > 0);
    expect(await findExecution(db, tenant, "exe_waits", null)).toBeNull();
  });

  it("purges old audit rows in bounded chunks", async () => {
    while ((await purgeAudit(db, 4, 100)) > 0);
    const tenant = await tenantKeeping(1);
    for (const n of [1, 2, 3]) await insertAudit(db, auditRow({ tenant, at: n, id: `aud_${n}` }));
    expect(await purgeAudit(db, 4, 2)).toBe(2);
    expect(await purgeAudit(db, 4, 2)).toBe(1);
    expect(await listAudit(db, tenant, {}, null, 9)).toMatchObject({ value: { data: [{ at: NOW }] } });
  });
});

describe("a change and its audit row", () => {
  it("are stored together or not at all", async () => {
    const id = await tenantKeeping(1);
    const again = insertTenant(
      db,
      { id, name: "other", createdAt: NOW, retentionDays: 1 },
      auditRow({ tenant: id, at: NOW + 1, id: "aud_2" }),
    );
    expect(await again).toBe(false);
    expect(await listAudit(db, id, {}, null, 9)).toMatchObject({ value: { data: [{ id: "aud_1" }] } });
    expect(await listAudit(db, id, { verb: "other" }, null, 9)).toMatchObject({ value: { data: [] } });
    expect(await listAudit(db, id, { actor: "key:k", target: "exe_1" }, null, 9)).toMatchObject({
      value: { data: [{ id: "aud_1" }] },
    });
  });

  it("are purged tenant by tenant in pages", async () => {
    for (let n = 0; n < 2; n++) await tenantKeeping(1);
    const page = await listTenants(db, null, 1);
    if (!page.ok) throw new Error(page.refusal.message);
    const next = await listTenants(db, page.value.nextCursor, 1);
    expect(next).toMatchObject({ ok: true, value: { data: [{}] } });
    expect(next).not.toMatchObject({ value: { data: page.value.data } });
  });
});
