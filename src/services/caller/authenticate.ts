// Authentication: finds the caller and its scopes by a bearer key, checks scopes, and admits browsers by their origin.
import { findKey, findKeyByHash, type Key } from "#catalog/keys.ts";
import { findSessionByHash, type Session } from "#catalog/access/sessions.ts";
import { TOKEN_PREFIX } from "#policy/access/short-lived-token.ts";
import type { JsonObject } from "#schema/json.ts";
import { BEARER_CHARS_MAX } from "#schema/limits/api-requests.ts";
import { isolateCaches } from "#schema/limits/isolates/caches.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { type Caller, type Scope, scopes, type Deps } from "../deps.ts";
import { equalInConstantTime, sha256 } from "../hash.ts";
import { dropCached, putCached, openIsolateCache, peekCached, readCached } from "../isolate-cache.ts";
import { readShortLivedToken } from "./short-lived-tokens.ts";
import { tenantSettingsOf } from "../quotas/tenant-settings.ts";

/** Checks the scope that the endpoint table requires. */
export function requireScope(caller: Caller, scope: Scope | null): Result<null> {
  if (scope === null || caller.scopes.includes(scope)) return accept(null);
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

export const SESSION_PREFIX = "ess_";

/** A key that was found by its own secret, by that of a session, or by the id in a token. */
type Credential = { readonly key: Key; readonly session?: Session };

const keyCache = openIsolateCache<Credential | null>({
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
  if (bearer.startsWith(TOKEN_PREFIX)) return authenticateToken(deps, bearer);
  const load = bearer.startsWith(SESSION_PREFIX) ? findSessionByHash : findKeyCredential;
  const found = await lookUp(deps, hash, () => load(deps.db, hash));
  return found.ok ? callerOf(deps, found.value) : found;
}

/** Authenticates a token: its key must still be valid, and grants at most its own scopes. */
async function authenticateToken(deps: Deps, bearer: string): Promise<Result<Caller>> {
  const claim = await readShortLivedToken(deps, bearer);
  if (claim === null) return refuse(tokenInvalid);
  const { tenant, key: id, scopes: granted, until, execution } = claim;
  const load = async () => {
    const key = await findKey(deps.db, tenant, id);
    return key && { key };
  };
  const found = await lookUp(deps, `${tenant}\n${id}`, load);
  const caller = found.ok ? callerOf(deps, found.value) : found;
  if (!caller.ok) return caller;
  const both = caller.value.scopes.filter((scope) => granted.includes(scope));
  const restriction = execution === null ? {} : { execution };
  return accept({ ...caller.value, scopes: both, via: "token", expiresAt: until, ...restriction });
}

async function findKeyCredential(db: Deps["db"], hash: string): Promise<Credential | null> {
  const key = await findKeyByHash(db, hash);
  return key && { key };
}

/** The root key and its hash, which is computed once per isolate. */
let hashedRoot = { key: "", hash: "" };

async function rootHashOf(key: string): Promise<string> {
  if (hashedRoot.key !== key) hashedRoot = { key, hash: await sha256(key) };
  return hashedRoot.hash;
}

/** Evicts a revoked key from this isolate's cache. Other isolates accept the key until their entries expire. */
export function evictKey(id: string): void {
  dropCached(keyCache, (found) => found?.key.id === id);
}

/** Evicts an ended session, as `evictKey` evicts a key. */
export function evictSession(id: string): void {
  dropCached(keyCache, (found) => found?.session?.id === id);
}

async function lookUp(
  deps: Deps,
  hash: string,
  load: () => Promise<Credential | null>,
): Promise<Result<Credential | null>> {
  if (peekCached(unknownKeyCache, hash, deps.now())) return accept(null);
  try {
    const found = await readCached(keyCache, hash, deps.now, load);
    if (found === null) putCached(unknownKeyCache, hash, true, deps.now());
    return accept(found);
  } catch (cause) {
    deps.log({
      level: "error",
      message: "the catalog does not answer, so keys cannot be looked up",
      error: String(cause),
    });
    return refuse(keysUnavailable);
  }
}

function callerOf(deps: Deps, found: Credential | null): Result<Caller> {
  if (found === null) return refuse(keyInvalid);
  const { key, session } = found;
  if (key.revokedAt !== null) return refuse({ ...keyInvalid, message: "This key has been revoked." });
  if (key.expiresAt !== null && key.expiresAt <= deps.now())
    return refuse({ ...keyInvalid, message: "This key has expired." });
  if (session !== undefined && session.expiresAt <= deps.now()) return refuse(sessionExpired);
  const granted = scopes.filter((scope) => key.scopes.includes(scope));
  const person = key.actor === null ? {} : { person: key.actor };
  const ends = [key.expiresAt ?? Infinity, session?.expiresAt ?? Infinity].reduce((a, b) => Math.min(a, b));
  return accept({
    actor: { kind: "key", id: key.id, ...person },
    tenant: key.tenant,
    scopes: granted,
    ...(ends === Infinity ? {} : { expiresAt: ends }),
    ...(session === undefined ? {} : { via: "session", session: session.id }),
  });
}

const root: Caller = { actor: { kind: "root", id: "root" }, tenant: null, scopes };

const keyMissing = {
  code: "unauthenticated",
  message: "This request needs a key.",
  hint: "Send the header Authorization: Bearer <key>.",
} as const;

const sessionExpired = {
  code: "unauthenticated",
  message: "This session has expired.",
  hint: "Sign in again: POST /v1/sessions with an API key.",
} as const;

const tokenInvalid = {
  code: "unauthenticated",
  message: "This token is not valid, or it has expired.",
  hint: "Request a new token from your server: POST /v1/tokens with an API key.",
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
