// Changes a tenant: its name, how long its lists keep, its quotas, and from where browsers may call. Only the root key may: a tenant that could raise
// its own quotas would have none.
import { changeTenant as change, findTenant, type Tenant } from "#catalog/tenants.ts";
import type { LimitChanges, OwnLimits } from "#schema/quota.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { auditRow } from "../audit/record-audit.ts";
import type { Caller, Deps } from "../deps.ts";
import { forgetTerms } from "../quotas/tenant-terms.ts";
import { noTenant } from "./get-tenant.ts";
import { rootOnlyFor } from "./scopes.ts";

export type ChangeTenant = {
  readonly id: string;
  readonly name: string | null;
  readonly retentionDays: number | null;
  /** null gives one back to its default; those that are not named stay. */
  readonly limits: LimitChanges;
  readonly origins: readonly string[] | null;
  readonly reason: string | null;
  readonly dryRun: boolean;
};

export async function changeTenant(deps: Deps, caller: Caller, input: ChangeTenant): Promise<Result<Tenant>> {
  const root = rootOnlyFor(caller, input.id);
  if (!root.ok) return root;
  const { id, reason, dryRun, ...changes } = input;
  if (dryRun) {
    const tenant = await findTenant(deps.db, id);
    return tenant === null ? refuse(noTenant(id)) : accept(changed(tenant, changes));
  }
  const audit = auditRow(deps, { ...caller, tenant: id }, "tenant.update", id, reason);
  const tenant = await change(deps.db, id, changes, { ...audit, details: JSON.stringify(changes) });
  forgetTerms(id);
  return tenant === null ? refuse(noTenant(id)) : accept(tenant);
}

type Changes = Pick<ChangeTenant, "name" | "retentionDays" | "limits" | "origins">;

function changed(tenant: Tenant, { name, retentionDays, limits, origins }: Changes): Tenant {
  const merged = Object.entries({ ...tenant.limits, ...limits }).filter(([, amount]) => amount !== null);
  return {
    ...tenant,
    name: name ?? tenant.name,
    retentionDays: retentionDays ?? tenant.retentionDays,
    origins: origins ?? tenant.origins,
    limits: merged.length === 0 ? null : (Object.fromEntries(merged) as OwnLimits), // nulls are gone
  };
}
