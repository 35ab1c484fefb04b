// The audit rows of what callers change in the catalog. What is done to executions comes by projection.
import { insertAudit } from "#catalog/audit.ts";
import type { AuditRow } from "#schema/engine/projection.ts";
import type { Caller, Deps } from "../deps.ts";
import { timeOrderedId } from "#schema/ids.ts";

/** For changes that have no statement of their own to go along with. */
export async function recordAudit(
  deps: Deps,
  caller: Caller,
  verb: string,
  target: string,
  reason: string | null = null,
): Promise<void> {
  await insertAudit(deps.db, auditRow(deps, caller, verb, target, reason));
}

/** For the same batch as the change: then neither is ever there without the other. */
export function auditRow(
  deps: Pick<Deps, "now" | "randomBytes">,
  caller: Caller,
  verb: string,
  target: string,
  reason: string | null = null,
): AuditRow {
  const at = deps.now();
  return {
    // Only the root key acts without a tenant, and then on tenants: the row is the tenant's own.
    tenant: caller.tenant ?? target,
    id: timeOrderedId("aud", at, deps.randomBytes(10)),
    at,
    actor: `${caller.actor.kind}:${caller.actor.id}`,
    verb,
    target,
    reason,
    details: null,
  };
}
