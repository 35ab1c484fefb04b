// Limits of a cell that has too much to do with two starts a second: a pool then grows by load as it does with hundreds, which
// this machine could not give to sixteen cells at once. It stands in for those of the product in a drill's engine, and nowhere else.
export * from "../../src/schema/limits/pool-cells.ts";

export const POOL_STARTS_PER_S_MAX = 1;
