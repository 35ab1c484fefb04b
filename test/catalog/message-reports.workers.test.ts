// Tests the stored reports about messages: each counts once, the status does not depend on their order, and old ones are
// purged in bounded chunks.
import { describe, expect, it } from "vitest";
import {
  deliveryStatuses,
  eraseReports,
  purgeReportDays,
  purgeReports,
  reportDays,
} from "#catalog/reports/delivery-statuses.ts";
import { reportName, storedReports, storeReports } from "#catalog/reports/message-reports.ts";
import { findRunRows } from "#catalog/reports/reported-runs.ts";
import { applyProjections } from "#catalog/projections/projections.ts";
import { insertTenant } from "#catalog/tenants.ts";
import { reportRank } from "#policy/inbound/callbacks/report-rank.ts";
import { REPORTS_PER_RUN_MAX } from "#schema/limits/inbound/callbacks.ts";
import type { MessageReport } from "#schema/reports/report.ts";
import { auditRow, catalog, newTenant, NOW, projection, runRow } from "#test/support/catalog.ts";

const db = catalog();
const DAY = 86_400_000;
const key = { execution: "exe_1", run: "1.0" };

let requests = 0;
/** Stores the reports as one callback does. */
function store(tenant: string, reports: readonly Partial<MessageReport>[], now = NOW): Promise<number> {
  const rows = reports.map((report, n) => {
    const { kind = "email_delivered", at = NOW } = report;
    const about = { tenant, ...key, id: `e-${n}`, incarnation: 1, definition: "mailing", attempt: 1, kind, at };
    const found = { recipient: "a@example.com", messageId: "m", code: null, reason: null };
    return { ...about, ...found, rank: reportRank(kind, at) ?? 0, ...report };
  });
  return storeReports(db, rows, { now, request: `request-${++requests}` });
}

async function statusOf(tenant: string) {
  return (await deliveryStatuses(db, tenant, [key])).get("exe_1 1.0");
}
const daysOf = (tenant: string) => reportDays(db, tenant, { from: 0, definition: null, limit: 100 });

describe("reports", () => {
  it("count once, however often they arrive", async () => {
    const tenant = newTenant();
    const delivered = { id: "a" };
    const opened = { id: "b", kind: "email_opened" };
    expect(await store(tenant, [delivered, opened])).toBe(2);
    expect(await store(tenant, [opened, delivered])).toBe(0);
    expect(await store(tenant, [delivered, { id: "c", kind: "email_opened", at: NOW + 1 }])).toBe(1);
    expect(await statusOf(tenant)).toMatchObject({
      kind: "email_opened",
      at: NOW + 1,
      counts: { email_delivered: 1, email_opened: 2 },
    });
    const day = Math.floor(NOW / DAY);
    expect(await daysOf(tenant)).toEqual([
      { day, definition: "mailing", kind: "email_delivered", n: 1 },
      { day, definition: "mailing", kind: "email_opened", n: 2 },
    ]);
    const names = await storedReports(db, tenant, [
      { ...key, id: "a" },
      { ...key, id: "z" },
    ]);
    expect([...names]).toEqual([reportName({ ...key, id: "a" })]);
  });

  it("give the same status in every order", async () => {
    const reports = [
      { id: "a", kind: "email_deferred", at: NOW + 3 },
      { id: "b", kind: "email_delivered", at: NOW },
      { id: "c", kind: "email_bounced", at: NOW + 1, code: "5.1.1", reason: "no such user" },
    ];
    const orders = [reports, reports.toReversed(), [...reports.slice(1), ...reports.slice(0, 1)]];
    const found = [];
    for (const order of orders) {
      const tenant = newTenant();
      for (const report of order) await store(tenant, [report]);
      found.push(await statusOf(tenant));
    }
    expect(found[0]).toMatchObject({ kind: "email_bounced", code: "5.1.1", reason: "no such user" });
    expect(found).toEqual([found[0], found[0], found[0]]);
  });

  it("of a later execution that reuses the id replace the status", async () => {
    const tenant = newTenant();
    await store(tenant, [{ id: "a", kind: "email_opened" }]);
    await store(tenant, [{ id: "b", incarnation: 2 }]);
    await store(tenant, [{ id: "c", kind: "email_clicked" }]);
    expect(await statusOf(tenant)).toMatchObject({
      incarnation: 2,
      kind: "email_delivered",
      counts: { email_delivered: 1 },
    });
  });

  it("of one run are limited in number", async () => {
    const tenant = newTenant();
    const many = Array.from({ length: REPORTS_PER_RUN_MAX / 10 }, (_, n) => ({ kind: "email_opened", at: NOW + n }));
    for (let n = 0; n < 10; n++)
      await store(
        tenant,
        many.map((each, at) => ({ ...each, id: `${n}-${at}` })),
      );
    expect(await store(tenant, [{ id: "one more", kind: "email_complained" }])).toBe(0);
    expect((await statusOf(tenant))?.counts).toEqual({ email_opened: REPORTS_PER_RUN_MAX });
  });

  it("are erased with their execution, of one tenant only", async () => {
    const [tenant, other] = [newTenant(), newTenant()];
    for (const each of [tenant, other]) await store(each, [{ id: "a" }]);
    await eraseReports(db, tenant, "exe_1");
    expect([await statusOf(tenant), (await statusOf(other))?.kind]).toEqual([undefined, "email_delivered"]);
    expect((await storedReports(db, tenant, [{ ...key, id: "a" }])).size).toBe(0);
  });

  it("are purged with the statuses that no later report has changed", async () => {
    const [old, changed] = [newTenant(), newTenant()];
    for (const each of [old, changed]) await store(each, [{ id: "a" }], NOW - 10 * DAY);
    await store(changed, [{ id: "b", kind: "email_opened" }], NOW);
    while ((await purgeReports(db, NOW - DAY, 1)) > 0);
    expect([await statusOf(old), (await statusOf(changed))?.kind]).toEqual([undefined, "email_opened"]);
    expect(
      (
        await storedReports(db, changed, [
          { ...key, id: "a" },
          { ...key, id: "b" },
        ])
      ).size,
    ).toBe(1);
  });

  it("of old days are purged from the counters", async () => {
    const tenant = newTenant();
    await insertTenant(db, { id: tenant, name: tenant, createdAt: NOW, retentionDays: 7 }, auditRow({ tenant }));
    await store(tenant, [{ id: "a" }, { id: "b", at: NOW - 500 * DAY }]);
    while ((await purgeReportDays(db, Math.floor(NOW / DAY) - 400, 1)) > 0);
    expect(await daysOf(tenant)).toMatchObject([{ day: Math.floor(NOW / DAY), n: 1 }]);
  });
});

it("the catalog has the facts of a run whose history is deleted", async () => {
  const tenant = newTenant();
  await applyProjections(db, [
    projection({ runs: [runRow({ tenant, execution: "exe_1", id: "1.0", type: "email" })] }),
  ]);
  expect(await findRunRows(db, tenant, [key, { execution: "exe_2", run: "1.0" }])).toMatchObject([
    { execution: "exe_1", id: "1.0", type: "email" },
  ]);
});
