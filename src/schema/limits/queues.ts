// What goes through queues at a time, and when it comes again.

/** A queue takes at most this many messages in one call. */
export const QUEUE_SEND_MESSAGES_MAX = 100;
/** A queue message holds 128 KB; this leaves room for what JSON adds. */
export const PROJECTION_MESSAGE_BYTES_MAX = 100_000;

/** The platform lets an invocation wait for six answers at once. */
export const CONSUMER_CONNECTIONS_MAX = 6;
/** How long a cell's runs wait for more free places than one: actions that began together often end together. */
export const CLAIM_GROUP_MS = 2;
/** How long a settlement waits for the others that are under way. */
export const SETTLE_GROUP_MS = 2;
export const SETTLE_TRIES_MAX = 3;
/** After this a batch goes on with no next runs: its messages want to be acknowledged, and others wait behind them. */
export const NEXT_RUN_WITHIN_MS = 1_000;

/** Gaps between the deliveries of a message double, up to this many seconds. */
export const MESSAGE_RETRY_S_MAX = 300;
export const DEAD_ACTION_RETRY_S = { first: 60, most: 3_600 } as const;
/** They double as well. With the queue's ten tries, D1 may be away for most of an hour. */
export const PROJECTION_RETRY_S = { first: 5, most: 600 } as const;
/** From then on a projection goes alone: one that D1 will never take must not take the others with it. */
export const PROJECTION_GROUP_ATTEMPTS_MAX = 3;
/** Alerts that cannot be raised delay a message so often; its rows are written all the same. */
export const ALERT_RAISE_ATTEMPTS_MAX = 3;
