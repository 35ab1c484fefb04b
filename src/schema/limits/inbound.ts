// What inbound webhooks take in.

/** A signed time may be so far from ours, either way: a recording is worth nothing afterwards. */
export const SIGNED_TIME_MS = 5 * 60_000;
/** Keys are compared so many at a time, real ones and others: how long it takes does not tell how many there are. */
export const HOOK_KEYS_COMPARED = 4;
