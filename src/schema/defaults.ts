// Defaults: values that a client, a definition or a connection may override.

export const defaults = {
  /** The label of executions without a namespace. */
  namespace: "default",
  /** The cell of an execution. */
  placement: "own",
  /** An attempt, if neither the action nor its type sets a limit. */
  timeoutMs: 30_000,
  /** Slots of an execution. */
  concurrency: 1,
  /** How long a finished execution keeps its history in its object, by placement. */
  retention: { own: "P7D", pooled: "P1D" },
  /** The same for a standalone action, unless its dedup window is longer. */
  actionRetentionMs: 24 * 60 * 60_000,
  /** How long an event waits for an execution with its correlation key. */
  keepPosted: "P1D",
  /** How long calls with the same dedup key mean the same action. */
  dedupWindow: "PT24H",
  /** How long finished executions of a tenant stay in lists. */
  tenantRetentionDays: 90,
  /** How many reminders of an open task are sent, if only their interval is set. */
  reminderTimes: 3,
  /** A page of a list. */
  pageRows: 50,
  /** Dead letters that one operation retries. */
  retriedPerSecond: 20,
  /** Automatic retries: slow, because the provider has only just recovered. */
  healedPerSecond: 5,
  enrolledPerSecond: 50,
  /** Executions to which one operation sends a command. */
  steeredPerSecond: 20,
  /** Archiving calls no provider, so it need not be slow. */
  archivedPerSecond: 200,
  /** Actions in a request of a load plan's batches. */
  loadBatchActions: 10,
  /** Calls that a connection's rate allows at once after an idle time: one, which spaces them evenly. */
  rateBurst: 1,
  breaker: { failureRatio: 0.5, windowMs: 60_000, minimumCalls: 10, openMs: 30_000, halfOpenProbes: 1 },
  /** A token without a given lifetime. RFC 6749 has no default; a token that expires sooner is renewed when refused. */
  tokenLifeMs: 60 * 60_000,
  /** The assumed block time of an unknown chain. */
  blockMs: 2_000,
} as const;

/** The timeout of an attempt whose action sets none, by what its runner waits for. */
export const attemptMs = {
  /** A provider that may do much before it answers; a node and a chain. */
  service: 30_000,
  /** A provider that only accepts a message. */
  message: 15_000,
  /** Another execution's object. */
  execution: 15_000,
  /** The catalog. */
  catalog: 10_000,
  /** No outside call. */
  nothing: 1_000,
} as const;

/** Settings of a trigger that a client may change. */
export const triggerDefaults = {
  /** Requests per minute that a trigger accepts. */
  perMinute: 600,
  /** Requests that a trigger accepts at once after an idle time. */
  burst: 100,
  /** How long a replaced token or secret stays valid. */
  overlapMs: 24 * 60 * 60_000,
} as const;
