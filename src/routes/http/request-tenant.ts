// Request tenant: which tenant a request is about, and the refusal if it names another.
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { tenantId } from "#schema/values.ts";
import { getTenant } from "#services/caller/tenants.ts";
import type { Caller, Deps } from "#services/deps.ts";

/** The tenant comes from the credential. Only the root key, which has none, takes it from the request. */
export async function inTenant(
  deps: Deps,
  caller: Caller,
  named: string | null,
  isNeeded: boolean,
): Promise<Result<Caller>> {
  if (caller.tenant !== null)
    return named === null || named === caller.tenant ? accept(caller) : refuse(noSuchTenant(named));
  if (named === null) return isNeeded ? refuse(tenantMissing) : accept(caller);
  // A tenant that was never created has no retention and no keys: its data would never be deleted.
  const known = tenantId.safeParse(named).success ? await getTenant(deps, caller, { id: named }) : null;
  return known?.ok ? accept({ ...caller, tenant: named }) : refuse(noSuchTenant(named));
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
