// Computation limits. Previews, forecasts, tests and checks of definitions share an isolate with other requests. A
// Worker's clock does not advance while it computes, so costs are counted in cost units. A unit takes some 50 ns; in
// templates 15 ns, in rules that add up lists 120 ns.

/** The cost units after which a computation can be paused: half a millisecond. */
export const COMPUTATION_PART_UNITS = 10_000;
/** A single step, rule or template that is longer than this many cost units is paused in between. */
export const COMPUTATION_PAUSE_UNITS = 20_000;
/**
 * The cost units that all computations of an isolate may use in one turn of its event loop: one to two milliseconds.
 */
export const COMPUTATION_SLICE_UNITS = 20_000;
/** The most cost units of one computation: about ten seconds. */
export const COMPUTATION_UNITS_MAX = 200_000_000;
/**
 * The most concurrent computations of one tenant in an isolate. Computations that end within one slice are not counted.
 */
export const COMPUTATIONS_PER_TENANT_MAX = 2;
/**
 * The most concurrent computations in an isolate, because each may use tens of megabytes. Computations that end within
 * one slice are not counted.
 */
export const COMPUTATIONS_MAX = 6;
/** If a computation is not continued for this long, its client has disconnected, and its slot is released. */
export const COMPUTATION_SLOT_MS = 15_000;
/** If a computation has not requested a turn for this long, the turns of other computations do not wait for it. */
export const COMPUTATION_TURN_MS = 100;
/** The Retry-After if a computation is refused because no slot is free. */
export const COMPUTATION_RETRY_S = 2;
