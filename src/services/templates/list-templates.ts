// Lists a tenant's templates by name: the latest version of each.
import { listTemplates as list, type TemplateSummary } from "#catalog/templates.ts";
import type { Page } from "#catalog/page.ts";
import type { Result } from "#schema/refusal.ts";
import type { Caller, Deps } from "../deps.ts";
import { tenantOf } from "../caller/tenant-of.ts";

export type ListTemplates = { readonly cursor: string | null; readonly limit: number };

export async function listTemplates(
  deps: Deps,
  caller: Caller,
  input: ListTemplates,
): Promise<Result<Page<TemplateSummary>>> {
  const tenant = tenantOf(caller);
  return tenant.ok ? list(deps.db, tenant.value, input.cursor, input.limit) : tenant;
}
