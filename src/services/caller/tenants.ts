// Tenants: creates, gets, lists, updates, suspends and resumes them. Only the root key may change a tenant.
import type { Page } from "#catalog/page.ts";
import { poolColumns } from "#catalog/pools/tenant-pools.ts";
import {
  insertTenant,
  type Tenant,
  findTenant,
  listTenants as list,
  changeTenant as change,
  suspendTenant as suspend,
} from "#catalog/tenants.ts";
import { newPool } from "#policy/pools/layout.ts";
import { defaults } from "#schema/defaults.ts";
import type { LimitChanges, OwnLimits } from "#schema/quota.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { auditRow } from "../audit/audit.ts";
import type { Caller, Deps } from "../deps.ts";
import { evictTenantSettings } from "../quotas/tenant-settings.ts";
import { requireRoot, requireRootFor } from "./authenticate.ts";

export type CreateTenant = {
  readonly id: string;
  readonly name: string;
  /** For how many days lists show executions that have ended; null: the default. */
  readonly retentionDays: number | null;
  readonly dryRun: boolean;
};

export async function createTenant(deps: Deps, caller: Caller, input: CreateTenant): Promise<Result<Tenant>> {
  const root = requireRoot(caller);
  if (!root.ok) return root;
  const { id, name, dryRun } = input;
  const tenant = {
    id,
    name,
    createdAt: deps.now(),
    retentionDays: input.retentionDays ?? defaults.tenantRetentionDays,
    limits: null,
    suspendedAt: null,
    suspendedReason: null,
    origins: null,
    ...poolColumns(newPool, deps.now()),
  };
  if (dryRun) return accept(tenant);
  const audit = auditRow(deps, { ...caller, tenant: id }, "tenant.create", id);
  deps.answerWith?.(tenant);
  if (await insertTenant(deps.db, tenant, audit)) return accept(tenant);
  return refuse({ code: "already_exists", message: `There is already a tenant "${id}".` });
}

export async function getTenant(deps: Deps, caller: Caller, input: { readonly id: string }): Promise<Result<Tenant>> {
  const isVisible = caller.actor.kind === "root" || caller.tenant === input.id;
  const tenant = isVisible ? await findTenant(deps.db, input.id) : null;
  return tenant === null ? refuse(noTenant(input.id)) : accept(tenant);
}

export function noTenant(id: string) {
  return { code: "not_found", message: `There is no tenant "${id}".` } as const;
}

export type ListTenants = { readonly cursor: string | null; readonly limit: number };

export async function listTenants(deps: Deps, caller: Caller, input: ListTenants): Promise<Result<Page<Tenant>>> {
  const root = requireRoot(caller);
  return root.ok ? list(deps.db, input.cursor, input.limit) : root;
}

export type ChangeTenant = {
  readonly id: string;
  readonly name: string | null;
  readonly retentionDays: number | null;
  /** The changed limits by quota; null resets a limit to its default. Limits that are not listed stay unchanged. */
  readonly limits: LimitChanges;
  readonly origins: readonly string[] | null;
  readonly reason: string | null;
  readonly dryRun: boolean;
};

export async function changeTenant(deps: Deps, caller: Caller, input: ChangeTenant): Promise<Result<Tenant>> {
  const root = requireRootFor(caller, input.id);
  if (!root.ok) return root;
  const { id, reason, dryRun, ...changes } = input;
  if (dryRun) {
    const tenant = await findTenant(deps.db, id);
    return tenant === null ? refuse(noTenant(id)) : accept(applyChanges(tenant, changes));
  }
  const audit = auditRow(deps, { ...caller, tenant: id }, "tenant.update", id, reason);
  const tenant = await change(deps.db, id, changes, { ...audit, details: JSON.stringify(changes) });
  evictTenantSettings(id);
  return tenant === null ? refuse(noTenant(id)) : accept(tenant);
}

type Changes = Pick<ChangeTenant, "name" | "retentionDays" | "limits" | "origins">;

function applyChanges(tenant: Tenant, { name, retentionDays, limits, origins }: Changes): Tenant {
  const merged = Object.entries({ ...tenant.limits, ...limits }).filter(([, amount]) => amount !== null);
  return {
    ...tenant,
    name: name ?? tenant.name,
    retentionDays: retentionDays ?? tenant.retentionDays,
    origins: origins ?? tenant.origins,
    // The filter has removed the entries with null, so all remaining values are numbers.
    limits: merged.length === 0 ? null : (Object.fromEntries(merged) as OwnLimits),
  };
}

export type SuspendTenant = { readonly id: string; readonly reason: string; readonly dryRun: boolean };

/** Suspends a tenant. Idempotent: the instant and reason of the first suspension are kept. */
export function suspendTenant(deps: Deps, caller: Caller, input: SuspendTenant): Promise<Result<Tenant>> {
  return setSuspension(deps, caller, input, { at: deps.now(), reason: input.reason });
}

export function resumeTenant(deps: Deps, caller: Caller, input: SuspendTenant): Promise<Result<Tenant>> {
  return setSuspension(deps, caller, input, null);
}

async function setSuspension(
  deps: Deps,
  caller: Caller,
  { id, reason, dryRun }: SuspendTenant,
  suspension: { readonly at: number; readonly reason: string } | null,
): Promise<Result<Tenant>> {
  const root = requireRootFor(caller, id);
  if (!root.ok) return root;
  const tenant = await findTenant(deps.db, id);
  if (tenant === null) return refuse(noTenant(id));
  const isUnchanged = (tenant.suspendedAt !== null) === (suspension !== null);
  if (isUnchanged) return accept(tenant);
  if (!dryRun) {
    const verb = suspension === null ? "tenant.resume" : "tenant.suspend";
    await suspend(deps.db, id, suspension, auditRow(deps, { ...caller, tenant: id }, verb, id, reason));
    evictTenantSettings(id);
  }
  return accept({ ...tenant, suspendedAt: suspension?.at ?? null, suspendedReason: suspension?.reason ?? null });
}
