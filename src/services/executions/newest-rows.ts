// What several messages tell of executions and of their runs: the newest row of each.
import { newest } from "#catalog/projections.ts";
import type { ExecutionRow, RunRow } from "#schema/engine/projection.ts";

export function newestRows(executions: readonly ExecutionRow[], runs: readonly RunRow[]) {
  return {
    executions: newest(executions, ({ tenant, id }) => [tenant, id]),
    runs: newest(runs, ({ tenant, execution, id }) => [tenant, execution, id]),
  };
}
