// Quotas: how much a tenant may have and use, by name. The defaults are in `schema/limits/tenants/tenant-quotas.ts`.
import { z } from "zod";
import type { ActionQueue } from "./engine/message.ts";
import type { TenantPolicy } from "./policies/policy.ts";
import type { Pool } from "./placement/tenant-pool.ts";
import { QUOTA_MAX, quotas } from "./limits/tenants/tenant-quotas.ts";

export type Quota = keyof typeof quotas;
export const quotaNames = Object.keys(quotas) as Quota[]; // `quotas` is a literal object, so its fields are exactly those of its type.

/** Quotas of stored resources. They are checked when a resource is added, so they are never exceeded. */
export const storedQuotas = [
  "definitions",
  "keys",
  "secrets",
  "templates",
  "connections",
  "alertChannels",
  "calendars",
  "recurring",
  "triggers",
  "suppressions",
  "policies",
] as const;
export type StoredQuota = (typeof storedQuotas)[number];

export type Limits = { readonly [name in Quota]: number };
/** The quotas that the root key has set for a tenant. */
export type OwnLimits = { readonly [name in Quota]?: number };

export type Suspension = { readonly at: number; readonly reason: string };

/** The settings of a tenant that every request reads. */
export type TenantSettings = {
  readonly limits: Limits;
  readonly suspended: Suspension | null;
  /** The origins from which browsers may call. Null while the catalog does not answer. */
  readonly origins: readonly string[] | null;
  /** The tenant's pool of cells. Null while the catalog does not answer. */
  readonly pool: Pool | null;
  /** The tenant's policies, by name. Empty while the catalog does not answer. */
  readonly policies: readonly TenantPolicy[];
};

const amount = z.number().int().min(0).max(QUOTA_MAX);

/** Changes of a tenant's quotas. A quota with null is reset to its default. */
export const limitChanges = z.strictObject(
  Object.fromEntries(quotaNames.map((name) => [name, amount.nullable().optional()])) as {
    [name in Quota]: z.ZodOptional<z.ZodNullable<typeof amount>>;
  }, // Object.fromEntries returns an object type without field names, so the type is asserted.
);
export type LimitChanges = z.infer<typeof limitChanges>;

export function limitsOf(own: OwnLimits | null): Limits {
  return { ...quotas, ...own };
}

/** Quotas that are counted over a period. Isolates lease amounts of them from the tenant's object. */
export const meteredQuotas = ["startsPerSecond", "actionsPerDay"] as const;
export type MeteredQuota = (typeof meteredQuotas)[number];
export type Amounts = { readonly [quota in MeteredQuota]: number };

/** How many consumer invocations execute actions of the tenant, by queue. */
export type QueueUse = { readonly [queue in ActionQueue]: number };

/** What an isolate reports to the tenant's object: its use since its last report. */
export type Report = {
  readonly isolate: string;
  /** The tenant's quotas. Each call contains them, so that the object always has the current ones. */
  readonly limits: Limits;
  readonly used: Amounts;
  /** How many attempts of the tenant are in progress in the isolate. */
  readonly inFlight: number;
  /** How many invocations the isolate's runs occupy, by queue. Absent in reports of 0.9.0. */
  readonly inQueue?: QueueUse;
  /**
   * The catalog's count of live executions, at the instant `at` (epoch ms). Executions that were created later and have
   * ended since are subtracted.
   */
  readonly counted?: { readonly live: number; readonly at: number };
};

export type Allowance = {
  /** How much the isolate may use before the lease ends. */
  readonly free: number;
  /** How much all isolates together have used, as far as they have reported. */
  readonly used: number;
  readonly max: number;
  readonly resetAt: number;
};
export type Lease = {
  readonly amounts: { readonly [quota in MeteredQuota]: Allowance };
  readonly live: { readonly free: number; readonly used: number; readonly max: number };
  readonly inFlightElsewhere: number;
  /** How many invocations the runs of other isolates occupy, by queue. Absent in answers of 0.9.0. */
  readonly inQueueElsewhere?: QueueUse;
  readonly at: number;
  readonly until: number;
  /**
   * True: the isolate should count the tenant's live executions in the catalog. Its next report then contains the
   * count.
   */
  readonly shouldCount: boolean;
};
export type MeterView = { readonly used: Amounts; readonly live: number; readonly inFlight: number };

/** The RPC interface of a tenant's object. It adds up the reports of all isolates. */
export type Meter = { report(report: Report): Promise<Lease>; read(): Promise<MeterView> };
