// Finds executions in the catalog. Lists may be a moment late; the execution itself is the truth.
import { listExecutions as list, type ExecutionFilters } from "#catalog/executions.ts";
import type { Page } from "#catalog/page.ts";
import type { ExecutionRow } from "#schema/engine/projection.ts";
import type { Result } from "#schema/refusal.ts";
import type { Caller, Deps } from "../deps.ts";
import { tenantOf } from "../caller/tenant-of.ts";

export type ListExecutions = {
  readonly filters: ExecutionFilters;
  readonly cursor: string | null;
  readonly limit: number;
};

export async function listExecutions(
  deps: Deps,
  caller: Caller,
  input: ListExecutions,
): Promise<Result<Page<ExecutionRow>>> {
  const tenant = tenantOf(caller);
  return tenant.ok ? list(deps.db, tenant.value, input.filters, input.cursor, input.limit) : tenant;
}
