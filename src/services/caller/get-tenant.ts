// Reads one tenant: the root key any, everybody else their own.
import { findTenant, type Tenant } from "#catalog/tenants.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { Caller, Deps } from "../deps.ts";

export async function getTenant(deps: Deps, caller: Caller, input: { readonly id: string }): Promise<Result<Tenant>> {
  const isVisible = caller.actor.kind === "root" || caller.tenant === input.id;
  const tenant = isVisible ? await findTenant(deps.db, input.id) : null;
  return tenant === null ? refuse(noTenant(input.id)) : accept(tenant);
}

export function noTenant(id: string) {
  return { code: "not_found", message: `There is no tenant "${id}".` } as const;
}
