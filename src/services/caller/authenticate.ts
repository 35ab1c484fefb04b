// Authentication: finds the caller and its scopes by a bearer key, checks scopes, and admits browsers by their origin.
import { findKeyByHash, type Key } from "#catalog/keys.ts";
import type { JsonObject } from "#schema/json.ts";
import { BEARER_CHARS_MAX } from "#schema/limits/api-requests.ts";
import { isolateCaches } from "#schema/limits/isolates/caches.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { type Caller, type Scope, scopes, type Deps } from "../deps.ts";
import { equalInConstantTime, sha256 } from "../hash.ts";
import { dropCached, putCached, openIsolateCache, peekCached, readCached } from "../isolate-cache.ts";
import { tenantSettingsOf } from "../quotas/tenant-settings.ts";

/** Checks the scope that the endpoint table requires. */
export function requireScope(caller: Caller, scope: Scope): Result<null> {
  if (caller.scopes.includes(scope)) return accept(null);
  return refuse({
    code: "scope_missing",
    message: `This request needs a key with the scope ${scope}; this key has ${caller.scopes.join(", ") || "none"}.`,
    hint: "No scope includes other scopes. Create a key that also has this scope.",
    details: { scope },
  });
}

/**
 * A retry with another config needs the scope write. The new config may name other secrets and send them to other
 * destinations.
 */
export function requireRetryScope(caller: Caller, config: JsonObject | null): Result<null> {
  if (config === null || caller.scopes.includes("write")) return accept(null);
  return refuse({
    code: "scope_missing",
    message: "A retry with another config also needs a key with the scope write.",
    hint: "Without config, the retry sends the same request again; variables may be changed.",
    errors: [{ pointer: "/config", code: "scope_missing", message: "needs the scope write" }],
    details: { scope: "write" },
  });
}

export function requireRoot(caller: Caller): Result<null> {
  if (caller.actor.kind === "root") return accept(null);
  return refuse({ code: "scope_missing", message: "Only the root key may do this." });
}

/**
 * Refuses every key except the root key. A key of another tenant gets not_found, so that it cannot learn whether the
 * tenant exists.
 */
export function requireRootFor(caller: Caller, tenant: string): Result<null> {
  if (caller.actor.kind === "root" || caller.tenant === tenant) return requireRoot(caller);
  return refuse({ code: "not_found", message: `There is no tenant "${tenant}".` });
}

const keyCache = openIsolateCache<Key | null>({
  sizeMax: isolateCaches.keys.sizeMax,
  freshMs: (key) => (key === null ? 0 : isolateCaches.keys.freshMs),
  staleMs: (key) => (key === null ? 0 : isolateCaches.keys.staleMs),
});
/**
 * Hashes of keys that do not exist. They have a cache of their own, so that a flood of invalid keys does not evict
 * valid keys.
 */
const unknownKeyCache = openIsolateCache<true>({
  sizeMax: isolateCaches.unknownKeys.sizeMax,
  freshMs: () => isolateCaches.unknownKeys.freshMs,
  staleMs: () => 0,
});

export async function authenticate(deps: Deps, bearer: string | null): Promise<Result<Caller>> {
  if (bearer === null || bearer === "") return refuse(keyMissing);
  if (bearer.length > BEARER_CHARS_MAX) return refuse(keyInvalid);
  const hash = await sha256(bearer);
  if (deps.rootKey !== "" && equalInConstantTime(hash, await rootHashOf(deps.rootKey))) return accept(root);
  const key = await lookUpKey(deps, hash);
  return key.ok ? callerOf(deps, key.value) : key;
}

/** The root key and its hash, which is computed once per isolate. */
let hashedRoot = { key: "", hash: "" };

async function rootHashOf(key: string): Promise<string> {
  if (hashedRoot.key !== key) hashedRoot = { key, hash: await sha256(key) };
  return hashedRoot.hash;
}

/** Evicts a revoked key from this isolate's cache. Other isolates accept the key until their entries expire. */
export function evictKey(hash: string): void {
  dropCached(keyCache, (_key, keyHash) => keyHash === hash);
}

async function lookUpKey(deps: Deps, hash: string): Promise<Result<Key | null>> {
  if (peekCached(unknownKeyCache, hash, deps.now())) return accept(null);
  try {
    const key = await readCached(keyCache, hash, deps.now, () => findKeyByHash(deps.db, hash));
    if (key === null) putCached(unknownKeyCache, hash, true, deps.now());
    return accept(key);
  } catch (cause) {
    deps.log({
      level: "error",
      message: "the catalog does not answer, so keys cannot be looked up",
      error: String(cause),
    });
    return refuse(keysUnavailable);
  }
}

function callerOf(deps: Deps, key: Key | null): Result<Caller> {
  if (key === null) return refuse(keyInvalid);
  if (key.revokedAt !== null) return refuse({ ...keyInvalid, message: "This key has been revoked." });
  if (key.expiresAt !== null && key.expiresAt <= deps.now())
    return refuse({ ...keyInvalid, message: "This key has expired." });
  const granted = scopes.filter((scope) => key.scopes.includes(scope));
  const person = key.actor === null ? {} : { person: key.actor };
  return accept({ actor: { kind: "key", id: key.id, ...person }, tenant: key.tenant, scopes: granted });
}

const root: Caller = { actor: { kind: "root", id: "root" }, tenant: null, scopes };

const keyMissing = {
  code: "unauthenticated",
  message: "This request needs a key.",
  hint: "Send the header Authorization: Bearer <key>.",
} as const;

const keyInvalid = { code: "unauthenticated", message: "This key does not exist." } as const;

const keysUnavailable = {
  code: "unavailable",
  message: "The catalog does not answer, so keys cannot be looked up.",
  hint: "Send the same request again in a moment.",
} as const;

export async function admitOrigin(deps: Deps, caller: Caller, origin: string): Promise<Result<null>> {
  const { tenant } = caller;
  if (tenant === null) return refuse(originNotAllowed(origin, "the root key must not be used in a browser"));
  const { origins } = await tenantSettingsOf(deps, tenant);
  if (origins === null) return refuse(originsUnavailable);
  if (origins.includes(origin)) return accept(null);
  return refuse(
    originNotAllowed(
      origin,
      `To allow the origin, call PATCH /v1/tenants/${tenant} with {"origins":[…]} and the root key.`,
    ),
  );
}

function originNotAllowed(origin: string, remedy: string) {
  const message = `Browsers may not call from the origin ${origin.slice(0, 200)}.`;
  return {
    code: "origin_not_allowed",
    message,
    hint: `${remedy[0]?.toUpperCase()}${remedy.slice(1)}.`,
    errors: [{ pointer: "Origin", code: "origin_not_allowed", message }],
  } as const;
}

const originsUnavailable = {
  code: "unavailable",
  message: "The catalog does not answer, so the tenant's allowed origins cannot be looked up.",
} as const;
