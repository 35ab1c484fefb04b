// Figures in tests: a tenant with rows of runs, and the counters that the catalog has counted of them.
import { readFigures, type FiguresQuery } from "#catalog/metrics/figures.ts";
import { applyProjections } from "#catalog/projections/projections.ts";
import { insertTenant } from "#catalog/tenants.ts";
import type { RunRow } from "#schema/engine/projection.ts";
import { addCounters, type CounterGroups, type Counters } from "#schema/metrics/counter-names.ts";
import { auditRow, catalog, newTenant, NOW, projection, runRow } from "#test/support/catalog.ts";

export const HOUR = 3_600_000;
export const hour = Math.floor(NOW / HOUR);
export const readMax = { rows: 5_000, chars: 8_000_000 };
/** The group of `okRun` and `failedRun`. */
export const GROUP = "webhook/notify/";

export async function storedTenant(): Promise<string> {
  const id = newTenant();
  const row = { id, name: id, createdAt: NOW, retentionDays: 30 };
  await insertTenant(catalog(), row, auditRow({ tenant: id, id, at: NOW }));
  return id;
}

export const applyRuns = (...runs: readonly RunRow[]) => applyProjections(catalog(), [projection({ runs: [...runs] })]);

export async function figureGroups(tenant: string, over: Partial<FiguresQuery> = {}): Promise<CounterGroups> {
  const range = { fromHour: hour - 24 * 40, toHour: hour + 24, max: readMax };
  const rows = (await readFigures(catalog(), { tenant, step: "hour", of: "all", ...range, ...over })) ?? [];
  const all: { [group: string]: Counters } = {};
  for (const { counters } of rows) {
    // The engine has written the JSON.
    for (const [group, more] of Object.entries(JSON.parse(counters) as CounterGroups))
      all[group] = addCounters(all[group] ?? {}, more);
  }
  return all;
}

export const okRun = (tenant: string, over: Partial<RunRow> = {}) =>
  runRow({ tenant, id: "1.1", status: "ok", finishedAt: NOW, incarnation: NOW, tried: [{ ms: 100 }], ...over });

export const failedRun = (tenant: string, over: Partial<RunRow> = {}) =>
  okRun(tenant, {
    status: "failed",
    errorType: "service_unavailable",
    error: "503",
    deadLetter: true,
    tried: [{ ms: 100, error: "service_unavailable" }],
    ...over,
  });
