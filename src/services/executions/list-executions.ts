// Finds executions in the catalog. Lists may be a moment late; the execution itself is the truth.
import { listExecutions as list, type ExecutionFilters } from "#catalog/executions.ts";
import type { Page } from "#catalog/page.ts";
import type { ExecutionRow } from "#schema/engine/projection.ts";
import type { Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";

export type ListExecutions = {
  readonly filters: ExecutionFilters;
  readonly cursor: string | null;
  readonly limit: number;
};

export async function listExecutions(
  deps: Deps,
  caller: TenantCaller,
  input: ListExecutions,
): Promise<Result<Page<ExecutionRow>>> {
  return list(deps.db, caller.tenant, input.filters, input.cursor, input.limit);
}
