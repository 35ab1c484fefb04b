// Isolate leases of tenants' quotas: counts usage in memory, and reports it to the tenant's object in the background.
// If the object does not answer, runs continue without waiting for it. Requests never share a promise, because the
// platform drops a request's promises when the request ends.
import { countLive } from "#catalog/quotas.ts";
import { noLease, noAmounts, shouldReport, type HeldLease } from "#policy/gates/quotas/lease.ts";
import { isolateCaches } from "#schema/limits/isolates/caches.ts";
import { LEASE_SILENT_MS, LEASE_SPENT_MS, LEASE_WAIT_MS } from "#schema/limits/tenants/quota-leases.ts";
import { LIVE_COUNT_LAG_MS } from "#schema/limits/tenants/used-quotas.ts";
import type { Amounts, Lease, Limits, MeteredQuota, Report } from "#schema/quota.ts";
import type { Deps } from "../deps.ts";
import { withTimeLimit } from "../time-limit.ts";
import { dropOverdue, type QuotaSlot, type QuotaSlots } from "./work-in-progress.ts";

export type QuotaDeps = Pick<Deps, "now" | "db" | "log" | "background" | "meter" | "randomBytes">;

export type IsolateLease = {
  held: HeldLease;
  readonly slots: QuotaSlots;
  /**
   * Until this time, in epoch ms, the last report counts as in progress. Afterwards another report may start, because
   * the platform may have ended the request that sent the last one.
   */
  reportingUntil: number;
  /** Until this time, in epoch ms, the tenant's object counts as not answering, and all use is allowed. */
  silentUntil: number;
  /** The time, in epoch ms, of the last log line which said that the tenant's share of a queue is used up. */
  shareLoggedAt: number;
};

const leases = new Map<string, IsolateLease>();
/**
 * The lease that was used last. It is already the last entry of the map, so a busy tenant's lease need not be moved
 * again.
 */
let latest: IsolateLease | null = null;
let isolate: string | null = null;

/**
 * Returns the tenant's lease and moves it to the end of the map. The map drops its first entries, which belong to the
 * tenants that were idle longest.
 */
export function leaseOf(tenant: string): IsolateLease {
  const existing = leases.get(tenant);
  if (existing !== undefined && existing === latest) return existing;
  const lease = existing ?? newLease();
  latest = lease;
  leases.delete(tenant);
  leases.set(tenant, lease);
  if (leases.size > isolateCaches.leases.sizeMax) evictOldest();
  return lease;
}

function newLease(): IsolateLease {
  const slots = { attempts: new Set<QuotaSlot>(), short: new Set<QuotaSlot>(), slow: new Set<QuotaSlot>() };
  return { held: noLease, slots, reportingUntil: 0, silentUntil: 0, shareLoggedAt: 0 };
}

function evictOldest(): void {
  for (const [tenant, { slots }] of leases) {
    if (Object.values(slots).some(({ size }) => size > 0)) continue;
    leases.delete(tenant);
    return;
  }
}

export function recordUse(deps: QuotaDeps, lease: IsolateLease, quota: MeteredQuota): void {
  const { used, unreported, unreportedSince } = lease.held;
  lease.held = {
    ...lease.held,
    used: { ...used, [quota]: used[quota] + 1 },
    unreported: { ...unreported, [quota]: unreported[quota] + 1 },
    unreportedSince: unreportedSince ?? deps.now(),
  };
}

/** Reports the usage in the background, if there is enough to report and no report is in progress. */
export function reportWhenWorth(deps: QuotaDeps, tenant: string, limits: Limits): void {
  const lease = leaseOf(tenant);
  const now = deps.now();
  if (now < lease.reportingUntil || now < lease.silentUntil || !shouldReport(lease.held, limits, now)) return;
  deps.background(reportUse(deps, tenant, limits));
}

/**
 * Requests another lease in the background when other isolates' usage leaves no room, because their attempts may have
 * ended since. Without this, an isolate whose uses are all refused would have nothing to report and would never get a
 * new lease.
 */
export function refreshLease(deps: QuotaDeps, tenant: string, limits: Limits): void {
  const { held, reportingUntil, silentUntil } = leaseOf(tenant);
  const now = deps.now();
  if (now < reportingUntil || now < silentUntil || now < (held.lease?.at ?? 0) + LEASE_SPENT_MS) return;
  deps.background(reportUse(deps, tenant, limits));
}

/** Reports the usage, and receives the next lease. Never throws. */
export async function reportUse(deps: QuotaDeps, tenant: string, limits: Limits): Promise<void> {
  const lease = leaseOf(tenant);
  lease.reportingUntil = deps.now() + LEASE_WAIT_MS;
  try {
    const answer = await report(deps, tenant, lease, limits);
    if (answer.shouldCount) await report(deps, tenant, lease, limits, await countLiveExecutions(deps, tenant));
  } catch (cause) {
    lease.silentUntil = deps.now() + LEASE_SILENT_MS;
    deps.log({ level: "warn", event: "quota_use_not_reported", tenant, message: String(cause) });
  } finally {
    lease.reportingUntil = 0;
  }
}

async function countLiveExecutions({ db, now }: QuotaDeps, tenant: string): Promise<NonNullable<Report["counted"]>> {
  const at = now() - LIVE_COUNT_LAG_MS;
  const { before, endedSince } = await countLive(db, tenant, at);
  return { live: before - endedSince, at };
}

async function report(
  deps: QuotaDeps,
  tenant: string,
  lease: IsolateLease,
  limits: Limits,
  count?: Report["counted"],
): Promise<Lease> {
  isolate ??= hex(deps.randomBytes(8));
  dropOverdue(lease, deps.now());
  const { unreported, unreportedSince, inFlight, inQueue } = lease.held;
  const sent: Report = { isolate, limits, used: unreported, inFlight, inQueue, ...(count ? { counted: count } : {}) };
  // `unreported` is emptied before the report is sent, because usage from now on belongs to the next report.
  const reporting = plus(lease.held.reporting, unreported);
  lease.held = {
    ...lease.held,
    unreported: noAmounts,
    reporting,
    unreportedSince: null,
    reportedInFlight: inFlight,
    reportedInQueue: inQueue,
  };
  try {
    const answer = await withTimeLimit(LEASE_WAIT_MS, deps.meter(tenant).report(sent));
    const others = plus(lease.held.reporting, unreported, -1);
    // The object did not know the usage that happened during the call. So the new lease already counts that usage as
    // used.
    const used = plus(lease.held.unreported, others);
    lease.held = { ...lease.held, lease: answer, used, reporting: others };
    return answer;
  } catch (cause) {
    const restored = {
      unreported: plus(unreported, lease.held.unreported),
      reporting: plus(lease.held.reporting, unreported, -1),
    };
    lease.held = { ...lease.held, ...restored, unreportedSince };
    throw cause;
  }
}

function plus(a: Amounts, b: Amounts, times = 1): Amounts {
  return {
    startsPerSecond: a.startsPerSecond + times * b.startsPerSecond,
    actionsPerDay: a.actionsPerDay + times * b.actionsPerDay,
  };
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
