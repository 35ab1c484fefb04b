// Delivery statuses: adds to runs and actions what providers have reported about their messages, reads the figures, and
// deletes reports.
import {
  deliveryStatuses,
  eraseReports as erase,
  purgeReportDays,
  purgeReports as purge,
  reportDays,
  type ReportDay,
} from "#catalog/reports/delivery-statuses.ts";
import { REPORT_DAY_ROWS_MAX, REPORTS_KEPT_MS } from "#schema/limits/inbound/callbacks.ts";
import { DAY_MS, DAYS_KEPT } from "#schema/limits/upkeep/statistics.ts";
import { reportedTypes, type DeliveryStatus } from "#schema/reports/report.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { Deps, TenantCaller } from "../deps.ts";

/** A run, as far as its delivery status needs it. Only runs that have sent a message have a status. */
export type DeliveredRun = {
  readonly execution: string;
  readonly run: string;
  readonly type: string;
  readonly status: string;
  readonly incarnation: number;
};

/**
 * Returns the delivery status of each run in the same order; null if there are no reports. Without runs that have sent a
 * message, the catalog is not queried. If it does not answer, no run has a status.
 */
export async function deliveriesOf(
  { db, log }: Pick<Deps, "db" | "log">,
  tenant: string,
  runs: readonly DeliveredRun[],
): Promise<readonly (DeliveryStatus | null)[]> {
  const keys = runs.filter(maySend).map(({ execution, run }) => ({ execution, run }));
  if (keys.length === 0) return runs.map(() => null);
  try {
    const found = await deliveryStatuses(db, tenant, keys);
    return runs.map((each) => {
      const status = found.get(`${each.execution} ${each.run}`) ?? null;
      return status?.incarnation === each.incarnation ? status : null;
    });
  } catch (cause) {
    log({ level: "warn", event: "delivery_status_not_read", tenant, message: String(cause) });
    return runs.map(() => null);
  }
}

/** A failed attempt may have sent its message as well. */
function maySend({ type, status }: DeliveredRun): boolean {
  return reportedTypes.has(type) && status !== "scheduled" && status !== "queued" && status !== "skipped";
}

export async function readReportDays(
  { db, now }: Pick<Deps, "db" | "now">,
  { tenant }: TenantCaller,
  { days, definition }: { readonly days: number; readonly definition: string | null },
): Promise<Result<readonly ReportDay[]>> {
  const from = Math.floor(now() / DAY_MS) - days + 1;
  return accept(await reportDays(db, tenant, { from, definition, limit: REPORT_DAY_ROWS_MAX }));
}

export function eraseReports(
  { db }: Pick<Deps, "db">,
  { tenant, id }: { readonly tenant: string; readonly id: string },
): Promise<void> {
  return erase(db, tenant, id);
}

/** Deletes up to `limit` reports and up to `limit` counters; returns the number of deleted rows. */
export async function purgeReports({ db, now }: Pick<Deps, "db" | "now">, limit: number): Promise<number> {
  const reports = await purge(db, now() - REPORTS_KEPT_MS, limit);
  return reports + (await purgeReportDays(db, Math.floor(now() / DAY_MS) - DAYS_KEPT, limit));
}
