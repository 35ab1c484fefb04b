// Makes an API key. The secret is in this answer and nowhere else: the catalog keeps its hash.
import { insertKey } from "#catalog/keys.ts";
import { findTenant } from "#catalog/tenants.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { auditRow } from "../audit/record-audit.ts";
import type { TenantCaller, Deps, Scope } from "../deps.ts";
import { sha256 } from "../hash.ts";
import { quotaFull, warnWhenNear } from "../quotas/kept-quota.ts";
import { presentKey, type KeyView } from "./key-view.ts";
import { timeOrderedId } from "#schema/ids.ts";

export const KEY_PREFIX = "esk_";
/** Enough to tell keys apart in a list, and nowhere near enough to guess one. */
const PREFIX_SHOWN = KEY_PREFIX.length + 6;

export type CreateKey = {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: number | null;
  readonly dryRun: boolean;
};
/** `secret` is null on a dry run. */
export type CreatedKey = { readonly key: KeyView; readonly secret: string | null };

export async function createKey(deps: Deps, caller: TenantCaller, input: CreateKey): Promise<Result<CreatedKey>> {
  const now = deps.now();
  if (input.expiresAt !== null && input.expiresAt <= now) return refuse(expired);
  if ((await findTenant(deps.db, caller.tenant)) === null) {
    return refuse({ code: "not_found", message: `There is no tenant "${caller.tenant}".` });
  }
  const secret = KEY_PREFIX + base64url(deps.randomBytes(32));
  const row = {
    tenant: caller.tenant,
    id: timeOrderedId("key", now, deps.randomBytes(10)),
    hash: await sha256(secret),
    prefix: secret.slice(0, PREFIX_SHOWN),
    name: input.name,
    scopes: input.scopes,
    createdAt: now,
    expiresAt: input.expiresAt,
    revokedAt: null,
  };
  if (input.dryRun) return accept({ key: presentKey(row), secret: null });
  deps.answerWith?.({ key: presentKey(row), secret } satisfies CreatedKey);
  const kept = await insertKey(deps.db, row, auditRow(deps, caller, "key.create", row.id));
  if (!kept.isMade) return refuse(quotaFull("keys", kept));
  warnWhenNear(deps, caller.tenant, "keys", kept);
  return accept({ key: presentKey(row), secret });
}

const expired = {
  code: "invalid_input",
  message: "The key would have expired before it was made.",
  errors: [{ pointer: "/expiresAt", code: "in_the_past", message: "must be in the future" }],
} as const;

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
