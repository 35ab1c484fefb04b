// What an isolate remembers of the catalog, so that requests do not wait for D1, nor fail with it; and what it computes at once.

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

// Long computations that a request asks for: a preview, a forecast, tests, the check of a definition. Counted in cost units of
// some 50 ns, since a Worker's clock does not advance while it computes.

/** A computation can be paused after every part of so many: half a millisecond. */
export const COMPUTATION_PART_UNITS = 10_000;
/** A step, a rule or a template that takes long is paused after so many. */
export const COMPUTATION_PAUSE_UNITS = 20_000;
/** All that run at once in an isolate do this much together in one turn of its event loop: about two milliseconds. */
export const COMPUTATION_SLICE_UNITS = 40_000;
/** One computation in all: about ten seconds. */
export const COMPUTATION_UNITS_MAX = 200_000_000;
/** Computations of more than a slice that run at once in an isolate, of one tenant and in all. Each may hold tens of megabytes. */
export const COMPUTATIONS_PER_TENANT_MAX = 2;
export const COMPUTATIONS_MAX = 6;
/** The slot of a computation that was not continued for so long is free again: its client has gone. */
export const COMPUTATION_SLOT_MS = 15_000;
/** One that was not seen for so long is passed over when its turn comes. */
export const COMPUTATION_TURN_MS = 100;
export const COMPUTATION_RETRY_S = 2;
