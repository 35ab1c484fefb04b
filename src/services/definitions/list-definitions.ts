// Lists a tenant's definitions by name: the latest version of each.
import { listDefinitions as list, type DefinitionSummary } from "#catalog/definitions.ts";
import type { Page } from "#catalog/page.ts";
import type { Result } from "#schema/refusal.ts";
import type { Caller, Deps } from "../deps.ts";
import { tenantOf } from "../caller/tenant-of.ts";

export type ListDefinitions = { readonly cursor: string | null; readonly limit: number };

export async function listDefinitions(
  deps: Deps,
  caller: Caller,
  input: ListDefinitions,
): Promise<Result<Page<DefinitionSummary>>> {
  const tenant = tenantOf(caller);
  return tenant.ok ? list(deps.db, tenant.value, input.cursor, input.limit) : tenant;
}
