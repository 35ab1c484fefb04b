// Quotas: what a tenant may have and use, by name. `schema/limits/tenant-quotas.ts` has the defaults.
import { z } from "zod";
import type { ActionQueue } from "./engine/message.ts";
import type { Pool } from "./placement/tenant-pool.ts";
import { QUOTA_MAX, quotas } from "./limits/tenants/tenant-quotas.ts";

export type Quota = keyof typeof quotas;
export const quotaNames = Object.keys(quotas) as Quota[]; // an object literal has the keys of its type

/** Counted in storage when one is added: never one too many. */
export const storedQuotas = [
  "definitions",
  "keys",
  "secrets",
  "templates",
  "connections",
  "alertChannels",
  "recurring",
  "triggers",
] as const;
export type StoredQuota = (typeof storedQuotas)[number];

export type Limits = { readonly [name in Quota]: number };
/** Limits that the root key has set. */
export type OwnLimits = { readonly [name in Quota]?: number };

export type Suspension = { readonly at: number; readonly reason: string };

/** A tenant's settings that every request needs. */
export type TenantSettings = {
  readonly limits: Limits;
  readonly suspended: Suspension | null;
  /** Origins from which browsers may call; null while they cannot be looked up. */
  readonly origins: readonly string[] | null;
  /** The number of its cells; null while it cannot be looked up. */
  readonly pool: Pool | null;
};

const amount = z.number().int().min(0).max(QUOTA_MAX);

/** null resets a limit to its default. */
export const limitChanges = z.strictObject(
  Object.fromEntries(quotaNames.map((name) => [name, amount.nullable().optional()])) as {
    [name in Quota]: z.ZodOptional<z.ZodNullable<typeof amount>>;
  }, // fromEntries loses the names
);
export type LimitChanges = z.infer<typeof limitChanges>;

export function limitsOf(own: OwnLimits | null): Limits {
  return { ...quotas, ...own };
}

/** Counted over a period, and leased to isolates in blocks. */
export const meteredQuotas = ["startsPerSecond", "actionsPerDay"] as const;
export type MeteredQuota = (typeof meteredQuotas)[number];
export type Amounts = { readonly [quota in MeteredQuota]: number };

/** Of each queue, the invocations of its consumer that a tenant's runs occupy. */
export type QueueUse = { readonly [queue in ActionQueue]: number };

/** An isolate's report to the tenant's object: its use since the last report. */
export type Report = {
  readonly isolate: string;
  /** They are sent with each call, so the object is never notified of changes. */
  readonly limits: Limits;
  readonly used: Amounts;
  /** Its attempts in progress. */
  readonly inFlight: number;
  /** Absent in reports of 0.9.0. */
  readonly inQueue?: QueueUse;
  /** In the catalog: live executions created before that instant, less those created since that have ended. */
  readonly counted?: { readonly live: number; readonly at: number };
};

export type Allowance = {
  /** What the isolate may use until the lease ends. */
  readonly free: number;
  /** By all isolates, as reported. */
  readonly used: number;
  readonly max: number;
  readonly resetAt: number;
};
export type Lease = {
  readonly amounts: { readonly [quota in MeteredQuota]: Allowance };
  readonly live: { readonly free: number; readonly used: number; readonly max: number };
  readonly inFlightElsewhere: number;
  /** Absent in answers of 0.9.0. */
  readonly inQueueElsewhere?: QueueUse;
  readonly at: number;
  readonly until: number;
  /** The isolate should count live executions in the catalog, and report the number. */
  readonly shouldCount: boolean;
};
export type MeterView = { readonly used: Amounts; readonly live: number; readonly inFlight: number };

/** The calls that a tenant's object answers. It adds up isolates' reports, and no request waits for it. */
export type Meter = { report(report: Report): Promise<Lease>; read(): Promise<MeterView> };
