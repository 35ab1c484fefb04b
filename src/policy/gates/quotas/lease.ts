// Decides in an isolate about uses of a tenant's quota, from a block that the tenant's object has leased to it
// (quota.ts). Also decides when to request the next block. An allowed use waits for the object only if the quota is
// nearly used up.
import { QUEUE_SHARE_ALL } from "#schema/limits/run-attempts.ts";
import {
  LEASE_REPORT_AFTER_MS,
  LEASE_REPORT_MAX,
  LEASE_REPORT_SHARE,
  LEASE_SPENT_MS,
  LEASE_TRUST_SHARE,
} from "#schema/limits/tenants/quota-leases.ts";
import { QUOTA_WARN_SHARE } from "#schema/limits/tenants/tenant-quotas.ts";
import { IN_FLIGHT_REPORT_SHARE, QUEUE_SHARE_REPORT_SHARE } from "#schema/limits/tenants/used-quotas.ts";
import type { ActionQueue } from "#schema/engine/message.ts";
import type { Allowance, Amounts, Lease, Limits, MeteredQuota, QueueUse, Quota } from "#schema/quota.ts";
import { windowEnd, windowMax } from "./quota.ts";

export type HeldLease = {
  readonly lease: Lease | null;
  /** The amounts used since this lease was issued. */
  readonly used: Amounts;
  /** The amounts used and not yet reported to the tenant's object. */
  readonly unreported: Amounts;
  /** The amounts that a report contains whose response has not arrived. */
  readonly reporting: Amounts;
  /** When the first unreported use happened, in epoch ms; null if there is none. */
  readonly unreportedSince: number | null;
  /** The number of attempts in progress in this isolate. */
  readonly inFlight: number;
  readonly reportedInFlight: number;
  readonly inQueue: QueueUse;
  readonly reportedInQueue: QueueUse;
};

export const noAmounts: Amounts = { startsPerSecond: 0, actionsPerDay: 0 };
const nothingInQueue: QueueUse = { short: 0, slow: 0 };
export const noLease: HeldLease = {
  lease: null,
  used: noAmounts,
  unreported: noAmounts,
  reporting: noAmounts,
  unreportedSince: null,
  inFlight: 0,
  reportedInFlight: 0,
  inQueue: nothingInQueue,
  reportedInQueue: nothingInQueue,
};

export type UsedUpQuota = {
  readonly limit: Quota;
  readonly used: number;
  readonly max: number;
  /** The instant at which some of the quota may be available again, in epoch ms. */
  readonly at: number;
};
/** `take`: the use is allowed. `wait`: only the tenant's object can decide about it. */
export type UseDecision =
  | { readonly kind: "take" }
  | { readonly kind: "wait" }
  | ({ readonly kind: "refuse" } & UsedUpQuota);

const TAKE: UseDecision = { kind: "take" };
const WAIT: UseDecision = { kind: "wait" };

/** Decides about one use of the quota. */
export function decideUse(held: HeldLease, quota: MeteredQuota, limits: Limits, now: number): UseDecision {
  const zero = zeroQuota(quota, limits);
  if (zero !== null) return { kind: "refuse", limit: zero, used: 0, max: 0, at: windowEnd(quota, now) };
  const { lease } = held;
  const allowance = lease?.amounts[quota];
  const isTrusted = held.unreported[quota] + held.reporting[quota] < shareOf(quota, limits, LEASE_TRUST_SHARE);
  if (!lease || !allowance || now >= allowance.resetAt) return isTrusted ? TAKE : WAIT;
  if (hasOtherLimits(quota, lease, limits)) return WAIT;
  if (now < lease.until && held.used[quota] < allowance.free) return TAKE;
  if (allowance.free > 0) return isTrusted && isPlenty(quota, lease, held.used[quota], limits) ? TAKE : WAIT;
  return now >= lease.at + LEASE_SPENT_MS ? WAIT : { kind: "refuse", ...usedUpQuota(quota, lease, allowance, limits) };
}

/** Returns whether the limits have changed since the lease was issued. The lease is then invalid. */
function hasOtherLimits(quota: MeteredQuota, { amounts, live }: Lease, limits: Limits): boolean {
  if (amounts[quota].max !== windowMax(quota, limits)) return true;
  return quota === "startsPerSecond" && live.max !== limits.liveExecutions;
}

