// What goes through queues at a time, and when it comes again.

/** A queue takes at most this many messages in one call. */
export const QUEUE_SEND_MESSAGES_MAX = 100;
/** And at most 256,000 bytes in it, the platform's own hundred or so of each message included. */
export const QUEUE_SEND_BYTES_MAX = 240_000;
/** A message holds 128,000 bytes, of which about a hundred are the platform's. What is larger can never be sent. */
export const QUEUE_MESSAGE_BYTES_MAX = 127_000;
/** Rows for the catalog share a message up to this many bytes. */
export const PROJECTION_MESSAGE_BYTES_MAX = 100_000;
/** So many sends in a row that fail, with none that got through: the queue is down, and the rest waits. */
export const QUEUE_DOWN_AFTER_FAILURES = 3;
/** From then on what is refused is halved, to find the one row that is at fault. */
export const PROJECTIONS_HALVED_AFTER_FAILURES = 2;
/** A row that was refused alone so often, while others got through, is dropped. */
export const PROJECTION_REFUSALS_MAX = 5;
/** How much of its name is said of one that was dropped: the name may be what is wrong with it. */
export const DROPPED_NAME_CHARS_MAX = 300;

/** An action that may take longer than this travels by the queue for slow ones, where it holds up no short one. */
export const SLOW_ABOVE_MS = 50_000;

/** An attempt that has taken so long counts as long: from then on its batch only waits for the ones under way. */
export const LONG_ATTEMPT_MS = 10_000;
/** How much the latest attempt counts; an action is slow from this share of long attempts on: after the first one, or three in a row. */
export const SLOW_LATELY_WEIGHT = 0.25;
export const SLOW_LATELY_FROM = 0.5;
/** Older durations are forgotten, so the action is tried as a short one again. */
export const SLOW_LATELY_MS = 10 * 60_000;

/**
 * Of the platform's 250 invocations of a queue's consumer one tenant's runs may occupy so many. Where other tenants were seen
 * lately they divide this; each has the least at any rate.
 */
export const QUEUE_SHARE_ALL = 200;
export const QUEUE_SHARE_MIN = 10;
export const QUEUE_TENANT_SEEN_MS = 60_000;

/**
 * A consumer's places: so many runs at once. The platform lets an invocation wait for six answers at once.
 */
export const CONSUMER_PLACES = 6;
/**
 * A batch that has more than there are places is carried out in so many invocations, each with places of its own. The
 * platform may hold one invocation to 32 calls of others: so it is a call for each share and none for each run.
 */
export const CONSUMER_SHARES = 4;
/** Of these one tenant may have so many. All: places that nobody else in the batch wants would only stand empty. */
export const CONSUMER_PLACES_A_TENANT = CONSUMER_PLACES;
/** How long a cell's runs wait for more free places than one: actions that began together often end together. */
export const CLAIM_GROUP_MS = 2;
/** The platform gives a batch 15 minutes and then ends it as if it had crashed. */
export const BATCH_MS_MAX = 14.5 * 60_000;
/** A share ends by itself within the time of a batch; one that has not answered by then is lost. */
export const SHARE_MS_MAX = BATCH_MS_MAX + 10_000;
/** A batch is named by chance; no two may have one name. */
export const BATCH_NAME_BYTES = 8;
/**
 * What has not been begun after this goes back into the queue, behind what came in meanwhile: a batch must not keep from
 * others what it has no place for. The longest timeout there may be still fits then.
 */
export const BATCH_BEGINS_MS = 10_000;
/** An object that does not answer a call for this long may have lost it. Asking again changes nothing. */
export const CELL_CALL_MS_MAX = 10_000;
/** Gaps between the tries of a claim; then its message comes back later. */
export const CLAIM_AGAIN_MS = [100, 500] as const;
/** How long a settlement waits for the others that are under way. */
export const SETTLE_GROUP_MS = 2;
/** Gaps between the tries of a settlement double, up to this. There is an outcome in hand: it is tried until its deadline. */
export const SETTLE_AGAIN_MS = { first: 100, most: 10_000 } as const;
/** After this a batch goes on with no next runs: its messages want to be acknowledged, and others wait behind them. */
export const NEXT_RUN_WITHIN_MS = 1_000;

/** Gaps between the deliveries of a message double, up to this many seconds. */
export const MESSAGE_RETRY_S_MAX = 300;
export const DEAD_ACTION_RETRY_S = { first: 60, most: 3_600 } as const;
/** They double as well. With the queue's ten tries, D1 may be away for most of an hour. */
export const PROJECTION_RETRY_S = { first: 5, most: 600 } as const;
/** A batch in which D1 refuses something is halved so often: enough to find a few that are at fault, not to try each. */
export const PROJECTION_HALVINGS_MAX = 60;
/** A row that D1 refuses for what is in it is brought back so often: a deploy may mend it. Then it is dropped. */
export const PROJECTION_MISTAKE_ATTEMPTS_MAX = 4;
/** Alerts that cannot be raised delay a message so often; its rows are written all the same. */
export const ALERT_RAISE_ATTEMPTS_MAX = 3;
