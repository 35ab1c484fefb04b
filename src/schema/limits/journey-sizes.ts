// What bounds a journey, apart from what bounds every definition.

export const JOURNEY_NODES_MAX = 500;
/** All ways from node to node together: each is looked at once in the life of an execution. */
export const JOURNEY_EDGES_MAX = 5_000;
/** Ways out of one node: cases of a branch, ways of a split, what a wait waits for, a fork. */
export const WAYS_MAX = 100;
export const EXITS_MAX = 50;
export const WEIGHT_MAX = 1_000_000;
/** What an `each` repeats: times, or items of its list. */
export const EACH_ITEMS_MAX = 1_000;
/** Of the list that is frozen when an `each` is reached: it is a part of every row the execution writes. */
export const EACH_BYTES_MAX = 128 * 1024;
/** Of what actions came to, for those that may have to be taken back. */
export const UNDO_RESULTS_BYTES_MAX = 256 * 1024;
/** Events that nodes ahead may still want. */
export const EVENTS_KEPT_MAX = 100;
export const EVENTS_KEPT_BYTES_MAX = 256 * 1024;
/** Of so many nodes that an execution stands at, rules and the journal see the names. */
export const NODES_NAMED_MAX = 20;
