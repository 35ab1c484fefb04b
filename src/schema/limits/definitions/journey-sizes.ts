// Journey limits: sizes of a journey's graph and of the lists and results that its nodes use.

/** The most nodes of a journey. */
export const JOURNEY_NODES_MAX = 500;
/** The most edges of a journey. An execution processes each edge once. */
export const JOURNEY_EDGES_MAX = 5_000;
/** The most outgoing edges of a node: cases of a branch, ways of a split, events of a wait, or a fork. */
export const NODE_EDGES_MAX = 100;
/** The most exits of a journey. */
export const EXITS_MAX = 50;
/** The largest weight of a split's way. */
export const WEIGHT_MAX = 1_000_000;
/** The most repetitions of an `each` node: its fixed count, or the items of its list. */
export const EACH_ITEMS_MAX = 1_000;
/**
 * The largest list of an `each` node. The list is stored when the node is reached, and every later row of the execution
 * contains it.
 */
export const EACH_BYTES_MAX = 128 * 1024;
/** The largest total size of the results that a journey stores for compensations. */
export const COMPENSATION_RESULTS_BYTES_MAX = 256 * 1024;
/** The most active nodes that rules and the journal show by name. Further nodes are left out. */
export const NODES_NAMED_MAX = 20;
