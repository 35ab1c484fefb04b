// What an isolate remembers of the catalog, so that requests do not wait for D1, nor fail with it.

/** How long the others go on with what is known while one request looks again. */
export const LOOKING_MS = 5_000;
/**
 * freshMs: simply believed; a change made elsewhere is heeded within this time, and at once in the isolate that made it.
 * staleMs: how old it may be while D1 does not answer. lookMs: how long an attempt waits to learn it. sizeMax: how many.
 */
export const remembered = {
  /** A revoked key works as long as it is fresh. */
  keys: { freshMs: 30_000, staleMs: 10 * 60_000, sizeMax: 10_000 },
  /** Quotas, and whether a tenant is suspended: looked at again beside the work, so that nobody waits for it. */
  tenants: { freshMs: 5_000, staleMs: 24 * 60 * 60_000, sizeMax: 10_000 },
  /** What a tenant's runs were counted to: consoles ask every few seconds, and each count walks through lists. */
  statistics: { freshMs: 5_000, sizeMax: 1_000 },
  /** How long the recent attempts of tenants' actions took. */
  durations: { sizeMax: 10_000 },
  /** Leases of tenants' quotas. */
  leases: { sizeMax: 10_000 },
  unknownKeys: { freshMs: 5_000, staleMs: 0, sizeMax: 2_000 },
  /** What a definition's name means. Bodies may have 256 KB each, and an isolate 128 MB for everything. */
  latestDefinitions: { freshMs: 5_000, staleMs: 24 * 60 * 60_000, sizeMax: 100 },
  /** One version never changes; only its archived mark may. */
  pinnedDefinitions: { freshMs: 60_000, staleMs: 24 * 60 * 60_000, sizeMax: 100 },
  /** Compiled, to say what an execution takes: the graph of a large one is several times its body. */
  programs: { sizeMax: 50 },
  /** Which cells have said that they keep which definition: two names each. */
  keptDefinitions: { sizeMax: 5_000 },
  /** What a template's name means. Parts may have 128 KB each, and parsed they are several times that. */
  templates: { freshMs: 5_000, staleMs: 24 * 60 * 60_000, lookMs: 5_000, sizeMax: 50 },
  /** Whether a connection without limits was free to be called: its object is asked no more often than this. */
  quiets: { freshMs: 5_000, sizeMax: 500 },
  connections: { freshMs: 5_000, staleMs: 10 * 60_000, lookMs: 5_000, sizeMax: 500 },
  /** A trigger that is switched off, or whose token was rotated, is taken at its word as long as it is fresh. */
  triggers: { freshMs: 5_000, staleMs: 10 * 60_000, lookMs: 5_000, sizeMax: 500 },
  /** Who called which trigger lately: its rate before its body is read. */
  senders: { sizeMax: 10_000 },
  /** D1 has been seen to stall for a minute and more; an attempt has better things to do than to wait with it. */
  secrets: { freshMs: 30_000, staleMs: 10 * 60_000, lookMs: 5_000, sizeMax: 500 },
  /** Access tokens, sealed. */
  tokens: { sizeMax: 1_000 },
  /** Old prices stand in for a day, and a run waits hardly at all to learn its own. */
  prices: { freshMs: 30_000, staleMs: 24 * 60 * 60_000, lookMs: 2_000, sizeMax: 1_000 },
  alertChannels: { freshMs: 10_000, staleMs: 10 * 60_000, sizeMax: 500 },
  /** Failures that an alert was sent of, or a line logged. */
  alerts: { sizeMax: 2_000 },
  /** Which keys sign. With D1 away webhooks go on being signed as they were. */
  signing: { freshMs: 30_000, staleMs: 24 * 60 * 60_000, lookMs: 5_000, sizeMax: 1_000 },
  /** Signing secrets, derived from the Worker's keys. */
  signingSecrets: { sizeMax: 1_000 },
} as const;
