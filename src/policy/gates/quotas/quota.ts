// Shares a tenant's quotas among isolates. Each isolate reports its use, and gets a block of what is left on lease. An
// unused block becomes free when its lease ends. Pure: the tenant's object stores this state, and isolates store their
// leases (lease.ts).
import {
  ACTIONS_WINDOW_MS,
  LEASES_MAX,
  LEASE_BLOCK_MIN,
  LEASE_GROWTH_MAX,
  LEASE_MS,
  LEASE_PACE_MS,
  QUOTA_WARN_MS,
  STARTS_WINDOW_MS,
} from "#schema/limits/tenants/quota-leases.ts";
import { QUOTA_WARN_SHARE } from "#schema/limits/tenants/tenant-quotas.ts";
import { IN_FLIGHT_FORGOTTEN_MS } from "#schema/limits/tenants/used-quotas.ts";
import type { ActionQueue } from "#schema/engine/message.ts";
import {
  meteredQuotas,
  type Allowance,
  type Amounts,
  type Lease,
  type Limits,
  type MeteredQuota,
  type MeterView,
  type QueueUse,
  type Quota,
  type Report,
} from "#schema/quota.ts";
import {
  isCountValid,
  applyCount,
  estimateLive,
  noLiveCount,
  countStarts,
  isCountDue,
  type LiveCount,
} from "../live-count.ts";

/** The use within one window. `from`: the start of the window, in epoch ms. */
type Window = { readonly from: number; readonly used: number };
/** What one isolate has until its next report or the end of its lease: its block, and its attempts in progress. */
type Lent = {
  readonly free: Amounts;
  readonly until: number;
  readonly inFlight: number;
  /** Absent in stored rows of version 0.9.0. */
  readonly inQueue?: QueueUse;
  readonly reportedAt: number;
};
type Warned = { readonly [quota in Quota]?: number };

export type MeterState = {
  readonly windows: { readonly [quota in MeteredQuota]: Window };
  readonly lent: { readonly [isolate: string]: Lent };
  readonly live: LiveCount;
  readonly warnedAt: Warned;
};
/** A quota that is nearly used up. Each quota is reported once per QUOTA_WARN_MS at most. */
export type NearlyUsedQuota = { readonly limit: Quota; readonly used: number; readonly max: number };
export type MeterResult = {
  readonly state: MeterState;
  readonly lease: Lease;
  readonly near: readonly NearlyUsedQuota[];
};

const NO_WINDOW: Window = { from: 0, used: 0 };
export const openMeter: MeterState = {
  windows: { startsPerSecond: NO_WINDOW, actionsPerDay: NO_WINDOW },
  lent: {},
  live: noLiveCount,
  warnedAt: {},
};

/** The length of the window over which each quota is counted, in milliseconds. */
const windowMs: Amounts = { startsPerSecond: STARTS_WINDOW_MS, actionsPerDay: ACTIONS_WINDOW_MS };

/** Returns how much the quota allows in one window. */
export function windowMax(quota: MeteredQuota, limits: Limits): number {
  return quota === "startsPerSecond" ? (limits.startsPerSecond * STARTS_WINDOW_MS) / 1_000 : limits.actionsPerDay;
}

/** Returns the end of the window that contains the instant. Days end at midnight UTC. */
export function windowEnd(quota: MeteredQuota, at: number): number {
  return at - (at % windowMs[quota]) + windowMs[quota];
}

/** Records the report of an isolate, and returns the isolate's next lease. */
export function recordReport(before: MeterState, report: Report, now: number): MeterResult {
  const { isolate, limits, used, inFlight, inQueue = { short: 0, slow: 0 } } = report;
  const otherIsolates = recentReports(before.lent, isolate, now);
  const windows = currentWindows(before.windows, used, now);
  const live = applyCount(countStarts(before.live, used.startsPerSecond, now), report.counted);
  const lentElsewhere = leasedAmounts(otherIsolates, now);
  const liveUsed = estimateLive(live) + lentElsewhere.startsPerSecond;
  const freeLive = isCountValid(live, now) ? Math.max(0, limits.liveExecutions - liveUsed) : limits.liveExecutions;
  const sinceMs = Math.max(1, now - (before.lent[isolate]?.reportedAt ?? 0));
  const amounts = allowances({ windows, lentElsewhere, freeLive, sinceMs }, report, now);
  const inFlightElsewhere = sumInFlight(otherIsolates);
  const shouldCount = isCountDue(live, liveUsed, limits.liveExecutions, now);
  const free = { startsPerSecond: amounts.startsPerSecond.free, actionsPerDay: amounts.actionsPerDay.free };
  const until = now + LEASE_MS;
  const state: MeterState = {
    windows,
    lent: { ...otherIsolates, [isolate]: { free, until, inFlight, inQueue, reportedAt: now } },
    live: shouldCount ? { ...live, askedAt: now } : live,
    warnedAt: before.warnedAt,
  };
  const near = quotasToWarn(state, { ...report, inFlight: inFlight + inFlightElsewhere }, liveUsed, now);
  return {
    state: { ...state, warnedAt: { ...state.warnedAt, ...Object.fromEntries(near.map(({ limit }) => [limit, now])) } },
    lease: {
      amounts,
      live: { free: freeLive, used: liveUsed, max: limits.liveExecutions },
      inFlightElsewhere,
      inQueueElsewhere: { short: sumInQueue(otherIsolates, "short"), slow: sumInQueue(otherIsolates, "slow") },
      at: now,
      until,
      shouldCount,
    },
    near,
  };
}

