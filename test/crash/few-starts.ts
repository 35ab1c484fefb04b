// Lower cell limit: a cell is overloaded by more than one start a second. A pool then grows under a load that one
// machine can produce. Only the growth drill's engine uses it, in place of the product's limits.
export * from "../../src/schema/limits/pool-cells.ts";

export const POOL_STARTS_PER_S_MAX = 1;
