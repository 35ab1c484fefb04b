// Limits of a run: its attempts, the waits between them, its direct calls, and its dead letter.

// Run limits: how many runs an execution has, and how long an attempt may take.

/** The longest timeout of an attempt. */
export const TIMEOUT_MS_MAX = 14 * 60_000;
/** How long after its timeout a claimed run counts as timed out. Its settlement needs this time to arrive. */
export const SETTLE_GRACE_MS = 5_000;
/** The most attempts of one execution that may be in progress at the same time. */
export const EXECUTION_CONCURRENCY_MAX = 100;
/** The most unfinished runs of an execution. */
export const UNFINISHED_RUNS_MAX = 1_000;
/** The longest stored message of an execution's last permanent failure. The run itself has the whole message. */
export const LAST_ERROR_CHARS_MAX = 500;
/** How many finished runs the object's state contains. Earlier runs are read from the journal and the catalog. */
export const FINISHED_RUNS_KEPT = 50;

// Retry limits: how many attempts an action has, and how long the engine waits between them.

/** The most attempts of a run that a retry policy may allow. */
export const ATTEMPTS_MAX = 100;
/** The most rules that a retry policy may have. */
export const RETRY_RULES_MAX = 20;
/** The longest wait of an exponential backoff. Without this limit, a wait could end after the last valid instant. */
export const RETRY_BACKOFF_MS_MAX = 365 * 24 * 60 * 60_000;
/** The longest wait that a provider may request (Retry-After). If a provider requests more, an operator decides. */
export const RETRY_AFTER_MS_MAX = 24 * 60 * 60_000;
/**
 * The largest random time that is added to a wait that a provider requested. So runs that wait for the same time are
 * not retried together.
 */
export const JITTER_ADDED_MS = 500;
/** The shortest hold of a run. If it were shorter, the run would most likely be held again immediately. */
export const HOLD_MS_MIN = 20;
/** The longest hold of a run. If the end of a hold is unknown, the run is checked once a day. */
export const HOLD_MS_MAX = 24 * 60 * 60_000;
/** The gaps after which a queued run is sent again that no consumer has claimed. */
export const RESEND_GAPS_MS = [60_000, 5 * 60_000, 15 * 60_000, 60 * 60_000] as const;
/**
 * The most outbox messages of one execution that are handled by one delivery of a queue message. The next delivery
 * handles the rest.
 */
export const OUTBOX_MESSAGES_PER_DELIVERY_MAX = 20;

// Direct call limits: attempts for which a cell calls the runner itself, without the queue.

/** The longest timeout of a direct call. An action with a longer timeout uses the queue. */
export const DIRECT_TIMEOUT_MS_MAX = 30_000;
/**
 * The most direct calls in progress in a cell with one execution. After a restart of the object they are sent again.
 * Each has its own invocation of the Worker, so the platform's limit of six connections does not apply.
 */
export const DIRECT_IN_FLIGHT_MAX = 24;
/**
 * The most direct calls in progress in a pool cell. The number is high, because a small tenant has only one pool cell.
 */
export const POOLED_IN_FLIGHT_MAX = 384;
/** The most direct calls in one invocation. The platform lets an invocation wait for six answers at a time. */
export const DIRECT_CALLS_PER_INVOCATION_MAX = 6;
/**
 * How long the result of a direct call waits for the results of other calls of its invocation, so that one commit
 * stores them.
 */
export const DIRECT_RESULTS_GROUP_MS = 1;
/** The gaps between tries to store the outcome of a direct call, after a write has failed or a bug has occurred. */
export const DIRECT_RESULT_RETRY_GAPS_MS = [1_000, 5_000, 20_000, 60_000] as const;

// Slow action limits: which actions use the queue for slow actions, and how much of a queue one tenant may use.

/** An action whose timeout is above this uses the queue for slow actions, so that it does not delay short actions. */
export const SLOW_ABOVE_MS = 50_000;
/**
 * An attempt counts as slow once it has lasted this long. Its batch then begins no further runs and only waits for
 * those in progress.
 */
export const LONG_ATTEMPT_MS = 10_000;
/** An action's share of slow attempts is a moving average. This is the weight of the latest attempt. */
export const SLOW_LATELY_WEIGHT = 0.25;
/**
 * If an action's share of slow attempts is at least this, the action counts as slow. A slow first attempt is enough;
 * later it takes three slow attempts in a row.
 */
export const SLOW_LATELY_FROM = 0.5;
/** How long recorded durations of attempts count. Afterwards the action uses the queue of short actions again. */
export const SLOW_LATELY_MS = 10 * 60_000;

/** The number of invocations of a queue's consumer that all active tenants share. The platform runs at most 250. */
export const QUEUE_SHARE_ALL = 200;
/** The least number of invocations that each active tenant gets. */
export const QUEUE_SHARE_MIN = 10;
/** How long after its last run a tenant counts as active. */
export const QUEUE_TENANT_SEEN_MS = 60_000;

// Dead letter limits: how many an execution may have, how long they are stored, and which of them are critical.

/**
 * The most open dead letters of an execution. If it has that many, the next permanent failure pauses it until an
 * operator has checked it.
 */
export const OPEN_DEAD_LETTERS_MAX = 100;
/** How long a dead letter waits for an operator. The execution's history is stored for the same time. */
export const DEAD_LETTER_KEPT_MS = 30 * 24 * 60 * 60_000;
/** Dead letters of this action type are critical and raise a critical alert. */
export const CRITICAL_TYPE = "blockchain_mint";
/** Dead letters with a priority above this value are critical and raise a critical alert. */
export const CRITICAL_ABOVE_PRIORITY = 90;

// Automatic retry limits: dead letters that are retried after a connection's breaker has closed.

/** How many times a dead letter is retried automatically, if the connection sets automatic retry without a number. */
export const AUTO_RETRIES = 1;
/** The largest number of automatic retries that a connection or action may set. */
export const AUTO_RETRIES_MAX = 10;
/**
 * How long the breaker must be closed before automatic retries begin. Each time that the breaker opens again in the
 * meantime, this doubles.
 */
export const AUTO_RETRY_QUIET_MS = { least: 1_000, usual: 60_000, most: 60 * 60_000 } as const;
/** If a breaker opens again within this time, it counts as flapping. */
export const AUTO_RETRY_FLAPPING_MS = 60 * 60_000;
/** If the operation that retries dead letters cannot start, it is tried again after this time. */
export const AUTO_RETRY_START_AGAIN_MS = 60_000;
