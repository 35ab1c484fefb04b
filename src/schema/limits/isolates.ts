// Isolate caches: catalog data, so that requests neither wait for D1 nor fail with it; and limits of concurrent
// computations.

/** How long other requests use the cached value while one refreshes it. */
export const LOOKING_MS = 5_000;
/**
 * freshMs: used without a refresh; a change made elsewhere takes effect within this time, and at once in the isolate
 * that made it. staleMs: how old it may be while D1 does not answer. lookMs: how long an attempt waits for a lookup.
 * sizeMax: how many.
 */
export const remembered = {
  /** A revoked key works as long as it is fresh. */
  keys: { freshMs: 30_000, staleMs: 10 * 60_000, sizeMax: 10_000 },
  /** Quotas and suspension: refreshed in the background, so that no request waits. */
  tenants: { freshMs: 5_000, staleMs: 24 * 60 * 60_000, sizeMax: 10_000 },
  /** A tenant's run counts: consoles poll every few seconds, and each count reads lists. */
  statistics: { freshMs: 5_000, sizeMax: 1_000 },
  /** Durations of recent attempts of tenants' actions. */
  durations: { sizeMax: 10_000 },
  /** Leases of tenants' quotas. */
  leases: { sizeMax: 10_000 },
  unknownKeys: { freshMs: 5_000, staleMs: 0, sizeMax: 2_000 },
  /**
   * The version that a definition's name resolves to. Bodies may have 256 KB each, and an isolate has 128 MB in total.
   */
  latestDefinitions: { freshMs: 5_000, staleMs: 24 * 60 * 60_000, sizeMax: 100 },
  /** A version never changes, except for its archived mark. */
  pinnedDefinitions: { freshMs: 60_000, staleMs: 24 * 60 * 60_000, sizeMax: 100 },
  /** Compiled, to list the accepted events: the graph of a large one is several times its body. */
  programs: { sizeMax: 50 },
  /** Which cells store which definition: two names each. */
  keptDefinitions: { sizeMax: 5_000 },
  /** The version that a template's name resolves to. Parts may have 128 KB each, and several times that when parsed. */
  templates: { freshMs: 5_000, staleMs: 24 * 60 * 60_000, lookMs: 5_000, sizeMax: 50 },
  /** Whether a connection without limits is open: the minimum interval between queries to its object. */
  quiets: { freshMs: 5_000, sizeMax: 500 },
  connections: { freshMs: 5_000, staleMs: 10 * 60_000, lookMs: 5_000, sizeMax: 500 },
  /** A disabled trigger, or one with a rotated token, still works as long as it is fresh. */
  triggers: { freshMs: 5_000, staleMs: 10 * 60_000, lookMs: 5_000, sizeMax: 500 },
  /** Recent callers per trigger: the rate before bodies are read. */
  senders: { sizeMax: 10_000 },
  /** D1 has stalled for a minute and more; an attempt must not wait that long. */
  secrets: { freshMs: 30_000, staleMs: 10 * 60_000, lookMs: 5_000, sizeMax: 500 },
  /** Access tokens, encrypted. */
  tokens: { sizeMax: 1_000 },
  /** Old prices are used for a day, and a run hardly waits for a lookup. */
  prices: { freshMs: 30_000, staleMs: 24 * 60 * 60_000, lookMs: 2_000, sizeMax: 1_000 },
  alertChannels: { freshMs: 10_000, staleMs: 10 * 60_000, sizeMax: 500 },
  /** Failures already alerted or logged. */
  alerts: { sizeMax: 2_000 },
  /** Signing keys. If D1 is away, webhooks are signed with the cached ones. */
  signing: { freshMs: 30_000, staleMs: 24 * 60 * 60_000, lookMs: 5_000, sizeMax: 1_000 },
  /** Signing secrets, derived from the Worker's keys. */
  signingSecrets: { sizeMax: 1_000 },
} as const;

// Long computations on request: a preview, a forecast, tests, the check of a definition. Counted in cost units of some
// 50 ns (15 ns in templates, 120 ns in rules that add up lists), because a Worker's clock does not advance while it computes.

/** A computation can be paused after each part of this size: half a millisecond. */
export const COMPUTATION_PART_UNITS = 10_000;
/** A long step, rule or template is paused after this many. */
export const COMPUTATION_PAUSE_UNITS = 20_000;
/** The total of all computations of an isolate in one turn of its event loop: one to two milliseconds. */
export const COMPUTATION_SLICE_UNITS = 20_000;
/** The maximum of cost units of one computation: about ten seconds. */
export const COMPUTATION_UNITS_MAX = 200_000_000;
/**
 * Concurrent computations of more than a slice in an isolate, per tenant and in total. Each may hold tens of megabytes.
 */
export const COMPUTATIONS_PER_TENANT_MAX = 2;
export const COMPUTATIONS_MAX = 6;
/** A computation that was not continued for this long loses its slot: its client has disconnected. */
export const COMPUTATION_SLOT_MS = 15_000;
/** A computation that was not seen for this long is skipped in its turn. */
export const COMPUTATION_TURN_MS = 100;
export const COMPUTATION_RETRY_S = 2;
