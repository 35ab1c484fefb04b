// Secret opening: decrypts secrets for one attempt. An isolate caches encrypted rows, never decrypted values. A cached
// row is used for up to ten minutes while D1 does not answer, because a run must not fail with D1.
import { findSecret, type StoredSecret } from "#catalog/secrets.ts";
import type { BoundSecret } from "#schema/outgoing/bound-secret.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import { isolateCaches } from "#schema/limits/isolates/caches.ts";
import { catalogOutage } from "../catalog-outage.ts";
import type { Deps } from "../deps.ts";
import { dropCached, openIsolateCache, readCached, putCached } from "../isolate-cache.ts";
import { IV_BYTES, openKeyring, unseal, type Keyring } from "./sealing.ts";
import { withTimeLimit } from "../time-limit.ts";

export type SecretsDeps = Pick<Deps, "now" | "db" | "secretsKeys" | "log">;
export type OpenedSecrets =
  | {
      readonly ok: true;
      readonly values: { readonly [name: string]: string };
      /** Those of the secrets that may be sent only to certain hosts, with these hosts. */
      readonly bounds: readonly BoundSecret[];
      /** When the newest of the secrets was set, in epoch ms. A cached row may be older than the stored one. */
      readonly setAt: number;
    }
  | { readonly ok: false; readonly error: ActionError };

const secretCache = openIsolateCache<StoredSecret | null>({
  sizeMax: isolateCaches.secrets.sizeMax,
  // If a secret is missing, nothing is cached. So a secret that is set now takes effect immediately.
  freshMs: (row) => (row === null ? 0 : isolateCaches.secrets.freshMs),
  staleMs: (row) => (row === null ? 0 : isolateCaches.secrets.staleMs),
});

/**
 * Caches secrets for unauthenticated callers. Missing secrets are cached as well, because otherwise the response time
 * would reveal that a secret is missing.
 */
const unverifiedCache = openIsolateCache<StoredSecret | null>({
  sizeMax: isolateCaches.secrets.sizeMax,
  freshMs: () => isolateCaches.secrets.freshMs,
  staleMs: () => isolateCaches.secrets.staleMs,
});

type Names = readonly string[];

/**
 * Opens the secrets. The result does not contain names that are not set, so that the caller can report all missing
 * names in one error.
 */
export async function openSecrets(deps: SecretsDeps, tenant: string, names: Names): Promise<OpenedSecrets> {
  return openEach(deps, tenant, names, recentRow);
}

/** Opens the secrets without the cache, for a result that stays in use longer than the cache's entries. */
export async function openNewestSecrets(deps: SecretsDeps, tenant: string, names: Names): Promise<OpenedSecrets> {
  return openEach(deps, tenant, names, newestRow);
}

type FindRow = (deps: SecretsDeps, tenant: string, name: string) => Promise<StoredSecret | null>;

async function openEach(deps: SecretsDeps, tenant: string, names: Names, find: FindRow): Promise<OpenedSecrets> {
  if (names.length === 0) return { ok: true, values: {}, bounds: [], setAt: 0 };
  const ring = await openKeyring(deps.secretsKeys);
  if (!ring.ok) return unreadable(`${ring.refusal.message} ${ring.refusal.hint ?? ""}`.trim());
  const opened = await Promise.all(names.map((name) => openSecret(deps, ring.value, { tenant, name }, find)));
  const values: Record<string, string> = {};
  const bounds: BoundSecret[] = [];
  let setAt = 0;
  for (const [n, name] of names.entries()) {
    const each = opened[n];
    if (each === undefined || each === null) continue;
    if ("ok" in each) return each;
    values[name] = each.value;
    if (each.hosts !== null) bounds.push({ secret: name, hosts: each.hosts });
    setAt = Math.max(setAt, each.setAt);
  }
  return { ok: true, values, bounds, setAt };
}

/**
 * Opens a secret for an unauthenticated request. The value is null if the secret is not set. Whether it is set or not,
 * this makes one lookup and one decryption, so the response time reveals nothing.
 */
