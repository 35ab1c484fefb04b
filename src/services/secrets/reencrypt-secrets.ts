// Secret re-encryption: encrypts all secrets of older keys again under the keyring's first key, one page per call. The
// secrets keep their versions, because their values are unchanged. Idempotent; a secret that is set meanwhile is not
// overwritten.
import {
  countWithOtherKey,
  listWithOtherKey,
  replaceEncrypted,
  type ReencryptedSecret,
  type StoredSecret,
} from "#catalog/secrets.ts";
import type { AuditRow } from "#schema/engine/projection.ts";
import { accept, type Result } from "#schema/refusal.ts";
import { auditRow } from "../audit/audit.ts";
import type { Caller, Deps } from "../deps.ts";
import { secretScope } from "./open-secrets.ts";
import { IV_BYTES, openKeyring, seal, unseal, type Keyring } from "./sealing.ts";

export type ReencryptSecrets = { readonly cursor: string | null; readonly limit: number; readonly dryRun: boolean };

export type ReencryptResult = {
  /** The id of the keyring's first key, which encrypts. */
  readonly keyId: string;
  readonly reencrypted: number;
  /**
   * The number of secrets that are still encrypted under another key after this call. A dry run counts its page as
   * re-encrypted.
   */
  readonly remaining: number;
  /**
   * The secrets that no key of the keyring decrypts, because the key that encrypted them was removed. They stay
   * unchanged.
   */
  readonly unreadable: readonly { readonly tenant: string; readonly name: string; readonly keyId: string }[];
  readonly nextCursor: string | null;
};

/**
 * Re-encrypts one page of secrets. Without a tenant, the root key re-encrypts those of all tenants, because the keyring
 * belongs to the installation.
 */
export async function reencryptSecrets(
  deps: Deps,
  caller: Caller,
  { cursor, limit, dryRun }: ReencryptSecrets,
): Promise<Result<ReencryptResult>> {
  const ring = await openKeyring(deps.secretsKeys);
  if (!ring.ok) return ring;
  const keyId = ring.value.sealsWith;
  const page = await listWithOtherKey(deps.db, caller.tenant, keyId, cursor, limit);
  if (!page.ok) return page;
  const rows = await Promise.all(page.value.data.map((row) => reencrypt(deps, ring.value, row)));
  const resealed = rows.filter((row) => row !== null);
  const reencrypted =
    dryRun || resealed.length === 0
      ? resealed.length
      : await replaceEncrypted(deps.db, resealed, auditsOf(deps, caller, resealed, keyId));
  const counted = await countWithOtherKey(deps.db, caller.tenant, keyId);
  const unreadable = page.value.data
    .filter((_row, n) => rows[n] === null)
    .map(({ tenant, name, keyId: lost }) => ({ tenant, name, keyId: lost }));
  const remaining = dryRun ? counted - resealed.length : counted;
  return accept({ keyId, reencrypted, remaining, unreadable, nextCursor: page.value.nextCursor });
}

async function reencrypt(deps: Deps, ring: Keyring, row: StoredSecret): Promise<ReencryptedSecret | null> {
  const { tenant, name, version, keyId } = row;
  const about = secretScope(tenant, name);
  const opened = await unseal(ring, about, row);
  if (!opened.ok) return null;
  const sealed = await seal(ring, about, opened.text, deps.randomBytes(IV_BYTES));
  return { tenant, name, version, keyIdBefore: keyId, ...sealed };
}

/** Builds one audit entry for each tenant whose secrets were re-encrypted. */
function auditsOf(deps: Deps, caller: Caller, rows: readonly ReencryptedSecret[], keyId: string): readonly AuditRow[] {
  return [...new Set(rows.map(({ tenant }) => tenant))].map((tenant) => {
    const names = rows.filter((row) => row.tenant === tenant).map(({ name }) => name);
    const audit = auditRow(deps, { ...caller, tenant }, "secret.reencrypt", keyId);
    return { ...audit, details: JSON.stringify({ names }) };
  });
}