/** Returns the tenant's current use, for API responses. */
export function viewMeter(state: MeterState, now: number): MeterView {
  const { startsPerSecond, actionsPerDay } = currentWindows(
    state.windows,
    { startsPerSecond: 0, actionsPerDay: 0 },
    now,
  );
  return {
    used: { startsPerSecond: startsPerSecond.used, actionsPerDay: actionsPerDay.used },
    live: estimateLive(state.live),
    inFlight: sumInFlight(recentReports(state.lent, null, now)),
  };
}

/** The use of the quotas by all isolates, from which one isolate's block is computed. */
type QuotaSituation = {
  readonly windows: MeterState["windows"];
  readonly lentElsewhere: Amounts;
  readonly freeLive: number;
  /** The time since the previous report of the isolate, in milliseconds. */
  readonly sinceMs: number;
};

function allowances(situation: QuotaSituation, report: Report, now: number): Lease["amounts"] {
  return {
    startsPerSecond: allowance("startsPerSecond", situation, report, now),
    actionsPerDay: allowance("actionsPerDay", situation, report, now),
  };
}

/**
 * Returns the isolate's next block of one quota. It is at most half of what is left, so that other isolates can get
 * blocks too.
 */
function allowance(
  quota: MeteredQuota,
  { windows, lentElsewhere, freeLive, sinceMs }: QuotaSituation,
  { limits, used }: Report,
  now: number,
): Allowance {
  const max = windowMax(quota, limits);
  const usedInWindow = windows[quota].used;
  const remaining = Math.max(0, max - usedInWindow - lentElsewhere[quota]);
  const available = quota === "startsPerSecond" ? Math.min(remaining, freeLive) : remaining;
  const free = Math.min(blockFor(used[quota], sinceMs), Math.ceil(available / 2));
  return { free, used: usedInWindow, max, resetAt: windowEnd(quota, now) };
}

/**
 * Returns the size of a block: twice the use that is expected until the next report. An isolate reports when half of
 * its block is used.
 */
function blockFor(used: number, sinceMs: number): number {
  const expected = Math.ceil((2 * LEASE_PACE_MS * used) / sinceMs);
  return Math.max(LEASE_BLOCK_MIN, 2 * used, Math.min(expected, LEASE_GROWTH_MAX * used));
}

/** Adds the use to the windows that contain `now`. Windows that have ended are removed. */
function currentWindows(windows: MeterState["windows"], used: Amounts, now: number): MeterState["windows"] {
  const roll = (quota: MeteredQuota): Window => {
    const from = windowEnd(quota, now) - windowMs[quota];
    const before = windows[quota].from === from ? windows[quota].used : 0;
    return { from, used: before + used[quota] };
  };
  return { startsPerSecond: roll("startsPerSecond"), actionsPerDay: roll("actionsPerDay") };
}

/**
 * Returns the leases of isolates that have reported recently, at most LEASES_MAX. `except`: the isolate whose lease is
 * left out.
 */
function recentReports(lent: MeterState["lent"], except: string | null, now: number): MeterState["lent"] {
  const recent = Object.entries(lent)
    .filter(([isolate, { reportedAt }]) => isolate !== except && reportedAt > now - IN_FLIGHT_FORGOTTEN_MS)
    .toSorted(([, a], [, b]) => b.reportedAt - a.reportedAt);
  return Object.fromEntries(recent.slice(0, LEASES_MAX - 1));
}

/** Returns the sum of all blocks whose leases have not ended. */
function leasedAmounts(lent: MeterState["lent"], now: number): Amounts {
  const unexpired = Object.values(lent).filter(({ until }) => until > now);
  const sum = (quota: MeteredQuota): number => unexpired.reduce((total, { free }) => total + free[quota], 0);
  return { startsPerSecond: sum("startsPerSecond"), actionsPerDay: sum("actionsPerDay") };
}

function sumInFlight(lent: MeterState["lent"]): number {
  return Object.values(lent).reduce((total, { inFlight }) => total + inFlight, 0);
}

function sumInQueue(lent: MeterState["lent"], queue: ActionQueue): number {
  return Object.values(lent).reduce((total, { inQueue }) => total + (inQueue?.[queue] ?? 0), 0);
}

/** Returns the quotas that are nearly used up, without those about which a warning was sent recently. */
function quotasToWarn(
  { windows, warnedAt }: MeterState,
  { limits, inFlight }: Report,
  live: number,
  now: number,
): readonly NearlyUsedQuota[] {
  const uses: readonly NearlyUsedQuota[] = [
    ...meteredQuotas.map((limit) => ({ limit, used: windows[limit].used, max: windowMax(limit, limits) })),
    { limit: "liveExecutions", used: live, max: limits.liveExecutions },
    { limit: "inFlight", used: inFlight, max: limits.inFlight },
  ];
  return uses.filter(
    ({ limit, used, max }) =>
      used > 0 && used >= max * QUOTA_WARN_SHARE && (warnedAt[limit] ?? 0) <= now - QUOTA_WARN_MS,
  );
}
