// Daily figures: reads them, alerts on days with a low success rate, and purges old days.
import { readFigures, type FigureRow } from "#catalog/metrics/figures.ts";
import { foldFigures, purgeFigures } from "#catalog/metrics/fold-figures.ts";
import { lowDays, type LowDay } from "#catalog/metrics/low-days.ts";
import { listDays, type RunDay, purgeDays } from "#catalog/metrics/run-days.ts";
import { earlierCounters } from "#policy/metrics/earlier-counters.ts";
import { typeFigures, type TypeFigures } from "#policy/metrics/type-figures.ts";
import type { TenantAlert } from "#schema/alert.ts";
import type { CounterGroups } from "#schema/metrics/counter-names.ts";
import {
  DAYS_KEPT,
  DAY_MS,
  FOLD_STEPS_MAX,
  FOLDED_ROWS,
  DAYS_READ_MAX,
  HOUR_MS,
  HOURS_KEPT,
  LOW_DAYS_MAX,
  LOW_DAY_REPORT_MS,
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
  const byDay = await countersByDay(deps, tenant, Math.floor(deps.now() / DAY_MS) - days + 1);
  return accept(typeFigures([...byDay.values()].flat()));
}

/** Reads today's figures. The root key without a tenant reads the figures of all tenants. */
export async function readTypesToday(deps: ReadDeps, { tenant }: Caller): Promise<readonly TypesOfTenant[]> {
  const rows = await readDays(deps, tenant, Math.floor(deps.now() / DAY_MS));
  const byTenant = Map.groupBy(rows, (row) => row.tenant);
  return [...byTenant].map(([id, ofTenant]) => ({ tenant: id, types: typeFigures(ofTenant.map(groupsOf)) }));
}

/** Returns the counters of a tenant's days from the day `from` on, including those that an earlier version has stored. */
export async function countersByDay(
  deps: ReadDeps,
  tenant: string,
  from: number,
  stored: Promise<readonly RunDay[]> = listDays(deps.db, tenant, from),
): Promise<ReadonlyMap<number, readonly CounterGroups[]>> {
  const [rows, earlier] = await Promise.all([readDays(deps, tenant, from), stored]);
  const all = [
    ...rows.map((row) => [row.step === "fresh" ? Math.floor(row.at / 24) : row.at, groupsOf(row)] as const),
    ...earlier.map(({ day, byType }) => [day, earlierCounters(byType ?? {})] as const),
  ];
  const byDay = Map.groupBy(all, ([day]) => day);
  return new Map([...byDay].map(([day, groups]) => [day, groups.map(([, group]) => group)]));
}

/** A tenant has one row per day, and the fresh rows of an hour or two. */
async function readDays({ db, now }: ReadDeps, tenant: string | null, from: number): Promise<readonly FigureRow[]> {
  const range = { fromHour: from * 24, toHour: Math.floor(now() / HOUR_MS) + 1 };
  return (await readFigures(db, { tenant, step: "day", of: "sum", ...range, max: DAYS_READ_MAX })) ?? [];
}

/** The engine has written the JSON, so only its type is stated here. */
function groupsOf({ counters }: FigureRow): CounterGroups {
  return JSON.parse(counters) as CounterGroups;
}

/** Folds the figures of past hours. Each sweep calls this; what one sweep leaves, the next one folds. */
export async function foldPastHours({ db, now }: ReadDeps): Promise<{ readonly foldedFigures: number }> {
  const hour = Math.floor(now() / HOUR_MS);
  let folded = 0;
  for (let step = 0; step < FOLD_STEPS_MAX; step++) {
    const rows = await foldFigures(db, hour, FOLDED_ROWS);
    folded += rows;
    if (rows < FOLDED_ROWS) break;
  }
  return { foldedFigures: folded };
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
      deps.log({ level: "warn", event: "alerts_not_raised", tenant: lowDay.tenant, message: String(cause) }),
    );
  }
  return { lowDays: found.length };
}

async function alertLowDay(deps: AlertDeps, lowDay: LowDay): Promise<void> {
  const { channel, tenant, day } = lowDay;
  const notice = tenantAlertOf(lowDay);
  const key = await alertKey(channel, JSON.stringify([notice.severity, notice.code]), day);
  const to = { tenant, channel: channel.name, test: false, publicUrl: deps.installation.publicUrl };
  const message = () => tenantAlertMessage(notice, to, null);
  await sendAlerts(deps, tenant, [{ channel, key, message }]);
}

function tenantAlertOf({ tenant, day, ok, failed }: LowDay): TenantAlert {
  const date = toInstant(day * DAY_MS).slice(0, 10);
  const percent = (Number(successRate({ ok, failed })) * 100).toFixed(2);
  const message = `of ${ok + failed} actions that were due on ${date}, ${ok} succeeded and ${failed} did not`;
  return {
    severity: "high",
    code: "success_rate_low",
    tenant,
    subject: `${percent} % on ${date}`,
    at: (day + 1) * DAY_MS,
    error: { type: "success_rate_low", code: null, message },
    nextStep: "Find the most frequent failure, and fix it first.",
    look: ["/api/execution/metrics?days=2", "/v1/dead-letters"],
  };
}

export async function purgeOldDays({ db, now }: Pick<Deps, "db" | "now">, limit: number): Promise<number> {
  const day = Math.floor(now() / DAY_MS) - DAYS_KEPT;
  const hour = Math.floor(now() / HOUR_MS) - HOURS_KEPT;
  return (await purgeDays(db, day, limit)) + (await purgeFigures(db, { hour, day }, limit));
}
