// Revokes a key for good. This isolate refuses it at once, others within the time they believe an answer.
import { findKey, revokeKey as revoke } from "#catalog/keys.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { auditRow } from "../audit/record-audit.ts";
import { forgetKey } from "./authenticate.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { presentKey, type KeyView } from "./key-view.ts";

export type RevokeKey = { readonly id: string; readonly reason: string | null; readonly dryRun: boolean };

/** Revoking twice is once: the first instant stays. */
export async function revokeKey(deps: Deps, caller: TenantCaller, input: RevokeKey): Promise<Result<KeyView>> {
  const key = await findKey(deps.db, caller.tenant, input.id);
  if (key === null) return refuse({ code: "not_found", message: `There is no key "${input.id}".` });
  if (key.revokedAt !== null) return accept(presentKey(key));
  const revokedAt = deps.now();
  if (!input.dryRun) {
    const audit = auditRow(deps, caller, "key.revoke", key.id, input.reason);
    await revoke(deps.db, caller.tenant, key.id, revokedAt, audit);
    forgetKey(key.hash);
  }
  return accept(presentKey({ ...key, revokedAt }));
}
