// Secret values for one attempt. An isolate caches encrypted rows, never values; and because a run must not fail with
// D1, a cached row is used for up to ten minutes.
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
      /** Those of them that are restricted to certain hosts. */
      readonly bounds: readonly BoundSecret[];
      /** When the newest of them was set, as far as known here. */
      readonly setAt: number;
    }
  | { readonly ok: false; readonly error: ActionError };

const seen = openIsolateCache<StoredSecret | null>({
  sizeMax: isolateCaches.secrets.sizeMax,
  // A missing secret is not cached: setting it takes effect at once.
  freshMs: (row) => (row === null ? 0 : isolateCaches.secrets.freshMs),
  staleMs: (row) => (row === null ? 0 : isolateCaches.secrets.staleMs),
});

/** For unauthenticated callers a missing secret is cached, too, because otherwise the duration would reveal it. */
const heard = openIsolateCache<StoredSecret | null>({
  sizeMax: isolateCaches.secrets.sizeMax,
  freshMs: () => isolateCaches.secrets.freshMs,
  staleMs: () => isolateCaches.secrets.staleMs,
});

type Names = readonly string[];

/** Missing names are left out: the caller reports all of them at once. */
export async function openSecrets(deps: SecretsDeps, tenant: string, names: Names): Promise<OpenedSecrets> {
  return openEach(deps, tenant, names, recentRow);
}

/** Uncached: for a result that will be used for longer than the cache lasts. */
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
 * For an unauthenticated request: an existing secret and a missing one cost the same, one lookup and one decryption.
 * null: there is none.
 */
export async function openForUnverified(deps: SecretsDeps, tenant: string, name: string): Promise<Stranger> {
  const ring = await openKeyring(deps.secretsKeys);
  if (!ring.ok) return unreadable(ring.refusal.message);
  const find: FindRow = () =>
    readCached(heard, memoryKey(tenant, name), deps.now, () =>
      withTimeLimit(isolateCaches.secrets.lookMs, findSecret(deps.db, tenant, name)),
    );
  const opened = await openSecret(deps, ring.value, { tenant, name }, find);
  if (opened !== null) return "ok" in opened ? opened : { ok: true, value: opened.value };
  await unseal(ring.value, aboutSecret(tenant, name), { keyId: ring.value.sealsWith, ...NOTHING_SEALED });
  return { ok: true, value: null };
}

type Stranger = { readonly ok: true; readonly value: string | null } | Failed;
/** As long as a key; it decrypts to nothing. */
const NOTHING_SEALED = { iv: btoa("\0".repeat(IV_BYTES)), ciphertext: btoa("\0".repeat(64)) } as const;

/** For the isolate in which it was set or deleted. */
export function forgetSecret(tenant: string, name: string): void {
  for (const cache of [seen, heard]) dropCached(cache, (_row, key) => key === memoryKey(tenant, name));
}

/** The ciphertext's associated data. Never changed, because decryption needs the same. */
export function aboutSecret(tenant: string, name: string): readonly string[] {
  return ["secret", tenant, name];
}

type Value = { readonly value: string; readonly hosts: readonly string[] | null; readonly setAt: number };
type Failed = Extract<OpenedSecrets, { ok: false }>;

async function openSecret(
  deps: SecretsDeps,
  ring: Keyring,
  { tenant, name }: { readonly tenant: string; readonly name: string },
  find: FindRow,
): Promise<Value | Failed | null> {
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
  const opened = await unseal(ring, aboutSecret(tenant, name), row);
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
      : `the stored secret ${name} was modified: set it again`,
  );
}

function recentRow(deps: SecretsDeps, tenant: string, name: string): Promise<StoredSecret | null> {
  const look = () => withTimeLimit(isolateCaches.secrets.lookMs, findSecret(deps.db, tenant, name));
  return readCached(seen, memoryKey(tenant, name), deps.now, look);
}

async function newestRow(deps: SecretsDeps, tenant: string, name: string): Promise<StoredSecret | null> {
  const askedAt = deps.now();
  try {
    const row = await withTimeLimit(isolateCaches.secrets.lookMs, findSecret(deps.db, tenant, name));
    putCached(seen, memoryKey(tenant, name), row, askedAt);
    return row;
  } catch {
    // Uses the cached row, or throws the same error again.
    return recentRow(deps, tenant, name);
  }
}

/** A fault of the installation, not the definition: it may be over at the next attempt. */
function unreadable(message: string): Failed {
  return { ok: false, error: { type: "service_unavailable", message, retryable: true, code: "secrets_unreadable" } };
}

function memoryKey(tenant: string, name: string): string {
  return `${tenant}\n${name}`;
}
