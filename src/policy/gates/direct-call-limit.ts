// Direct-call limit: decides how many direct calls a cell may have in progress. A cell of a pool has a higher limit,
// because it serves many executions.
import { DIRECT_IN_FLIGHT_MAX, POOLED_IN_FLIGHT_MAX } from "#schema/limits/run-attempts.ts";
import { poolCellOf } from "../pools/layout.ts";

/** `cell`: the name of the cell's object. */
export function directCallsMax(cell: string): number {
  return poolCellOf(cell) === null ? DIRECT_IN_FLIGHT_MAX : POOLED_IN_FLIGHT_MAX;
}
