// Explanation limits: the size of explanations and dry runs of an execution, and how far they predict.

/**
 * The largest size of a dry run's journal entries, and of its effects. The answer contains the number of entries and
 * effects left out.
 */
export const DRY_RUN_BYTES_MAX = 256 * 1024;
/** The longest list in an explanation. The answer contains the number of items left out. */
export const EXPLAINED_ITEMS_MAX = 50;
/** The most guards that are shown of one event, timer or run. */
export const EXPLAINED_GUARDS_MAX = 20;
/** The most paths that are shown of one rule. */
export const EXPLAINED_VALUES_MAX = 20;
/** A value or rule that is longer than this is replaced by its size. */
export const EXPLAINED_VALUE_BYTES_MAX = 1024;
/** The most connections whose state an explanation queries. */
export const EXPLAINED_CONNECTIONS_MAX = 3;
/** The most entries of one predicted step. */
export const PREDICTED_LINES_MAX = 20;
/** The prediction stops after this many consecutive wakes of the execution that change nothing visible. */
export const PREDICTED_WAKES_MAX = 12;
/** The most runs in progress that are predicted to their ends. */
export const PREDICTED_RUNS_MAX = 5;
