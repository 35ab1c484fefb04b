// How much one answer to "why does it stand still?", or to a dry run, may hold, and how far it looks ahead.

/** Of the entries that a dry run shows, and of its effects, each; what there is no room for is counted. */
export const WOULD_BYTES_MAX = 256 * 1024;

/** Of each list in the answer; what there was no room for is counted. */
export const EXPLAINED_ITEMS_MAX = 50;
/** Of one event, one timer, one run. */
export const EXPLAINED_GUARDS_MAX = 20;
/** Paths of one rule. */
export const EXPLAINED_VALUES_MAX = 20;
/** What is longer is told by its size: values of variables, and rules. */
export const EXPLAINED_VALUE_BYTES_MAX = 1024;
/** Lines of one step that has not been made yet. */
export const FORESEEN_LINES_MAX = 20;
/** Wakes at which nothing happens that anybody would tell; behind so many in a row nobody looks. */
export const FORESEEN_WAKES_MAX = 12;
/** Of runs that somebody has in hand, so many are thought through to their ends. */
export const FORESEEN_RUNS_MAX = 5;
/** Connections that are asked how they are doing. */
export const EXPLAINED_CONNECTIONS_MAX = 3;
/** What a condition looked at stands in the journal, if it is no more than this. */
export const JOURNALED_VALUES_BYTES_MAX = 2 * 1024;
