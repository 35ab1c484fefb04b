// Secret limits: stored secrets, signing keys, and how secrets are found in texts to redact them.
const DAY_MS = 24 * 60 * 60_000;

/** The largest secret. It is enough for a private key or the file of a service account. */
export const SECRET_BYTES_MAX = 16 * 1024;
/** The shortest secret. The engine redacts secrets in answers; a shorter secret would also match ordinary text. */
export const SECRET_CHARS_MIN = 4;
/** The most hosts that one secret may be sent to. */
export const SECRET_HOSTS_MAX = 20;
/** How long a replaced signing key may still sign. During this time, an attacker who has the key can forge messages. */
export const SIGNING_OVERLAP_MS_MAX = 90 * DAY_MS;
/** The most receivers of a tenant that have a rotation of their own. Each isolate caches all rotations of a tenant. */
export const SIGNING_ENDPOINTS_MAX = 200;
/** The longest list of a tenant's own signing keys, separated by spaces. */
export const SIGNING_KEYS_CHARS_MAX = 500;
/** Parts of a header that are shorter than this ("true", "v1") are not treated as secrets. */
export const SECRET_PART_CHARS_MIN = 6;
/**
 * A truncated text may end with the beginning of a secret. The beginning is redacted if it has this length, or half the
 * length of the secret.
 */
export const SECRET_CUT_CHARS_MIN = 8;
/** The most literal credentials of a config for which a rehearsal searches its texts. No real config has as many. */
export const LITERAL_CREDENTIALS_MAX = 50;
