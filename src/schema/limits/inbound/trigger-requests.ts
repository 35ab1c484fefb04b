// Trigger limits: what a trigger may contain, how many requests it accepts, and how requests are verified.

const DAY = 24 * 60 * 60_000;

/** The largest trigger as JSON. */
export const TRIGGER_BYTES_MAX = 64 * 1024;
/** The most labels of a trigger, and the longest label. */
export const TRIGGER_LABELS_MAX = 20;
export const TRIGGER_LABEL_CHARS_MAX = 200;
/** The most origins from which browsers may call a trigger. */
export const TRIGGER_ORIGINS_MAX = 20;
/** The most requests per minute that a trigger may accept. */
export const TRIGGER_PER_MINUTE_MAX = 6_000;
/** How long a replaced token or secret of a trigger may stay valid. */
export const TRIGGER_OVERLAP_MS_MAX = 90 * DAY;
/** The most event triggers that one published event can reach. */
export const LISTENING_TRIGGERS_MAX = 100;
/** How long a list of triggers waits for the object of one trigger to return its state. */
export const TRIGGER_STATE_MS = 5_000;

/** The period of rates "per minute". */
export const RATE_MS = 60_000;
/**
 * The rate of DocuSign callbacks from one IP address to one connection. `CALLBACK_SENDER_RATE` limits an IP address
 * over all paths, because a client can invent paths.
 */
export const CALLBACK_RATE = { perMinute: 600, burst: 100 } as const;
export const CALLBACK_SENDER_RATE = { perMinute: 6_000, burst: 1_000 } as const;

/**
 * The largest difference between the time in a signed request and the Worker's clock. A request that was recorded
 * longer ago cannot be sent again.
 */
export const SIGNED_TIME_MS = 5 * 60_000;
/**
 * Signing keys are compared in groups of this size. A group with fewer keys is filled up with random keys, so that the
 * duration does not reveal how many there are.
 */
export const HOOK_KEYS_COMPARED = 4;
/**
 * The most signatures of a request that are compared. Each comparison costs time, and an attacker may send any number
 * of signatures.
 */
export const HOOK_SIGNATURES_MAX = 20;
/** An isolate stores why a trigger refused a sender at most once in this time, for each reason. */
export const SENDER_REFUSAL_STORED_MS = 60_000;
