// Isolate leases of tenants' quotas: counts usage in memory, and reports it to the tenant's object in the background.
// If the object does not answer, no run waits for it. Requests share no promise, because a request that ends early ends
// its promises, too.
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
   * The latest time, in epoch ms, until which a report counts as in progress. A later report may then start, even if
   * the platform ended the request that sent the earlier one.
   */
  reportingUntil: number;
  /**
   * The time, in epoch ms, until which the tenant's object counts as not answering. Until then, everything is allowed.
   */
  silentUntil: number;
  /** The time, in epoch ms, of the last log line which said that the tenant's share of a queue is used up. */
  shareLoggedAt: number;
};

const leases = new Map<string, IsolateLease>();
/** The most recently used lease. It is already last in the map, so a busy tenant's lease need not be moved again. */
let latest: IsolateLease | null = null;
let isolate: string | null = null;

/** Returns the tenant's lease, and moves it to the end of the map, so that recently active tenants stay in the map. */
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

/** Reports in the background, if there is enough to report and no report is in progress. */
export function reportWhenWorth(deps: QuotaDeps, tenant: string, limits: Limits): void {
  const lease = leaseOf(tenant);
  const now = deps.now();
  if (now < lease.reportingUntil || now < lease.silentUntil || !shouldReport(lease.held, limits, now)) return;
  deps.background(reportUse(deps, tenant, limits));
}

/**
 * Reports in the background when other isolates' usage leaves no room, because their attempts may have ended since. An
 * isolate that is refused everything has nothing else to report.
 */
export function refreshLease(deps: QuotaDeps, tenant: string, limits: Limits): void {
  const { held, reportingUntil, silentUntil } = leaseOf(tenant);
  const now = deps.now();
  if (now < reportingUntil || now < silentUntil || now < (held.lease?.at ?? 0) + LEASE_SPENT_MS) return;
  deps.background(reportUse(deps, tenant, limits));
}

/** Reports the usage, and gets the next lease. Never throws. */
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
  // The reported usage is subtracted from `unreported` before the report is sent, because later usage belongs to the
  // next report.
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
    // The object computed the new lease without the usage that happened during the call, so `used` starts with this
    // usage.
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
