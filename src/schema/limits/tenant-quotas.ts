// Tenant quotas: what one tenant may have and use, so that it cannot exhaust shared resources. Each is a default: the
// root key raises or lowers it for a tenant (PATCH /v1/tenants/{id}).

export const quotas = {
  /** Versions of definitions. They may have 256 KB each and are never deleted; the catalog holds 10 GB for all. */
  definitions: 5_000,
  /** Active keys: neither revoked nor expired. */
  keys: 1_000,
  secrets: 1_000,
  /** Versions of message templates, archived ones too. */
  templates: 2_000,
  connections: 500,
  alertChannels: 50,
  /** Recurring actions, paused and ended ones too. Each is an object, and a row in the catalog. */
  recurring: 10_000,
  /** Occurrences of one recurring action per minute: a shorter interval is refused. Values above 60 have no effect. */
  recurringPerMinute: 1,
  /** Each has an object of its own, which stores deliveries for days. */
  triggers: 500,
  /** Executions that have not ended. They use memory of shared cells. */
  liveExecutions: 500_000,
  /** An average over STARTS_WINDOW_MS: a burst is allowed. */
  startsPerSecond: 2_000,
  /** Attempts between two midnights UTC. */
  actionsPerDay: 10_000_000,
  /** Concurrent attempts, in both lanes together. */
  inFlight: 1_000,
} as const;

/** The largest value that the root key may set. */
export const QUOTA_MAX = 1_000_000_000;
/** The engine logs a warning when usage reaches this share of a quota. */
export const QUOTA_WARN_SHARE = 0.8;
/** Quotas of stored things only change when a person deletes or raises something: a client need not retry sooner. */
export const QUOTA_KEPT_RETRY_S = 3_600;

/** Starts per second are counted over this period. */
export const STARTS_WINDOW_MS = 10_000;
export const ACTIONS_WINDOW_MS = 24 * 60 * 60_000;
/** An isolate's lease: unused amounts are free again after this. */
export const LEASE_MS = 10_000;
/** An isolate's minimum block while available; one that uses more gets twice its use. */
export const LEASE_BLOCK_MIN = 20;
/** A busy isolate reports this often: it gets twice its use in that time, and at most this multiple. */
export const LEASE_PACE_MS = 250;
export const LEASE_GROWTH_MAX = 8;
/** An isolate without a lease, such as a new one, uses this share of a quota first, and reports it afterwards. */
export const LEASE_TRUST_SHARE = 0.05;
/** An isolate reports usage after this share of a quota, at the latest after this number: a call per use would cost more. */
export const LEASE_TELL_SHARE = 0.001;
export const LEASE_TELL_MAX = 50;
/** Smaller amounts are reported with the first use after this. */
export const LEASE_TELL_AFTER_MS = 30_000;
/** An isolate with nothing left asks again after this: others may have released shares, or an operator raised the quota. */
export const LEASE_SPENT_MS = 1_000;
/** An object that does not answer delays no work: isolates continue without it for this long. */
export const LEASE_WAIT_MS = 1_000;
export const LEASE_SILENT_MS = 5_000;
/** How often a call waits for a lease that others have used up when it arrives; then it proceeds. */
export const LEASE_TRIES_MAX = 5;
/** Isolates that one tenant's object tracks; beyond these the longest silent ones are dropped. */
export const LEASES_MAX = 500;

/** Live executions are counted in the catalog at most this often, and only from half of the quota on. */
export const LIVE_COUNT_MS = 5_000;
export const LIVE_COUNT_SHARE = 0.5;
/** Projections are delayed: newer starts are not counted in the catalog. */
export const LIVE_LAG_MS = 10_000;
/** The number of starts is recorded once in this period, for as long as a count may take to arrive. */
export const LIVE_MARK_APART_MS = 1_000;
export const LIVE_MARKS_KEPT_MS = 30_000;
/** An older count is not used: while D1 is away, it causes no refusals. */
export const LIVE_BELIEVED_MS = 2 * 60_000;

/** A longer attempt is reported while it runs, so that it stays counted as in progress. */
export const FLIGHT_TOLD_MS = 30_000;
export const FLIGHTS_FORGOTTEN_MS = 60_000;
/** A change of this share of the quota in an isolate's attempts in progress is reported at once. */
export const FLIGHTS_TELL_SHARE = 0.05;
/** A change of this share of a tenant's queue share is reported at once. */
export const QUEUE_SHARE_TELL = 0.05;
/** An attempt without a reported end counts as over this long after its deadline. */
export const PLACE_GRACE_MS = 60_000;
/** Runs held by a quota are retried after this, spread over the same time again. */
export const HELD_FOR_FLIGHTS_MS = 5_000;
export const HELD_FOR_SHARE_MS = 10_000;
/** Each isolate logs at most so often that a tenant's share of a queue is taken. */
export const SHARE_LOGGED_MS = 10 * 60_000;
export const HELD_FOR_DAY_MS = 60 * 60_000;
/** After this time the run's cell knows of the suspension itself, and sends nothing. */
export const HELD_FOR_SUSPENSION_MS = 15_000;

/** The object's counters are written at most this often; a crash loses at most this much. */
export const METER_WRITE_AFTER_MS = 5_000;
/** One warning per period and quota. */
export const QUOTA_WARN_MS = 60 * 60_000;
