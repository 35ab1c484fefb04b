// Limits of unsubscribe links: the size of a token, and how often a link may be called.

/** The longest token. A token of the longest tenant id, address and execution id has about 700 characters. */
export const UNSUBSCRIBE_TOKEN_CHARS_MAX = 1_000;
/**
 * The rate of calls from one IP address. It is high, because a mail provider calls the links of all its receivers from
 * few addresses.
 */
export const UNSUBSCRIBE_SENDER_RATE = { perMinute: 6_000, burst: 1_000 } as const;
/** The rate of unsubscriptions by the link of one message. */
export const UNSUBSCRIBE_LINK_RATE = { perMinute: 10, burst: 10 } as const;
