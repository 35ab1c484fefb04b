// Secret limits: stored secrets, signing keys, and how secrets are found in texts to redact them.
const DAY_MS = 24 * 60 * 60_000;

/** The largest secret: enough for a private key or a service account's file. */
export const SECRET_BYTES_MAX = 16 * 1024;
/**
 * The shortest secret. The engine redacts secrets in answers, and a shorter one could not be distinguished from
 * ordinary text.
 */
export const SECRET_CHARS_MIN = 4;
/** The most hosts that one secret may be sent to. */
export const SECRET_HOSTS_MAX = 20;
/** How long a replaced signing key may still sign. An attacker who has the key can forge messages during this time. */
export const SIGNING_OVERLAP_MS_MAX = 90 * DAY_MS;
/** The most receivers of a tenant with a rotation of their own. Each isolate caches all rotations of a tenant. */
export const SIGNING_ENDPOINTS_MAX = 200;
/** The longest list of a tenant's own signing keys, separated by spaces. */
export const SIGNING_KEYS_CHARS_MAX = 500;
/** A part of a header that is shorter than this ("true", "v1") is no secret. */
export const SECRET_PART_CHARS_MIN = 6;
/**
 * A truncated text may end with the beginning of a secret. A beginning is redacted from this length on, or from half
 * the secret on.
 */
export const SECRET_CUT_CHARS_MIN = 8;
/** The most literal credentials of a config for which a rehearsal searches its texts. No real config has more. */
export const LITERAL_CREDENTIALS_MAX = 50;
