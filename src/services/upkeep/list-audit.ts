// Who did what to what, and why: the tenant's audit entries, newest first.
import { listAudit as list, type AuditFilters } from "#catalog/audit.ts";
import type { Page } from "#catalog/page.ts";
import type { AuditRow } from "#schema/engine/projection.ts";
import type { Result } from "#schema/refusal.ts";
import type { Caller, Deps } from "../deps.ts";
import { tenantOf } from "../caller/tenant-of.ts";

export type ListAudit = { readonly filters: AuditFilters; readonly cursor: string | null; readonly limit: number };

export async function listAudit(deps: Deps, caller: Caller, input: ListAudit): Promise<Result<Page<AuditRow>>> {
  const tenant = tenantOf(caller);
  return tenant.ok ? list(deps.db, tenant.value, input.filters, input.cursor, input.limit) : tenant;
}
