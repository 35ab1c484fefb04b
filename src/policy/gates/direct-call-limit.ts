// Direct-call limit: how many direct calls a cell may have in progress. The cell of a pool has a higher limit, because
// it contains many executions.
import { DIRECT_IN_FLIGHT_MAX, POOLED_IN_FLIGHT_MAX } from "#schema/limits/run-attempts.ts";
import { poolCellOf } from "../pools/layout.ts";

/** `cell`: the name of the cell's object. */
export function directCallsMax(cell: string): number {
  return poolCellOf(cell) === null ? DIRECT_IN_FLIGHT_MAX : POOLED_IN_FLIGHT_MAX;
}
