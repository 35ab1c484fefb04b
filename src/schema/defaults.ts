// What holds when nobody says: each may be said otherwise, by the caller, in a definition, or for a connection.

export const defaults = {
  /** A label of executions for whoever needs none. */
  namespace: "default",
  /** Which cell an execution lives in. */
  placement: "own",
  /** An attempt, of an action whose type says nothing either. */
  timeoutMs: 30_000,
  /** Slots of an execution. */
  concurrency: 1,
  /** How long a finished execution keeps its history in its object, by placement. */
  retention: { own: "P7D", pooled: "P1D" },
  /** The same of an action alone, if its dedup window is not longer. */
  actionRetentionMs: 24 * 60 * 60_000,
  /** Calls with the same dedup key mean the same action for so long. */
  /** How long an event waits for an execution with its correlation key. */
  keepPosted: "P1D",
  dedupWindow: "PT24H",
  /** How long finished executions of a tenant stay in lists. */
  tenantRetentionDays: 90,
  /** How often it is reminded of a task that stays open, where only the time between is said. */
  reminderTimes: 3,
  /** A page of a list. */
  pageRows: 50,
  /** Dead letters that one operation sends again. */
  retriedPerSecond: 20,
  /** Those that go out again by themselves: a provider that has just come back is not to be pressed. */
  healedPerSecond: 5,
  enrolledPerSecond: 50,
  /** Executions that one operation asks something of. */
  steeredPerSecond: 20,
  /** Nobody outside hears of archiving: it need not be slow. */
  archivedPerSecond: 200,
  /** Actions in a request of a load plan's batches. */
  loadBatchActions: 10,
  /** Calls that a connection's rate lets through at once after a quiet while: one, which spaces them evenly. */
  rateBurst: 1,
  breaker: { failureRatio: 0.5, windowMs: 60_000, minimumCalls: 10, openMs: 30_000, halfOpenProbes: 1 },
  /** A token whose provider does not say how long it lives. RFC 6749 knows no default; one that ends sooner is renewed when refused. */
  tokenLifeMs: 60 * 60_000,
  /** A chain that is not known takes so long for a block. */
  blockMs: 2_000,
} as const;

/** How long an attempt may take whose action does not say, by what its runner waits for. */
export const attemptMs = {
  /** Somebody else's service, which may do a lot before it answers; a node and a chain. */
  service: 30_000,
  /** A service that only takes a message. */
  message: 15_000,
  /** Another execution's object. */
  execution: 15_000,
  /** The catalog. */
  catalog: 10_000,
  /** Nothing outside. */
  nothing: 1_000,
} as const;
