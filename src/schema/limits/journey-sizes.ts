// Journey sizes: limits beyond those of every definition.

export const JOURNEY_NODES_MAX = 500;
/** All edges together: each is processed once per execution. */
export const JOURNEY_EDGES_MAX = 5_000;
/** Outgoing edges of one node: cases of a branch, ways of a split, events of a wait, a fork. */
export const WAYS_MAX = 100;
export const EXITS_MAX = 50;
export const WEIGHT_MAX = 1_000_000;
/** Repetitions of an `each`: a count, or items of its list. */
export const EACH_ITEMS_MAX = 1_000;
/** Of the list that is frozen when an `each` is reached: it is a part of every row that the execution writes. */
export const EACH_BYTES_MAX = 128 * 1024;
/** The maximum size of actions' results that a compensation may need. */
export const UNDO_RESULTS_BYTES_MAX = 256 * 1024;
/** Buffered events that later nodes may accept. */
export const EVENTS_KEPT_MAX = 100;
export const EVENTS_KEPT_BYTES_MAX = 256 * 1024;
/** The number of current nodes that rules and the journal see by name. */
export const NODES_NAMED_MAX = 20;
