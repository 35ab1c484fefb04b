// Lists a tenant's definitions by name: the latest version of each.
import { listDefinitions as list, type DefinitionSummary } from "#catalog/definitions.ts";
import type { Page } from "#catalog/page.ts";
import type { Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";

export type ListDefinitions = { readonly cursor: string | null; readonly limit: number };

export async function listDefinitions(
  deps: Deps,
  caller: TenantCaller,
  input: ListDefinitions,
): Promise<Result<Page<DefinitionSummary>>> {
  return list(deps.db, caller.tenant, input.cursor, input.limit);
}
