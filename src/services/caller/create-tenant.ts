// Opens a tenant. Only the root key may: a tenant cannot make its neighbours.
import { poolColumns } from "#catalog/pools/tenant-pools.ts";
import { insertTenant, type Tenant } from "#catalog/tenants.ts";
import { newPool } from "#policy/pools/layout.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { defaults } from "#schema/defaults.ts";
import { auditRow } from "../audit/record-audit.ts";
import type { Caller, Deps } from "../deps.ts";
import { rootOnly } from "./scopes.ts";

export type CreateTenant = {
  readonly id: string;
  readonly name: string;
  /** How long finished executions stay in lists. */
  readonly retentionDays: number | null;
  readonly dryRun: boolean;
};

export async function createTenant(deps: Deps, caller: Caller, input: CreateTenant): Promise<Result<Tenant>> {
  const root = rootOnly(caller);
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
  return refuse({ code: "already_exists", message: `There is a tenant "${id}" already.` });
}
