// Database limits: answers of database actions.

/** The largest answer that is read. Only the first rows are stored, but the whole answer must be read to find them. */
export const DATABASE_ANSWER_BYTES_MAX = 4 * 1024 * 1024;
/** The number of rows that are stored. */
export const DATABASE_ROWS_KEPT = 100;
