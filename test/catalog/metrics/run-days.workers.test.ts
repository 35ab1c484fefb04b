// Tests the days: errors by type with the latest message, and the samples of the queue depth.
import { describe, expect, it } from "vitest";
import { dueRuns, nextPlannedOf, queueDepth, sampleDepths } from "#catalog/metrics/due-runs.ts";
import { errorsSince, listDays, purgeDays } from "#catalog/metrics/run-days.ts";
import { applyProjections } from "#catalog/projections/projections.ts";
import { insertTenant } from "#catalog/tenants.ts";
import type { RunRow } from "#schema/engine/projection.ts";
import { auditRow, catalog, executionRow, newTenant, NOW, projection, runRow } from "#test/support/catalog.ts";

const db = catalog();
const today = Math.floor(NOW / 86_400_000);

function told(...runs: readonly RunRow[]) {
  return projection({ runs: [...runs] });
}

async function day(tenant: string, on = today) {
  return (await listDays(db, tenant, on)).find((row) => row.day === on);
}

const ok = (tenant: string, over: Partial<RunRow> = {}) =>
  runRow({ tenant, id: "1.1", status: "ok", finishedAt: NOW, incarnation: NOW, tookMs: 100, ...over });
const failed = (tenant: string, over: Partial<RunRow> = {}) =>
  ok(tenant, { status: "failed", errorType: "service_unavailable", error: "503", deadLetter: true, ...over });

describe("error counters", () => {
  it("are kept by type, with the latest error message", async () => {
    const tenant = newTenant();
    await applyProjections(db, [
      told(
        failed(tenant, { id: "1.1", type: "email", error: "x".repeat(2_000) }),
        failed(tenant, { id: "2.1", type: "email", error: "the last", finishedAt: NOW + 9 }),
        failed(tenant, { id: "3.1", type: "sms", error: "no" }),
      ),
    ]);
    await applyProjections(db, [
      told(failed(tenant, { id: "4.1", type: "email", error: "came late", finishedAt: NOW + 5 })),
    ]);
    expect(await errorsSince(db, tenant, today)).toMatchObject([
      { type: "email", failed: 3, lastError: "the last" },
      { type: "sms", failed: 1, lastError: "no" },
    ]);
    expect(await errorsSince(db, tenant, today + 1)).toEqual([]);
  });
});

async function tenantOf(): Promise<string> {
  const id = newTenant();
  await insertTenant(db, { id, name: id, createdAt: NOW, retentionDays: 30 }, auditRow({ tenant: id, id, at: NOW }));
  return id;
}

const live = (tenant: string, id: string, status: "active" | "waiting" | "paused", wakeAt: number | null) =>
  executionRow({ tenant, id, status, finishedAt: null, wakeAt });
const waits = (tenant: string, execution: string, over: Partial<RunRow> = {}) =>
  runRow({ tenant, execution, status: "scheduled", finishedAt: null, dueAt: NOW - 1, attempt: 0, ...over });

async function queueing(): Promise<string> {
  const tenant = await tenantOf();
  await applyProjections(db, [
    projection({
      executions: [
        live(tenant, "exe_a", "active", NOW + 60_000),
        live(tenant, "exe_b", "waiting", NOW - 5_000),
        { ...live(tenant, "exe_c", "waiting", NOW + 5_000), nextAt: NOW + 7_000 }, // it archives a dead letter earlier
        live(tenant, "exe_d", "paused", null),
      ],
      runs: [
        waits(tenant, "exe_a", { id: "1.1", status: "queued", attempt: 1, priority: 1 }),
        waits(tenant, "exe_a", { id: "1.2", priority: 7, dueAt: NOW + 1 }),
        waits(tenant, "exe_b", { id: "1.1", status: "retry", attempt: 3, priority: 5, dueAt: NOW - 5_000 }),
        waits(tenant, "exe_b", { id: "1.2", priority: 5, dueAt: NOW - 9_000 }),
        waits(tenant, "exe_c"),
        waits(tenant, "exe_d"),
      ],
    }),
  ]);
  return tenant;
}

const asked = { now: NOW, lateMax: 100 };

describe("due runs that have not started", () => {
  it("are ordered by priority, then by due time", async () => {
    const tenant = await queueing();
    const due = await dueRuns(db, tenant, { ...asked, attemptsMax: 99, limit: 10 });
    expect(due.map(({ execution, run }) => `${execution} ${run}`)).toEqual(["exe_b 1.2", "exe_b 1.1", "exe_a 1.1"]);
    expect(await dueRuns(db, tenant, { ...asked, attemptsMax: 99, limit: 1 })).toHaveLength(1);
  });

  it("leave out runs with more attempts than requested", async () => {
    const tenant = await queueing();
    const due = await dueRuns(db, tenant, { ...asked, attemptsMax: 2, limit: 10 });
    expect(due.map(({ execution, run }) => `${execution} ${run}`)).toEqual(["exe_b 1.2", "exe_a 1.1"]);
    expect(await dueRuns(db, tenant, { ...asked, attemptsMax: 3, limit: 10 })).toHaveLength(3);
  });

  it("are counted up to a maximum, with the instant of the next planned run", async () => {
    const tenant = await queueing();
    expect(await queueDepth(db, tenant, { ...asked, countedMax: 99 })).toBe(3);
    expect(await queueDepth(db, tenant, { ...asked, countedMax: 2 })).toBe(2);
    expect(await queueDepth(db, newTenant(), { ...asked, countedMax: 2 })).toBe(0);
    expect(await nextPlannedOf(db, tenant, { now: NOW, lookedMax: 9 })).toBe(NOW + 7_000);
    expect(await nextPlannedOf(db, newTenant(), { now: NOW, lookedMax: 9 })).toBeNull();
  });
});

describe("the sweeper", () => {
  async function sampled(over: { readonly countedMax?: number } = {}): Promise<void> {
    let after: string | null = "";
    const how = { now: NOW, tenantsMax: 20, lateMax: 1_000_000, countedMax: 10_000, ...over };
    while (after !== null) after = await sampleDepths(db, { ...how, after });
  }

  it("stores the maximum and the sum of the queue depth for each tenant with due runs", async () => {
    const [busy, calm] = [await queueing(), await tenantOf()];
    await sampled();
    await applyProjections(db, [
      projection({ executions: [{ ...live(busy, "exe_a", "waiting", NOW + 60_000), seq: 2 }] }),
    ]);
    await sampled();
    expect(await day(busy)).toMatchObject({ depthMax: 3, depthSum: 3 + 2, depthSamples: 2, total: 0 });
    expect(await day(calm)).toBeUndefined();
  });

  it("stores a depth of zero for a tenant with counters of the day", async () => {
    const tenant = await tenantOf();
    await applyProjections(db, [told(ok(tenant))]);
    await sampled();
    expect(await day(tenant)).toMatchObject({ depthMax: 0, depthSum: 0, depthSamples: 1 });
  });
});

it("purges old days together with their errors", async () => {
  const tenant = await tenantOf();
  await applyProjections(db, [told(failed(tenant, { finishedAt: 0 }), failed(tenant, { id: "2.1" }))]);
  while ((await purgeDays(db, today - 400, 100)) > 0);
  expect(await errorsSince(db, tenant, 0)).toMatchObject([{ failed: 1 }]);
});
