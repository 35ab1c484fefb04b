// Request tenant: decides which tenant a request concerns, and refuses a tenant to which the key does not belong.
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { tenantId } from "#schema/values.ts";
import { getTenant } from "#services/caller/tenants.ts";
import type { Caller, Deps } from "#services/deps.ts";

/** Returns the tenant of the key. The root key has no tenant, so the tenant that its request names is used. */
export async function resolveTenant(
  deps: Deps,
  caller: Caller,
  named: string | null,
  isNeeded: boolean,
): Promise<Result<Caller>> {
  if (caller.tenant !== null)
    return named === null || named === caller.tenant ? accept(caller) : refuse(noSuchTenant(named));
  if (named === null) return isNeeded ? refuse(tenantMissing) : accept(caller);
  // The root key may name a tenant that does not exist. Data stored for such a tenant would never be deleted, so the
  // request is refused.
  const found = tenantId.safeParse(named).success ? await getTenant(deps, caller, { id: named }) : null;
  return found?.ok ? accept({ ...caller, tenant: named }) : refuse(noSuchTenant(named));
}

function noSuchTenant(named: string) {
  return { code: "not_found", message: `This key has no tenant ${named.slice(0, 63)}.` } as const;
}

const tenantMissing = {
  code: "invalid_input",
  message: "The root key belongs to no tenant, so the request must name one.",
  hint: "Send the header X-Tenant: <tenant id>, or use a key of that tenant.",
  errors: [{ pointer: "X-Tenant", code: "required", message: "is missing" }],
} as const;
