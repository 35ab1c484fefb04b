// Tests folding: hours, days and totals have the same sums as the fresh figures, and late projections are added.
import { describe, expect, it } from "vitest";
import { readFigures } from "#catalog/metrics/figures.ts";
import { foldFigures, purgeFigures } from "#catalog/metrics/fold-figures.ts";
import { applyProjections } from "#catalog/projections/projections.ts";
import { catalog, executionRow, NOW, projection } from "#test/support/catalog.ts";
import { applyRuns, failedRun, figureGroups, GROUP, HOUR, hour, okRun, readMax, storedTenant } from "./counted-runs.ts";

const db = catalog();

async function foldAll(): Promise<void> {
  while ((await foldFigures(db, hour + 48, 3)) > 0);
}

describe("folding", () => {
  const everything = async (tenant: string) => ({
    hour: await figureGroups(tenant),
    day: await figureGroups(tenant, { step: "day" }),
    total: await figureGroups(tenant, { step: "total" }),
  });

  it("changes no sum, and a later projection of a folded hour is added", async () => {
    const tenant = await storedTenant();
    await applyRuns(okRun(tenant), okRun(tenant, { id: "2.1", finishedAt: NOW - 30 * HOUR, uses: "mail", version: 3 }));
    await applyRuns(failedRun(tenant, { id: "3.1", definition: "other" }));
    const before = await everything(tenant);
    expect(before.hour).toEqual(before.day);
    await foldAll();
    expect(await everything(tenant)).toEqual(before);
    await applyRuns(okRun(tenant, { id: "4.1", finishedAt: NOW - 30 * HOUR }));
    await foldAll();
    expect(await foldFigures(db, hour + 48, 3)).toBe(0);
    const after = await everything(tenant);
    expect(after.hour[GROUP]).toMatchObject({ ok: 2, failed: 1 });
    expect(after.day).toEqual(after.hour);
    expect(after.total).toEqual(after.hour);
  });

  it("adds all definitions by action type in rows of the tenant", async () => {
    const tenant = await storedTenant();
    const runs = [
      okRun(tenant),
      okRun(tenant, { id: "2.1", uses: "mail", definition: "b" }),
      okRun(tenant, { id: "3.1", type: "sms" }),
    ];
    await applyProjections(db, [projection({ runs, executions: [executionRow({ tenant, createdAt: NOW })] })]);
    await foldAll();
    for (const step of ["hour", "day", "total"] as const) {
      const groups = await figureGroups(tenant, { step, of: "sum" });
      expect(Object.keys(groups)).toEqual(["", "sms/*/*", "webhook/*/*"]);
      expect(groups).toMatchObject({
        "": { started: 1 },
        "webhook/*/*": { ok: 2, "took/106": 2 },
        "sms/*/*": { ok: 1 },
      });
    }
  });

  it("leaves the present hour, and purges old hours and days but not the totals", async () => {
    const tenant = await storedTenant();
    await applyRuns(okRun(tenant), okRun(tenant, { id: "2.1", finishedAt: NOW - 50 * HOUR }));
    await foldFigures(db, hour, 500);
    const rows = await readFigures(db, { tenant, step: "hour", of: "all", fromHour: 0, toHour: hour, max: readMax });
    expect(rows?.map(({ step }) => step)).toEqual(["hour", "fresh"]);
    while ((await purgeFigures(db, { hour: hour - 10, day: Math.floor(hour / 24) - 1 }, 100)) > 0);
    expect((await figureGroups(tenant))[GROUP]).toMatchObject({ ok: 1 });
    expect((await figureGroups(tenant, { step: "day" }))[GROUP]).toMatchObject({ ok: 1 });
    expect((await figureGroups(tenant, { step: "total" }))[GROUP]).toMatchObject({ ok: 2 });
  });
});
