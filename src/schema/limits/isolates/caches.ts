// Isolate caches: sizes and ages of data that an isolate keeps in memory, so that requests neither wait for D1 nor fail with it.

/** How long requests use the cached value while one request refreshes it. */
export const CACHE_REFRESH_MS = 5_000;
/**
 * The caches by content. freshMs: a value younger than this is used without a refresh, so a change in another isolate
 * takes effect within this time. staleMs: the oldest value that is used while D1 does not answer. lookMs: the time
 * limit of one lookup. sizeMax: the number of entries.
 */
export const isolateCaches = {
  /** API keys. A revoked key is still accepted until the cached key is no longer fresh. */
  keys: { freshMs: 30_000, staleMs: 10 * 60_000, sizeMax: 10_000 },
  /**
   * Quotas and suspensions of tenants. They are refreshed in the background, so only the first request of a tenant
   * waits.
   */
  tenants: { freshMs: 5_000, staleMs: 24 * 60 * 60_000, sizeMax: 10_000 },
  /** Run counts of tenants. Consoles poll them every few seconds, and each count reads many rows. */
  statistics: { freshMs: 5_000, sizeMax: 1_000 },
  /** Durations of recent attempts, by tenant and action. */
  durations: { sizeMax: 10_000 },
  /** Leases of tenants' quotas. */
  leases: { sizeMax: 10_000 },
  /** Strings that are no API keys. */
  unknownKeys: { freshMs: 5_000, staleMs: 0, sizeMax: 2_000 },
  /**
   * The versions to which names of definitions resolve. The number is small, because a body may have 256 KB and an
   * isolate has 128 MB in total.
   */
  latestDefinitions: { freshMs: 5_000, staleMs: 24 * 60 * 60_000, sizeMax: 100 },
  /** Definitions by name and version. A version never changes, except for its archived mark. */
  pinnedDefinitions: { freshMs: 60_000, staleMs: 24 * 60 * 60_000, sizeMax: 100 },
  /** Compiled definitions, to list accepted events. A compiled definition is several times as large as its body. */
  programs: { sizeMax: 50 },
  /** Pairs of a cell and a definition that the cell stores. */
  keptDefinitions: { sizeMax: 5_000 },
  /** Message templates by name. Each part may have 128 KB, and uses several times as much memory when parsed. */
  templates: { freshMs: 5_000, staleMs: 24 * 60 * 60_000, lookMs: 5_000, sizeMax: 50 },
  /** States of gates whose connections have no limits. Such a gate is called at most once per freshMs. */
  quiets: { freshMs: 5_000, sizeMax: 500 },
  connections: { freshMs: 5_000, staleMs: 10 * 60_000, lookMs: 5_000, sizeMax: 500 },
  /** Triggers. A disabled trigger or a replaced token still works until the cached trigger is no longer fresh. */
  triggers: { freshMs: 5_000, staleMs: 10 * 60_000, lookMs: 5_000, sizeMax: 500 },
  /** Recent callers of each trigger. Their rate is checked before a body is read. */
  senders: { sizeMax: 10_000 },
  /** Encrypted secrets. The lookup has a time limit, because D1 has stalled for more than a minute. */
  secrets: { freshMs: 30_000, staleMs: 10 * 60_000, lookMs: 5_000, sizeMax: 500 },
  /** Encrypted access tokens. */
  tokens: { sizeMax: 1_000 },
  /** Prices. If D1 does not answer, a day-old price is used, and a run waits at most two seconds for a lookup. */
  prices: { freshMs: 30_000, staleMs: 24 * 60 * 60_000, lookMs: 2_000, sizeMax: 1_000 },
  alertChannels: { freshMs: 10_000, staleMs: 10 * 60_000, sizeMax: 500 },
  /** Failures that were already alerted or logged. */
  alerts: { sizeMax: 2_000 },
  /** Signing keys. While D1 does not answer, webhooks are signed with the cached keys. */
  signing: { freshMs: 30_000, staleMs: 24 * 60 * 60_000, lookMs: 5_000, sizeMax: 1_000 },
  /** Signing secrets, derived from the Worker's keys. */
  signingSecrets: { sizeMax: 1_000 },
} as const;
