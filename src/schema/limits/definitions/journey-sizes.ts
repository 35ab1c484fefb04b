// Journey limits: sizes of a journey's graph and of the lists and results that its nodes use.

/** The most nodes of a journey. */
export const JOURNEY_NODES_MAX = 500;
/** The most edges of a journey: each is processed once per execution. */
export const JOURNEY_EDGES_MAX = 5_000;
/** The most outgoing edges of a node: cases of a branch, ways of a split, events of a wait, or a fork. */
export const NODE_EDGES_MAX = 100;
/** The most exits of a journey. */
export const EXITS_MAX = 50;
/** The largest weight of a split's way. */
export const WEIGHT_MAX = 1_000_000;
/** The most repetitions of an `each` node: a count, or items of a list. */
export const EACH_ITEMS_MAX = 1_000;
/** The largest list of an `each` node. It is stored when the node is reached, and is a part of every later row. */
export const EACH_BYTES_MAX = 128 * 1024;
/** The largest size of the actions' results that a compensation needs. */
export const COMPENSATION_RESULTS_BYTES_MAX = 256 * 1024;
/** The most current nodes that rules and the journal see by name. */
export const NODES_NAMED_MAX = 20;
