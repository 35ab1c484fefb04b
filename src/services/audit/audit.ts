// The audit log: builds, lists and purges its entries.
import { insertAudit, listAudit as list, type AuditFilters, purgeAudit as purge } from "#catalog/audit.ts";
import type { Page } from "#catalog/page.ts";
import type { AuditRow } from "#schema/engine/projection.ts";
import { timeOrderedId } from "#schema/ids.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { AUDIT_DETAIL_BYTES_MAX, AUDIT_KEPT_MS } from "#schema/limits/upkeep/retention.ts";
import type { Result } from "#schema/refusal.ts";
import type { Caller, Deps, TenantCaller } from "../deps.ts";

/** Stores one audit entry alone, for a change that writes nothing else to the catalog. */
export async function recordAudit(
  deps: Deps,
  caller: Caller,
  verb: string,
  target: string,
  reason: string | null = null,
): Promise<void> {
  await insertAudit(deps.db, auditRow(deps, caller, verb, target, reason));
}

/**
 * Builds an audit entry for the catalog batch of a change. The batch stores the change and the entry together, or
 * neither.
 */
export function auditRow(
  deps: Pick<Deps, "now" | "randomBytes">,
  caller: Caller,
  verb: string,
  target: string,
  reason: string | null = null,
  details: JsonObject | null = null,
): AuditRow {
  const at = deps.now();
  return {
    // Only the root key has no tenant. Its change concerns a tenant, whose id is `target`.
    tenant: caller.tenant ?? target,
    id: timeOrderedId("aud", at, deps.randomBytes(10)),
    at,
    actor: `${caller.actor.kind}:${caller.actor.id}`,
    verb,
    target,
    reason,
    details: details === null ? null : detailsText(details),
    person: caller.actor.person ?? null,
  };
}

/** Returns the details as JSON. Replaces fields that are too large by their size, because entries are kept for long. */
function detailsText(details: JsonObject): string {
  const fields = Object.entries(details).map(([name, value]) => {
    const size = bytesOf(value);
    return [name, size > AUDIT_DETAIL_BYTES_MAX ? { omittedBytes: size } : value];
  });
  return JSON.stringify(Object.fromEntries(fields));
}

function bytesOf(value: Json): number {
  return new TextEncoder().encode(JSON.stringify(value)).byteLength;
}

export type ListAudit = { readonly filters: AuditFilters; readonly cursor: string | null; readonly limit: number };

export async function listAudit(deps: Deps, caller: TenantCaller, input: ListAudit): Promise<Result<Page<AuditRow>>> {
  return list(deps.db, caller.tenant, input.filters, input.cursor, input.limit);
}

export async function purgeAudit({ db, now }: Pick<Deps, "db" | "now">, rowsMax: number): Promise<number> {
  return purge(db, now() - AUDIT_KEPT_MS, rowsMax);
}
