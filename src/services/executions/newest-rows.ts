// Newest rows: several queue messages may project the same execution or run. Keeps only the newest row of each
// execution and of each run, per incarnation.
import { newest } from "#catalog/projections/projections.ts";
import type { ExecutionRow, RunRow } from "#schema/engine/projection.ts";

export function newestRows(executions: readonly ExecutionRow[], runs: readonly RunRow[]) {
  return {
    executions: newest(executions, ({ tenant, createdAt, id }) => [tenant, createdAt, id]),
    runs: newest(runs, ({ tenant, execution, incarnation, id }) => [tenant, execution, incarnation, id]),
  };
}
