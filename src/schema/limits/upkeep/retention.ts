// Retention limits: how long finished and erased data is stored, and how much one sweep deletes.

/** How long audit entries are stored. */
export const AUDIT_KEPT_MS = 400 * 24 * 60 * 60_000;
/** The largest field in the details of an audit entry. A larger field is replaced by its size. */
export const AUDIT_DETAIL_BYTES_MAX = 8 * 1024;
/**
 * How long it is stored that an execution was erased. A message waits in a queue for less time, so no message can
 * recreate the execution.
 */
export const ERASURE_KEPT_MS = 5 * 24 * 60 * 60_000;
/** The number of rows deleted at a time. */
export const PURGE_CHUNK_ROWS = 1_000;
/** The most chunks of each kind of data that one sweep deletes. The next sweep, in five minutes, deletes more. */
export const PURGE_CHUNKS_MAX = 10;
/**
 * The longest parameter of a catalog query. It is below D1's limit of 2 MB even if every character takes three bytes.
 */
export const CATALOG_PARAMETER_CHARS_MAX = 500_000;
