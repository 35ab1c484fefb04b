// Quotas: what a tenant may have and use, by name. `schema/limits/tenant-quotas.ts` has what holds where nobody says otherwise.
import { z } from "zod";
import type { ActionQueue } from "./engine/message.ts";
import type { Pool } from "./placement/tenant-pool.ts";
import { QUOTA_MAX, quotas } from "./limits/tenant-quotas.ts";

export type Quota = keyof typeof quotas;
export const quotaNames = Object.keys(quotas) as Quota[]; // an object literal has the keys that its type says

/** Counted where they are stored, when one is added: never one too many. */
export const keptQuotas = [
  "definitions",
  "keys",
  "secrets",
  "templates",
  "connections",
  "alertChannels",
  "recurring",
  "triggers",
] as const;
export type KeptQuota = (typeof keptQuotas)[number];

export type Limits = { readonly [name in Quota]: number };
/** Those that the root key has set. */
export type OwnLimits = { readonly [name in Quota]?: number };

export type Suspension = { readonly at: number; readonly reason: string };

/** What the engine needs to know of a tenant before it works for it. */
export type TenantTerms = {
  readonly limits: Limits;
  readonly suspended: Suspension | null;
  /** From where browsers may call; null while it cannot be looked up. */
  readonly origins: readonly string[] | null;
  /** Over how many cells what it starts is spread; null while it cannot be looked up. */
  readonly pool: Pool | null;
};

const amount = z.number().int().min(0).max(QUOTA_MAX);

/** null gives a limit back to its default. */
export const limitChanges = z.strictObject(
  Object.fromEntries(quotaNames.map((name) => [name, amount.nullable().optional()])) as {
    [name in Quota]: z.ZodOptional<z.ZodNullable<typeof amount>>;
  }, // fromEntries forgets which names there are
);
export type LimitChanges = z.infer<typeof limitChanges>;

export function limitsOf(own: OwnLimits | null): Limits {
  return { ...quotas, ...own };
}

/** Counted over a time, and given to isolates in blocks. */
export const meteredQuotas = ["startsPerSecond", "actionsPerDay"] as const;
export type MeteredQuota = (typeof meteredQuotas)[number];
export type Amounts = { readonly [quota in MeteredQuota]: number };

/** Of each queue, the invocations of its consumer that a tenant's runs occupy. */
export type QueueUse = { readonly [queue in ActionQueue]: number };

/** What an isolate tells the tenant's object: what it has used since it told last. */
export type Report = {
  readonly isolate: string;
  /** They travel with each call, so the object never has to be told of changes. */
  readonly limits: Limits;
  readonly used: Amounts;
  /** What it has under way now. */
  readonly inFlight: number;
  /** Absent in reports of 0.9.0. */
  readonly inQueue?: QueueUse;
  /** In the catalog: those live that were created before that instant, less those created since that have ended. */
  readonly counted?: { readonly live: number; readonly at: number };
};

export type Allowance = {
  /** What the isolate may use until the lease ends. */
  readonly free: number;
  /** By all isolates, as far as they have told. */
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
  /** The isolate is asked to count live executions in the catalog, and to tell. */
  readonly shouldCount: boolean;
};
export type MeterView = { readonly used: Amounts; readonly live: number; readonly inFlight: number };

/** The calls a tenant's object answers. It counts what isolates tell it, and decides nothing on the path of their work. */
export type Meter = { report(report: Report): Promise<Lease>; read(): Promise<MeterView> };
