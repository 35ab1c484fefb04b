// Computation limits. Previews, forecasts, tests and checks of definitions share an isolate with other requests. A
// Worker's clock does not advance while it computes, so costs are counted in cost units. A unit takes some 50 ns: 15 ns
// in templates, 120 ns in rules that add up lists.

/** A computation can be paused after each part of this size: half a millisecond. */
export const COMPUTATION_PART_UNITS = 10_000;
/** A long step, rule or template is paused after this many cost units. */
export const COMPUTATION_PAUSE_UNITS = 20_000;
/** The total of all computations of an isolate in one turn of its event loop: one to two milliseconds. */
export const COMPUTATION_SLICE_UNITS = 20_000;
/** The most cost units of one computation: about ten seconds. */
export const COMPUTATION_UNITS_MAX = 200_000_000;
/**
 * The most concurrent computations of one tenant in an isolate. A computation that ends within one slice is not
 * counted.
 */
export const COMPUTATIONS_PER_TENANT_MAX = 2;
/**
 * The most concurrent computations in an isolate. A computation that ends within one slice is not counted. Each may use
 * tens of megabytes.
 */
export const COMPUTATIONS_MAX = 6;
/** A computation that was not continued for this long loses its slot, because its client has disconnected. */
export const COMPUTATION_SLOT_MS = 15_000;
/** A computation that has not requested a turn for this long does not delay the turns of other computations. */
export const COMPUTATION_TURN_MS = 100;
/** The Retry-After of a refused computation. */
export const COMPUTATION_RETRY_S = 2;
