// Computation limits: previews, forecasts, tests and checks of definitions share an isolate with other requests. Costs are
// in cost units of some 50 ns (15 ns in templates, 120 ns in rules that add up lists), because a Worker's clock does not
// advance while it computes.

/** A computation can be paused after each part of this size: half a millisecond. */
export const COMPUTATION_PART_UNITS = 10_000;
/** A long step, rule or template is paused after this many cost units. */
export const COMPUTATION_PAUSE_UNITS = 20_000;
/** The total of all computations of an isolate in one turn of its event loop: one to two milliseconds. */
export const COMPUTATION_SLICE_UNITS = 20_000;
/** The most cost units of one computation: about ten seconds. */
export const COMPUTATION_UNITS_MAX = 200_000_000;
/** The most concurrent computations of one tenant in an isolate, of more than a slice each. */
export const COMPUTATIONS_PER_TENANT_MAX = 2;
/** The most concurrent computations in an isolate, of more than a slice each. Each may hold tens of megabytes. */
export const COMPUTATIONS_MAX = 6;
/** A computation that was not continued for this long loses its slot, because its client has disconnected. */
export const COMPUTATION_SLOT_MS = 15_000;
/** A computation that was not seen for this long is skipped in its turn. */
export const COMPUTATION_TURN_MS = 100;
/** After this time a client whose computation was refused may retry. */
export const COMPUTATION_RETRY_S = 2;
