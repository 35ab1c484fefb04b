// Daily figures: reads them, alerts on days with a low success rate, and purges old days.
import { lowDays, type LowDay } from "#catalog/metrics/low-days.ts";
import { countersSince, purgeDays } from "#catalog/metrics/run-days.ts";
import { typeFigures, type TypeFigures } from "#policy/metrics/type-figures.ts";
import type { TenantAlert } from "#schema/alert.ts";
import {
  DAYS_KEPT,
  DAY_MS,
  LOW_DAYS_MAX,
  LOW_DAY_REPORT_MS,
  TYPE_COUNTERS_MAX,
} from "#schema/limits/upkeep/statistics.ts";
import { successRate } from "#schema/metrics/success-rate.ts";
import { accept, type Result } from "#schema/refusal.ts";
import { toInstant } from "#schema/values.ts";
import { tenantAlertMessage } from "../alerts/alert-message.ts";
import { type AlertDeps, alertKey, sendAlerts } from "../alerts/raise-alerts.ts";
import type { Caller, Deps, TenantCaller } from "../deps.ts";

type ReadDeps = Pick<Deps, "db" | "now">;
export type TypesOfTenant = { readonly tenant: string; readonly types: readonly TypeFigures[] };

export async function readTypes(
  deps: ReadDeps,
  { tenant }: TenantCaller,
  { days }: { readonly days: number },
): Promise<Result<readonly TypeFigures[]>> {
  const [found] = await typesOfDays(deps, tenant, days);
  return accept(found?.types ?? []);
}

/** Reads today's figures. The root key without a tenant reads the figures of all tenants. */
export async function readTypesToday(deps: ReadDeps, { tenant }: Caller): Promise<readonly TypesOfTenant[]> {
  return typesOfDays(deps, tenant, 1);
}

async function typesOfDays(deps: ReadDeps, tenant: string | null, days: number): Promise<readonly TypesOfTenant[]> {
  const from = Math.floor(deps.now() / DAY_MS) - days + 1;
  const counters = await countersSince(deps.db, { tenant, from, limit: TYPE_COUNTERS_MAX });
  const lowDay = Map.groupBy(counters, (counter) => counter.tenant);
  return [...lowDay].map(([id, ofTenant]) => ({ tenant: id, types: typeFigures(ofTenant) }));
}

/**
 * Alerts about yesterday's low success rates. Each sweep in the first hours of a day calls this again. The
 * Idempotency-Key is the same each time, so the alert is sent once.
 */
export async function alertLowDays(deps: AlertDeps): Promise<{ readonly lowDays: number }> {
  const now = deps.now();
  if (now % DAY_MS > LOW_DAY_REPORT_MS) return { lowDays: 0 };
  const found = await lowDays(deps.db, Math.floor(now / DAY_MS) - 1, LOW_DAYS_MAX);
  for (const lowDay of found) {
    // If one channel fails, the remaining alerts are still sent.
    await alertLowDay(deps, lowDay).catch((cause: unknown) =>
      deps.log({ level: "warn", event: "alerts_not_raised", tenant: lowDay.day.tenant, message: String(cause) }),
    );
  }
  return { lowDays: found.length };
}

async function alertLowDay(deps: AlertDeps, { channel, day }: LowDay): Promise<void> {
  const { tenant } = day;
  const notice = tenantAlertOf(day);
  const key = await alertKey(channel, JSON.stringify([notice.severity, notice.code]), day.day);
  const to = { tenant, channel: channel.name, test: false, publicUrl: deps.installation.publicUrl };
  const message = () => tenantAlertMessage(notice, to, null);
  await sendAlerts(deps, tenant, [{ channel, key, message }]);
}

function tenantAlertOf(day: LowDay["day"]): TenantAlert {
  const { tenant, total, successful, refused } = day;
  const date = toInstant(day.day * DAY_MS).slice(0, 10);
  const percent = (successRate(day) * 100).toFixed(2);
  const due = total - refused;
  const message = `of ${due} actions that were due on ${date}, ${successful} succeeded and ${due - successful} did not`;
  return {
    severity: "high",
    code: "success_rate_low",
    tenant,
    subject: `${percent} % on ${date}`,
    at: (day.day + 1) * DAY_MS,
    error: { type: "success_rate_low", code: null, message },
    nextStep: "Find the most frequent failure, and fix it first.",
    look: ["/api/execution/metrics?days=2", "/v1/dead-letters"],
  };
}

export async function purgeOldDays(deps: Pick<Deps, "db" | "now">, limit: number): Promise<number> {
  return purgeDays(deps.db, Math.floor(deps.now() / DAY_MS) - DAYS_KEPT, limit);
}
