// Tenant quotas: how much one tenant may have and use, so that it cannot exhaust shared resources. Each quota is a default
// that the root key changes for a tenant (PATCH /v1/tenants/{id}).

export const quotas = {
  /** Versions of definitions. They may have 256 KB each and are never deleted; the catalog holds 10 GB for all. */
  definitions: 5_000,
  /** Active keys, that is, keys that are neither revoked nor expired. */
  keys: 1_000,
  secrets: 1_000,
  /** Versions of message templates, including archived ones. */
  templates: 2_000,
  connections: 500,
  alertChannels: 50,
  /** Recurring actions, including paused and ended ones. Each has an object, and a row in the catalog. */
  recurring: 10_000,
  /** Occurrences of one recurring action per minute: a shorter interval is refused. Values above 60 have no effect. */
  recurringPerMinute: 1,
  /** Triggers. Each has an object of its own, which stores deliveries for days. */
  triggers: 500,
  /** Executions that have not ended. They use memory of shared cells. */
  liveExecutions: 500_000,
  /** Starts per second, as an average over STARTS_WINDOW_MS: a burst is allowed. */
  startsPerSecond: 2_000,
  /** Attempts between two midnights UTC. */
  actionsPerDay: 10_000_000,
  /** Concurrent attempts, of direct calls and of the queue together. */
  inFlight: 1_000,
} as const;

/** The largest value of a quota that the root key may set. */
export const QUOTA_MAX = 1_000_000_000;
/** The engine logs a warning when usage reaches this share of a quota. */
export const QUOTA_WARN_SHARE = 0.8;
/**
 * The Retry-After of a refusal by a quota of stored things. Waiting does not help until an operator deletes something
 * or raises the quota.
 */
export const QUOTA_STORED_RETRY_S = 3_600;
/** The most prices of a tenant. */
export const PRICES_MAX = 500;
/** The most origins from which browsers may call with one tenant's keys. */
export const TENANT_ORIGINS_MAX = 20;
/** The longest time for which a tenant's finished executions stay in lists. */
export const TENANT_RETENTION_DAYS_MAX = 3_650;
