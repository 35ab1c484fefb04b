// API keys: creates, lists, revokes and presents them.
import { type Key, insertKey, listKeys as list, findKey, revokeKey as revoke } from "#catalog/keys.ts";
import { findSession } from "#catalog/access/sessions.ts";
import type { Page } from "#catalog/page.ts";
import { findTenant } from "#catalog/tenants.ts";
import { timeOrderedId } from "#schema/ids.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { auditRow } from "../audit/audit.ts";
import type { TenantCaller, Deps, Scope } from "../deps.ts";
import { sha256 } from "../hash.ts";
import { quotaFull, warnWhenNear } from "../quotas/stored-quota.ts";
import { evictKey } from "./authenticate.ts";

export type KeyView = Omit<Key, "hash" | "exactScopes">;

export function presentKey({ hash: _hash, exactScopes: _exact, ...rest }: Key): KeyView {
  return rest;
}

export const KEY_PREFIX = "esk_";
/**
 * The number of characters of a key that lists show. They are enough to distinguish keys and far too few to guess one.
 */
const PREFIX_SHOWN = KEY_PREFIX.length + 6;

export type CreateKey = {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: number | null;
  /** The person who uses the key. Null or absent: a service uses it. */
  readonly actor?: string | null;
  readonly dryRun: boolean;
};
/** `secret` is the whole key, which no later answer contains; null on a dry run. */
export type CreatedKey = { readonly key: KeyView; readonly secret: string | null };

export async function createKey(deps: Deps, caller: TenantCaller, input: CreateKey): Promise<Result<CreatedKey>> {
  const now = deps.now();
  if (input.expiresAt !== null && input.expiresAt <= now) return refuse(expired);
  if ((await findTenant(deps.db, caller.tenant)) === null) {
    return refuse({ code: "not_found", message: `There is no tenant "${caller.tenant}".` });
  }
  const secret = KEY_PREFIX + base64Url(deps.randomBytes(32));
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
    actor: input.actor ?? null,
    exactScopes: 1,
  };
  if (input.dryRun) return accept({ key: presentKey(row), secret: null });
  deps.answerWith?.({ key: presentKey(row), secret } satisfies CreatedKey);
  const { name, scopes, actor } = row;
  const details = { name, scopes, actor };
  const inserted = await insertKey(deps.db, row, auditRow(deps, caller, "key.create", row.id, null, details));
  if (!inserted.isMade) return refuse(quotaFull("keys", inserted));
  warnWhenNear(deps, caller.tenant, "keys", inserted);
  return accept({ key: presentKey(row), secret });
}

const expired = {
  code: "invalid_input",
  message: "The key's expiry is before its creation.",
  errors: [{ pointer: "/expiresAt", code: "in_the_past", message: "must be in the future" }],
} as const;

export function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

export type ListKeys = { readonly cursor: string | null; readonly limit: number };

export async function listKeys(deps: Deps, caller: TenantCaller, input: ListKeys): Promise<Result<Page<KeyView>>> {
  const page = await list(deps.db, caller.tenant, input.cursor, input.limit);
  return page.ok ? accept({ ...page.value, data: page.value.data.map(presentKey) }) : page;
}

export type RevokeKey = { readonly id: string; readonly reason: string | null; readonly dryRun: boolean };

/** Revokes a key. Idempotent: the instant of the first revocation is kept. */
export async function revokeKey(deps: Deps, caller: TenantCaller, input: RevokeKey): Promise<Result<KeyView>> {
  const key = await findKey(deps.db, caller.tenant, input.id);
  if (key === null) return refuse({ code: "not_found", message: `There is no key "${input.id}".` });
  if (key.revokedAt !== null) return accept(presentKey(key));
  const revokedAt = deps.now();
  if (!input.dryRun) {
    const audit = auditRow(deps, caller, "key.revoke", key.id, input.reason);
    await revoke(deps.db, caller.tenant, key.id, revokedAt, audit);
    evictKey(key.id);
  }
  return accept(presentKey({ ...key, revokedAt }));
}

export async function endedKeys(
  { db, now }: Pick<Deps, "db" | "now">,
  tenant: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  const found = await Promise.all(ids.map((id) => findCredential(db, tenant, id)));
  return ids.filter((_id, n) => {
    const key = found[n];
    return !key || key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now());
  });
}

/** Finds an API key, or the key of a session by the session's id. */
async function findCredential(db: Deps["db"], tenant: string, id: string): Promise<Key | null> {
  if (!id.startsWith("ses_")) return findKey(db, tenant, id);
  const session = await findSession(db, tenant, id);
  return session && findKey(db, tenant, session.key);
}
