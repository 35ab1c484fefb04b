// Tenant quotas: how much one tenant may have and use, so that it cannot use up shared resources. Each value is a
// default, which the root key can change for a tenant (PATCH /v1/tenants/{id}).

export const quotas = {
  /** Versions of definitions. Each may have 256 KB and is never deleted, and the catalog has 10 GB for all tenants. */
  definitions: 5_000,
  /** Active keys: those that are neither revoked nor expired. */
  keys: 1_000,
  secrets: 1_000,
  /** Versions of message templates, including archived ones. */
  templates: 2_000,
  connections: 500,
  alertChannels: 50,
  calendars: 100,
  /** Recurring actions, including paused and ended ones. Each has an object, and a row in the catalog. */
  recurring: 10_000,
  /**
   * How many occurrences per minute one recurring action may have. A schedule with a shorter interval is refused.
   * Values above 60 have no effect.
   */
  recurringPerMinute: 1,
  /** Triggers. Each has an object of its own, which stores deliveries for days. */
  triggers: 500,
  /** Policies. Each isolate caches all policies of a tenant with its quotas. */
  policies: 20,
  /**
   * Suppressed addresses that clients may add. Bounces, complaints and unsubscriptions are stored even above this limit,
   * because they must stop further messages.
   */
  suppressions: 100_000,
  /** Executions that have not ended. They use memory of shared cells. */
  liveExecutions: 500_000,
  /** Starts per second, on average over STARTS_WINDOW_MS. So a short burst may exceed this rate. */
  startsPerSecond: 2_000,
  /** Attempts from one midnight UTC to the next. */
  actionsPerDay: 10_000_000,
  /** Attempts in progress at the same time, both direct calls and attempts from the queue. */
  inFlight: 1_000,
} as const;

/** The largest value to which the root key may set a quota. */
export const QUOTA_MAX = 1_000_000_000;
/** The share of a quota from which on the engine logs a warning. */
export const QUOTA_WARN_SHARE = 0.8;
/**
 * The Retry-After if a quota of stored resources is used up. It is long, because an operator must first delete
 * something or raise the quota.
 */
export const QUOTA_STORED_RETRY_S = 3_600;
/** The most prices of a tenant. */
export const PRICES_MAX = 500;
/** The most origins from which browsers may call with one tenant's keys. */
export const TENANT_ORIGINS_MAX = 20;
/** The longest time for which a tenant's finished executions stay in lists. */
export const TENANT_RETENTION_DAYS_MAX = 3_650;
