// What one tenant may have and use, so that its neighbours keep theirs. Each is a default: the root key raises or lowers
// it for a tenant (PATCH /v1/tenants/{id}).

export const quotas = {
  /** Versions of definitions. They may have 256 KB each and stay, archived or not; the catalog holds 10 GB for all. */
  definitions: 5_000,
  /** Keys that work: neither revoked nor expired. */
  keys: 1_000,
  secrets: 1_000,
  /** Versions of message templates, archived ones too. */
  templates: 2_000,
  connections: 500,
  alertChannels: 50,
  /** Recurring actions, paused and ended ones too. Each is an object, and a row in the catalog. */
  recurring: 10_000,
  /** Occurrences of one recurring action in a minute: what lies closer together is refused. 60 is the most that counts. */
  recurringPerMinute: 1,
  /** Each has an object of its own, that keeps what was delivered for days. */
  triggers: 500,
  /** Executions that have not ended. What has not ended takes room in the memory of cells that many share. */
  liveExecutions: 500_000,
  /** On average over the time that STARTS_WINDOW_MS says: a burst is no sin. */
  startsPerSecond: 2_000,
  /** Attempts carried out between two midnights UTC. */
  actionsPerDay: 10_000_000,
  /** Attempts under way at the same time, in both lanes together. */
  inFlight: 1_000,
} as const;

/** The largest that the root key may set. */
export const QUOTA_MAX = 1_000_000_000;
/** From this share of a quota on it is worth a warning. */
export const QUOTA_WARN_SHARE = 0.8;
/** What is kept gets room when somebody deletes or raises, which takes people: a caller need not ask sooner. */
export const QUOTA_KEPT_RETRY_S = 3_600;

/** Starts per second are counted over so long. */
export const STARTS_WINDOW_MS = 10_000;
export const ACTIONS_WINDOW_MS = 24 * 60 * 60_000;
/** An isolate's lease: what it was given and did not use is free again after this. */
export const LEASE_MS = 10_000;
/** What an isolate gets at least, as long as there is so much; one that uses more gets twice what it used. */
export const LEASE_BLOCK_MIN = 20;
/** One that is busy tells about so often: it gets twice what it uses in that time, and so many times what it used at most. */
export const LEASE_PACE_MS = 250;
export const LEASE_GROWTH_MAX = 8;
/** An isolate without a lease, such as a new one, goes ahead with this share of a quota, and tells afterwards. */
export const LEASE_TRUST_SHARE = 0.05;
/** It tells after this share of a quota, and at the latest after so many: a call to the object for each would cost more. */
export const LEASE_TELL_SHARE = 0.001;
export const LEASE_TELL_MAX = 50;
/** What was not worth telling yet is told with the first use after this. */
export const LEASE_TELL_AFTER_MS = 30_000;
/** With nothing left, an isolate asks again after this: others may have given back, or somebody raised it. */
export const LEASE_SPENT_MS = 1_000;
/** An object that does not answer holds nobody up: isolates go ahead without it for so long. */
export const LEASE_WAIT_MS = 1_000;
export const LEASE_SILENT_MS = 5_000;
/** So often one waits for a lease that others have used up when it comes; then it goes ahead. */
export const LEASE_TRIES_MAX = 5;
/** Isolates that one tenant's object keeps apart; beyond these the longest silent ones are forgotten. */
export const LEASES_MAX = 500;

/** Live executions are counted in the catalog again at most so often, and only from half of the quota on. */
export const LIVE_COUNT_MS = 5_000;
export const LIVE_COUNT_SHARE = 0.5;
/** Lists are told with a delay: what was started so short a time ago is not looked for in them. */
export const LIVE_LAG_MS = 10_000;
/** How many had been started by when is remembered once in this time, and for as long as a count may take to arrive. */
export const LIVE_MARK_APART_MS = 1_000;
export const LIVE_MARKS_KEPT_MS = 30_000;
/** An older count is not believed: while D1 is away nothing is refused for it. */
export const LIVE_BELIEVED_MS = 2 * 60_000;

/** An attempt that takes longer is told of while it lasts, so that it goes on being counted as in flight. */
export const FLIGHT_TOLD_MS = 30_000;
export const FLIGHTS_FORGOTTEN_MS = 60_000;
/** A change of this share of the quota in what an isolate has in flight is told at once. */
export const FLIGHTS_TELL_SHARE = 0.05;
/** What occupies the queues' consumers is told when it changes by this share of a tenant's whole share. */
export const QUEUE_SHARE_TELL = 0.05;
/** An attempt whose end nobody has reported is over so long after its deadline. */
export const PLACE_GRACE_MS = 60_000;
/** Runs held by a quota come back after this, and are spread over as much again. */
export const HELD_FOR_FLIGHTS_MS = 5_000;
export const HELD_FOR_SHARE_MS = 10_000;
/** Each isolate logs at most so often that a tenant's share of a queue is taken. */
export const SHARE_LOGGED_MS = 10 * 60_000;
export const HELD_FOR_DAY_MS = 60 * 60_000;
/** By then its cell knows by itself that the tenant is suspended, and lets nothing go out. */
export const HELD_FOR_SUSPENSION_MS = 15_000;

/** The object's memory is written down at most so often; a crash costs as much of the count. */
export const METER_WRITE_AFTER_MS = 5_000;
/** One warning in this time for each quota. */
export const QUOTA_WARN_MS = 60 * 60_000;
