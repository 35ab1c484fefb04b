// Retention limits: how long finished and erased things are stored, and how much one sweep deletes.

/** How long audit entries are stored. */
export const AUDIT_KEPT_MS = 400 * 24 * 60 * 60_000;
/**
 * How long an erasure is stored. A message waits in a queue for less time, so that no message recreates the erased
 * execution.
 */
export const ERASURE_KEPT_MS = 5 * 24 * 60 * 60_000;
/** The number of rows deleted at a time. */
export const PURGE_CHUNK_ROWS = 1_000;
/** The most chunks of each kind that one sweep deletes. The rest waits for the next sweep, in five minutes. */
export const PURGE_CHUNKS_MAX = 10;
/** The longest parameter of a catalog query: below D1's 2 MB even if every character takes three bytes. */
export const CATALOG_PARAMETER_CHARS_MAX = 500_000;
