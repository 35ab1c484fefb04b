// Defaults: values that a client, a definition or a connection may override.

export const defaults = {
  /** The namespace of executions whose start names none. */
  namespace: "default",
  /** The placement of executions whose definition sets none: each gets a cell of its own. */
  placement: "own",
  /** The timeout of an attempt if neither the action nor its type sets one. */
  timeoutMs: 30_000,
  /** The number of attempts of one execution that may be in progress at the same time. */
  concurrency: 1,
  /** How long a finished execution keeps its history in its cell, by placement. */
  retention: { own: "P7D", pooled: "P1D" },
  /** How long a finished standalone action keeps its history. If its dedup window is longer, that window applies. */
  actionRetentionMs: 24 * 60 * 60_000,
  /** How long a published event waits for an execution with its correlation key, if the event does not say. */
  keepPosted: "P1D",
  /**
   * How long a dedup key identifies the same action. Within this time, another request with the key starts no second
   * action.
   */
  dedupWindow: "PT24H",
  /** For how many days lists show a tenant's finished executions. */
  tenantRetentionDays: 90,
  /** How many reminders an open task has, if its definition sets only their interval. */
  reminderTimes: 3,
  /** The number of rows in a page of a list. */
  pageRows: 50,
  /** The pace of an operation that retries dead letters. */
  retriedPerSecond: 20,
  /** The pace of automatic retries. It is slow, because the provider has only just recovered. */
  healedPerSecond: 5,
  enrolledPerSecond: 50,
  /** The pace of an operation that sends a command to executions. */
  steeredPerSecond: 20,
  /** The pace of an operation that archives dead letters. It is fast, because archiving calls no provider. */
  archivedPerSecond: 200,
  /** The number of actions in one request of a load plan. */
  loadBatchActions: 10,
  /**
   * For a connection with a rate: how many calls may start together after an idle time. With 1, all calls are spaced
   * evenly.
   */
  rateBurst: 1,
  breaker: { failureRatio: 0.5, windowMs: 60_000, minimumCalls: 10, openMs: 30_000, halfOpenProbes: 1 },
  /** The assumed lifetime of an access token if the provider's answer contains none. RFC 6749 defines no default. */
  tokenLifeMs: 60 * 60_000,
  /** The assumed block time of a chain that the engine does not know. */
  blockMs: 2_000,
} as const;

/** The timeouts of attempts whose action sets none. They differ by what the action type's runner waits for. */
export const attemptMs = {
  /** For a call to a provider that works long before it answers, or to a blockchain node. */
  service: 30_000,
  /** For a call to a provider that accepts a message and answers quickly. */
  message: 15_000,
  /** For an action that calls another execution's object. */
  execution: 15_000,
  /** For an action that writes to the catalog. */
  catalog: 10_000,
  /** For an action that calls nothing. */
  nothing: 1_000,
} as const;

/** Settings of a trigger that a client may change. */
export const triggerDefaults = {
  /** The number of requests per minute that a trigger accepts. */
  perMinute: 600,
  /** The number of requests that a trigger accepts in one burst after an idle time. */
  burst: 100,
  /** How long a replaced token or secret remains valid. */
  overlapMs: 24 * 60 * 60_000,
} as const;