/**
 * Returns whether so little of the quota is used that an expired lease still allows uses. These uses do not wait for
 * the next lease.
 */
function isPlenty(quota: MeteredQuota, { amounts, live }: Lease, usedHere: number, limits: Limits): boolean {
  const { used, max } = amounts[quota];
  const isLivePlenty = quota !== "startsPerSecond" || live.used + usedHere < limits.liveExecutions * QUOTA_WARN_SHARE;
  return isLivePlenty && used + usedHere < max * QUOTA_WARN_SHARE;
}

/** Returns whether the isolate should report its use now. The response to the report contains the next lease. */
export function shouldReport(held: HeldLease, limits: Limits, now: number): boolean {
  const isOverdue = held.unreportedSince !== null && now >= held.unreportedSince + LEASE_REPORT_AFTER_MS;
  const change = Math.abs(held.inFlight - held.reportedInFlight);
  if (isOverdue || change >= Math.max(1, limits.inFlight * IN_FLIGHT_REPORT_SHARE)) return true;
  if (hasChanged(held, "short") || hasChanged(held, "slow")) return true;
  return isLeaseDue(held, "startsPerSecond", limits, now) || isLeaseDue(held, "actionsPerDay", limits, now);
}

function hasChanged({ inQueue, reportedInQueue }: HeldLease, queue: ActionQueue): boolean {
  return Math.abs(inQueue[queue] - reportedInQueue[queue]) >= QUEUE_SHARE_ALL * QUEUE_SHARE_REPORT_SHARE;
}

/**
 * Returns whether the quota of attempts in progress is reached by all isolates together. The numbers of other isolates
 * are those of their last reports.
 */
export function isInFlightFull({ lease, inFlight }: HeldLease, limits: Limits): boolean {
  return inFlight + (lease?.inFlightElsewhere ?? 0) >= limits.inFlight;
}

/** Returns how much of a quota is left, as far as the isolate's lease shows. */
export function remainingOf(
  { lease, used, unreported, reporting }: HeldLease,
  quota: MeteredQuota,
  limits: Limits,
  now: number,
): Allowance {
  const max = windowMax(quota, limits);
  const allowance = lease?.amounts[quota];
  const isOver = allowance === undefined || now >= allowance.resetAt;
  const total = isOver ? unreported[quota] + reporting[quota] : allowance.used + used[quota];
  return { free: Math.max(0, max - total), used: total, max, resetAt: windowEnd(quota, now) };
}

/** Returns whether the next lease is due: half of the block is used. Without a block: enough use is unreported. */
function isLeaseDue({ lease, used, unreported }: HeldLease, quota: MeteredQuota, limits: Limits, now: number): boolean {
  const allowance = lease?.amounts[quota];
  if (lease && allowance && allowance.free > 0 && now < lease.until && now < allowance.resetAt)
    return used[quota] >= allowance.free / 2;
  return unreported[quota] >= Math.min(LEASE_REPORT_MAX, shareOf(quota, limits, LEASE_REPORT_SHARE));
}

/**
 * Returns a share of the quota. For starts the smaller of two quotas counts, because each start also creates a live
 * execution.
 */
function shareOf(quota: MeteredQuota, limits: Limits, share: number): number {
  const max = windowMax(quota, limits);
  return Math.max(1, Math.floor((quota === "startsPerSecond" ? Math.min(max, limits.liveExecutions) : max) * share));
}

/** Returns a quota that is zero, so that it never allows a use; null if there is none. */
function zeroQuota(quota: MeteredQuota, limits: Limits): Quota | null {
  if (limits[quota] === 0) return quota;
  return quota === "startsPerSecond" && limits.liveExecutions === 0 ? "liveExecutions" : null;
}

/** Returns the quota that is used up: the quota of starts, or the quota of live executions. */
function usedUpQuota(quota: MeteredQuota, { live, at }: Lease, allowance: Allowance, limits: Limits): UsedUpQuota {
  const { used, max, resetAt } = allowance;
  if (quota === "startsPerSecond" && live.free === 0 && used < max) {
    return { limit: "liveExecutions", used: live.used, max: limits.liveExecutions, at: at + LEASE_SPENT_MS };
  }
  return { limit: quota, used, max, at: resetAt };
}
