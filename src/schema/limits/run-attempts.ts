// Limits of one action's run: its attempts, the waits between them, and its dead letter.

// Run limits: how many runs an execution has, and how long an attempt may take.

/** The longest timeout of an attempt. */
export const TIMEOUT_MS_MAX = 14 * 60_000;
/** A claimed run counts as timed out this long after its timeout, because its settlement needs time to arrive. */
export const SETTLE_GRACE_MS = 5_000;
/** The most attempts of one execution that may be in progress at the same time. */
export const EXECUTION_CONCURRENCY_MAX = 100;
/** The most unfinished runs of an execution. */
export const UNFINISHED_RUNS_MAX = 1_000;
/**
 * The number of finished runs that the object's state contains. Older runs are read from the journal and the catalog.
 */
export const FINISHED_RUNS_KEPT = 50;

// Retry limits: how many attempts an action has, and how long the engine waits between them.

/** The most attempts of a run that a retry policy may allow. */
export const ATTEMPTS_MAX = 100;
/** The most rules of a retry policy. */
export const RETRY_RULES_MAX = 20;
/** The longest exponential wait. Without this limit a wait could end after the last valid instant. */
export const RETRY_BACKOFF_MS_MAX = 365 * 24 * 60 * 60_000;
/** The longest wait that a provider may request (Retry-After). If a provider requests more, an operator decides. */
export const RETRY_AFTER_MS_MAX = 24 * 60 * 60_000;
/**
 * The largest random addition to a wait that a provider requested. It spreads the retries of runs that wait for the
 * same time.
 */
export const JITTER_ADDED_MS = 500;
/** The shortest hold of a run. After a shorter hold the run would most likely be held again immediately. */
export const HOLD_MS_MIN = 20;
/** The longest hold of a run. A hold whose end is unknown is checked every day. */
export const HOLD_MS_MAX = 24 * 60 * 60_000;
/** Gaps after which a queued run that was never claimed is sent again. */
export const RESEND_GAPS_MS = [60_000, 5 * 60_000, 15 * 60_000, 60 * 60_000] as const;
/** The most outbox messages of one execution that one delivery handles. Further messages follow in the next delivery. */
export const OUTBOX_MESSAGES_PER_DELIVERY_MAX = 20;

// Direct call limits: attempts that a cell runs itself, without the queue.

/** The longest timeout of a direct call. An action with a longer timeout uses the queue. */
export const DIRECT_TIMEOUT_MS_MAX = 30_000;
/**
 * The most direct calls in flight per cell with one execution. After a restart of the object this many calls are sent
 * again. Each call runs in an invocation of the Worker, so the platform's limit of six connections does not apply.
 */
export const DIRECT_IN_FLIGHT_MAX = 24;
/** The most direct calls in flight per pool cell: a small tenant has only one pool cell. */
export const POOLED_IN_FLIGHT_MAX = 384;
/** The most direct calls in one invocation. The platform lets an invocation wait for six answers at the same time. */
export const DIRECT_CALLS_PER_INVOCATION_MAX = 6;
/** How long a completed direct call waits for the other calls of its invocation, so that one commit stores them. */
export const DIRECT_RESULTS_GROUP_MS = 1;
/** Gaps between tries to store the outcome of a direct call, after a failed write or a bug. */
export const DIRECT_RESULT_RETRY_GAPS_MS = [1_000, 5_000, 20_000, 60_000] as const;

// Slow action limits: which actions use the queue for slow actions, and what share of a queue one tenant may use.

/** An action with a longer timeout uses the queue for slow actions, so that it delays no short action. */
export const SLOW_ABOVE_MS = 50_000;
/** An attempt counts as slow as soon as it has lasted this long. The batch then only waits for the runs in progress. */
export const LONG_ATTEMPT_MS = 10_000;
/** The weight of the latest attempt in an action's share of slow attempts. */
export const SLOW_LATELY_WEIGHT = 0.25;
/**
 * An action counts as slow if its share of slow attempts is at least this. One slow first attempt is enough, otherwise
 * three slow attempts in a row.
 */
export const SLOW_LATELY_FROM = 0.5;
/** Durations of attempts are forgotten after this time. The action then uses the queue of short actions again. */
export const SLOW_LATELY_MS = 10 * 60_000;

/** Active tenants share this many invocations of a queue's consumer. The platform runs at most 250. */
export const QUEUE_SHARE_ALL = 200;
/** The smallest number of invocations that an active tenant gets. */
export const QUEUE_SHARE_MIN = 10;
/** A tenant counts as active for this time after its last run. */
export const QUEUE_TENANT_SEEN_MS = 60_000;

// Dead letter limits: how many an execution may have, how long they are kept, and which failures are critical.

/**
 * The most open dead letters of an execution. The next permanent failure pauses the execution, so that an operator
 * checks it.
 */
export const OPEN_DEAD_LETTERS_MAX = 100;
/** How long a dead letter waits for an operator. The execution's history is kept for the same time. */
export const DEAD_LETTER_KEPT_MS = 30 * 24 * 60 * 60_000;
/** Dead letters of this action type are critical, so they raise a critical alert. */
export const CRITICAL_TYPE = "blockchain_mint";
/** Dead letters with a priority above this value are critical, so they raise a critical alert. */
export const CRITICAL_ABOVE_PRIORITY = 90;

// Automatic retry limits: dead letters that are retried after a connection's breaker has closed.

/** The default number of automatic retries of a dead letter. */
export const AUTO_RETRIES = 1;
/** The largest number of automatic retries of a dead letter. */
export const AUTO_RETRIES_MAX = 10;
/**
 * How long the breaker must be closed before automatic retries begin. Each time that it opens again meanwhile doubles
 * the wait.
 */
export const AUTO_RETRY_QUIET_MS = { least: 1_000, usual: 60_000, most: 60 * 60_000 } as const;
/** A breaker that opens again within this time counts as flapping. */
export const AUTO_RETRY_FLAPPING_MS = 60 * 60_000;
/** If the operation that retries dead letters cannot start, it is started again after this time. */
export const AUTO_RETRY_START_AGAIN_MS = 60_000;
