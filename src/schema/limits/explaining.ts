// Explanations and dry runs: the maximum size of an answer, and how far it looks ahead.

/** The maximum size of a dry run's entries, and that of its effects; the answer counts the rest. */
export const WOULD_BYTES_MAX = 256 * 1024;

/** The maximum length of each list in the answer; the answer counts the rest. */
export const EXPLAINED_ITEMS_MAX = 50;
/** The maximum of shown guards of one event, one timer or one run. */
export const EXPLAINED_GUARDS_MAX = 20;
/** Paths of one rule. */
export const EXPLAINED_VALUES_MAX = 20;
/** Longer values of variables, and rules, are replaced by their size. */
export const EXPLAINED_VALUE_BYTES_MAX = 1024;
/** Entries of one predicted step. */
export const FORESEEN_LINES_MAX = 20;
/** Consecutive wakes without a visible effect after which the prediction stops. */
export const FORESEEN_WAKES_MAX = 12;
/** Runs in progress that are predicted to their ends. */
export const FORESEEN_RUNS_MAX = 5;
/** Connections whose state is queried. */
export const EXPLAINED_CONNECTIONS_MAX = 3;
/** The journal contains the values that a condition read, up to this size. */
export const JOURNALED_VALUES_BYTES_MAX = 2 * 1024;