export async function openForUnverified(deps: SecretsDeps, tenant: string, name: string): Promise<UnverifiedSecret> {
  const ring = await openKeyring(deps.secretsKeys);
  if (!ring.ok) return unreadable(ring.refusal.message);
  const find: FindRow = () =>
    readCached(unverifiedCache, cacheKey(tenant, name), deps.now, () =>
      withTimeLimit(isolateCaches.secrets.lookMs, findSecret(deps.db, tenant, name)),
    );
  const opened = await openSecret(deps, ring.value, { tenant, name }, find);
  if (opened !== null) return "ok" in opened ? opened : { ok: true, value: opened.value };
  await unseal(ring.value, secretScope(tenant, name), { keyId: ring.value.sealsWith, ...NOTHING_SEALED });
  return { ok: true, value: null };
}

type UnverifiedSecret = { readonly ok: true; readonly value: string | null } | UnreadableSecret;
/** A ciphertext of a usual length, which is decrypted in place of a missing secret. Its decryption always fails. */
const NOTHING_SEALED = { iv: btoa("\0".repeat(IV_BYTES)), ciphertext: btoa("\0".repeat(64)) } as const;

/** Evicts a secret from this isolate's cache after it was set or deleted. */
export function evictSecret(tenant: string, name: string): void {
  for (const cache of [secretCache, unverifiedCache]) dropCached(cache, (_row, key) => key === cacheKey(tenant, name));
}

/**
 * Returns the associated data of a secret's ciphertext. It must never change, because decryption needs the same data as
 * encryption.
 */
export function secretScope(tenant: string, name: string): readonly string[] {
  return ["secret", tenant, name];
}

type OpenedSecret = { readonly value: string; readonly hosts: readonly string[] | null; readonly setAt: number };
type UnreadableSecret = Extract<OpenedSecrets, { ok: false }>;

async function openSecret(
  deps: SecretsDeps,
  ring: Keyring,
  { tenant, name }: { readonly tenant: string; readonly name: string },
  find: FindRow,
): Promise<OpenedSecret | UnreadableSecret | null> {
  let row: StoredSecret | null;
  try {
    row = await find(deps, tenant, name);
  } catch (cause) {
    deps.log({
      level: "error",
      message: "the catalog does not answer, so secrets cannot be looked up",
      tenant,
      name,
      error: String(cause),
    });
    return { ok: false, error: catalogOutage(cause, "the catalog does not answer, so secrets cannot be looked up") };
  }
  if (row === null) return null;
  const opened = await unseal(ring, secretScope(tenant, name), row);
  if (opened.ok) return { value: opened.text, hosts: row.hosts ?? null, setAt: row.updatedAt };
  deps.log({
    level: "error",
    message: "a secret cannot be decrypted",
    tenant,
    name,
    keyId: row.keyId,
    reason: opened.reason,
  });
  return unreadable(
    opened.reason === "key_missing"
      ? `the secret ${name} is encrypted with the key "${row.keyId}", which is not in SECRETS_KEYS: restore the key, or set the secret again`
      : `the stored secret ${name} was modified in the database: set the secret again`,
  );
}

function recentRow(deps: SecretsDeps, tenant: string, name: string): Promise<StoredSecret | null> {
  const load = () => withTimeLimit(isolateCaches.secrets.lookMs, findSecret(deps.db, tenant, name));
  return readCached(secretCache, cacheKey(tenant, name), deps.now, load);
}

async function newestRow(deps: SecretsDeps, tenant: string, name: string): Promise<StoredSecret | null> {
  const queriedAt = deps.now();
  try {
    const row = await withTimeLimit(isolateCaches.secrets.lookMs, findSecret(deps.db, tenant, name));
    putCached(secretCache, cacheKey(tenant, name), row, queriedAt);
    return row;
  } catch {
    // The query failed. recentRow returns the cached row. If nothing is cached, it queries again, which throws the
    // error to the caller.
    return recentRow(deps, tenant, name);
  }
}

/**
 * Returns the error of secrets that cannot be decrypted. The installation's keys are at fault and not the definition.
 * So a later attempt may succeed.
 */
function unreadable(message: string): UnreadableSecret {
  return { ok: false, error: { type: "service_unavailable", message, retryable: true, code: "secrets_unreadable" } };
}

function cacheKey(tenant: string, name: string): string {
  return `${tenant}\n${name}`;
}
