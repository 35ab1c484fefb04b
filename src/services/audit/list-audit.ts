// Who did what to what, and why: the tenant's audit entries, newest first.
import { listAudit as list, type AuditFilters } from "#catalog/audit.ts";
import type { Page } from "#catalog/page.ts";
import type { AuditRow } from "#schema/engine/projection.ts";
import type { Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";

export type ListAudit = { readonly filters: AuditFilters; readonly cursor: string | null; readonly limit: number };

export async function listAudit(deps: Deps, caller: TenantCaller, input: ListAudit): Promise<Result<Page<AuditRow>>> {
  return list(deps.db, caller.tenant, input.filters, input.cursor, input.limit);
}
