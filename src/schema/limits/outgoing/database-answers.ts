// Database limits: answers of database actions.

/**
 * The largest answer of a database that is read. Only its first rows are stored, but the whole answer must be parsed.
 */
export const DATABASE_ANSWER_BYTES_MAX = 4 * 1024 * 1024;
/** How many rows of a database's answer are stored. */
export const DATABASE_ROWS_KEPT = 100;
