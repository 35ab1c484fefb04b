// Explanation limits: the size of explanations and dry runs of an execution, and how far they predict.

/**
 * The largest size of a dry run's journal entries. The same limit applies to its effects. The answer says how many were
 * left out.
 */
export const DRY_RUN_BYTES_MAX = 256 * 1024;
/** The most items of a list in an explanation. The answer says how many were left out. */
export const EXPLAINED_ITEMS_MAX = 50;
/** The most guards that are shown of one event, timer or run. */
export const EXPLAINED_GUARDS_MAX = 20;
/** The most values that are shown of one rule, by path. */
export const EXPLAINED_VALUES_MAX = 20;
/** If a value or rule is longer than this, its size is shown instead. */
export const EXPLAINED_VALUE_BYTES_MAX = 1024;
/** The most connections whose current state an explanation reads. */
export const EXPLAINED_CONNECTIONS_MAX = 3;
/** The most subjects whose used caps an explanation reads. */
export const EXPLAINED_SUBJECTS_MAX = 3;
/** The most entries of one predicted step. */
export const PREDICTED_LINES_MAX = 20;
/** The prediction stops after this many consecutive wakes that change nothing visible. */
export const PREDICTED_WAKES_MAX = 12;
/** The most runs in progress whose end is predicted. */
export const PREDICTED_RUNS_MAX = 5;
