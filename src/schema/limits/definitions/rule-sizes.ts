// Rule limits: the size of a JsonLogic rule, and the depth of the values that it reads. The cost is in `step-cost.ts`.

/** The deepest nesting of a rule. */
export const RULE_DEPTH_MAX = 32;
/** The most parts of a rule. */
export const RULE_NODES_MAX = 2_000;
/**
 * The deepest value that a rule reads. A deeper value would exceed the call stack, whose size differs between
 * platforms.
 */
export const RULE_VALUE_DEPTH_MAX = 200;
