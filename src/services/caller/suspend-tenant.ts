// Suspends a tenant, and lets it go on. While it is suspended nothing new starts and nothing goes out; what runs is held
// with all it has, and reads work. Only the root key may.
import { findTenant, suspendTenant as suspend, type Tenant } from "#catalog/tenants.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { auditRow } from "../audit/record-audit.ts";
import type { Caller, Deps } from "../deps.ts";
import { forgetTerms } from "../quotas/tenant-terms.ts";
import { noTenant } from "./get-tenant.ts";
import { rootOnlyFor } from "./scopes.ts";

export type SuspendTenant = { readonly id: string; readonly reason: string; readonly dryRun: boolean };

/** Twice is once: the first instant and reason stay. */
export function suspendTenant(deps: Deps, caller: Caller, input: SuspendTenant): Promise<Result<Tenant>> {
  return become(deps, caller, input, { at: deps.now(), reason: input.reason });
}

export function resumeTenant(deps: Deps, caller: Caller, input: SuspendTenant): Promise<Result<Tenant>> {
  return become(deps, caller, input, null);
}

async function become(
  deps: Deps,
  caller: Caller,
  { id, reason, dryRun }: SuspendTenant,
  to: { readonly at: number; readonly reason: string } | null,
): Promise<Result<Tenant>> {
  const root = rootOnlyFor(caller, id);
  if (!root.ok) return root;
  const tenant = await findTenant(deps.db, id);
  if (tenant === null) return refuse(noTenant(id));
  const isSo = (tenant.suspendedAt !== null) === (to !== null);
  if (isSo) return accept(tenant);
  if (!dryRun) {
    const verb = to === null ? "tenant.resume" : "tenant.suspend";
    await suspend(deps.db, id, to, auditRow(deps, { ...caller, tenant: id }, verb, id, reason));
    forgetTerms(id);
  }
  return accept({ ...tenant, suspendedAt: to?.at ?? null, suspendedReason: to?.reason ?? null });
}
