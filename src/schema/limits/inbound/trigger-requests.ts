// Trigger limits: what a trigger may contain, how many requests it accepts, and how it verifies them.

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
/** The most event triggers of a tenant that one published event can reach. */
export const LISTENING_TRIGGERS_MAX = 100;
/** How long a list of triggers waits for the state of one trigger's object. */
export const TRIGGER_STATE_MS = 5_000;

/** The period of rates "per minute". */
export const RATE_MS = 60_000;
/**
 * The most DocuSign callbacks that one IP address may send to one connection. `CALLBACK_SENDER_RATE` limits an IP
 * address over all paths, because a client can invent paths.
 */
export const CALLBACK_RATE = { perMinute: 600, burst: 100 } as const;
export const CALLBACK_SENDER_RATE = { perMinute: 6_000, burst: 1_000 } as const;

/**
 * The largest difference between the time in a signed request and the Worker's clock. A recorded request is refused
 * after this time.
 */
export const SIGNED_TIME_MS = 5 * 60_000;
/**
 * Signing keys are compared in batches of this size, filled up with dummies. The duration therefore does not reveal the
 * number of signing keys.
 */
export const HOOK_KEYS_COMPARED = 4;
/** The most signatures of a request that are compared. Each costs a comparison, and an attacker may send any number. */
export const HOOK_SIGNATURES_MAX = 20;
