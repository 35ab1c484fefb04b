// Limits of configuration as code: the size of a document, and the work of one request.

/** The most resources in one document. Each is read and checked, with a few catalog queries. */
export const CONFIGURATION_ITEMS_MAX = 200;
/**
 * The most resources that one request writes. A write makes up to ten catalog queries, and a Worker may make 1,000 per
 * request.
 */
export const CONFIGURATION_WRITES_MAX = 50;
/** How many resources are read or checked at the same time, so that their bodies fit into memory. */
export const CONFIGURATION_AT_ONCE = 10;
/** The most differences of one resource that a plan lists. */
export const CONFIGURATION_CHANGES_MAX = 50;
