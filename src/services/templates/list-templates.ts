// Lists a tenant's templates by name: the latest version of each.
import { listTemplates as list, type TemplateSummary } from "#catalog/templates.ts";
import type { Page } from "#catalog/page.ts";
import type { Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";

export type ListTemplates = { readonly cursor: string | null; readonly limit: number };

export async function listTemplates(
  deps: Deps,
  caller: TenantCaller,
  input: ListTemplates,
): Promise<Result<Page<TemplateSummary>>> {
  return list(deps.db, caller.tenant, input.cursor, input.limit);
}
