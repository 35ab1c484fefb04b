// Who is calling? The root key from the Worker's secret, or a key that the catalog knows by its hash.
// Isolates remember keys: an execution does not wait for D1 to start, and a warm key outlives D1's bad minutes.
import { findKeyByHash, type Key } from "#catalog/keys.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { remembered } from "#schema/limits/isolates.ts";
import { limits } from "#schema/limits.ts";
import { scopes, type Caller, type Deps } from "../deps.ts";
import { equalInConstantTime, sha256 } from "../hash.ts";
import { drop, put, isolateCache, peek, cached } from "../isolate-cache.ts";

const keys = isolateCache<Key | null>({
  sizeMax: remembered.keys.sizeMax,
  freshMs: (key) => (key === null ? 0 : remembered.keys.freshMs),
  staleMs: (key) => (key === null ? 0 : remembered.keys.staleMs),
});
/** Apart from the others, so that a flood of made-up keys drives no real one out. */
const unknown = isolateCache<true>({
  sizeMax: remembered.unknownKeys.sizeMax,
  freshMs: () => remembered.unknownKeys.freshMs,
  staleMs: () => 0,
});

export async function authenticate(deps: Deps, bearer: string | null): Promise<Result<Caller>> {
  if (bearer === null || bearer === "") return refuse(missing);
  if (bearer.length > limits.bearerCharsMax) return refuse(invalid);
  const hash = await sha256(bearer);
  if (deps.rootKey !== "" && equalInConstantTime(hash, await rootHashOf(deps.rootKey))) return accept(root);
  const key = await lookUp(deps, hash);
  return key.ok ? callerOf(deps, key.value) : key;
}

/** The Worker's one secret, hashed once. */
let hashedRoot = { key: "", hash: "" };

async function rootHashOf(key: string): Promise<string> {
  if (hashedRoot.key !== key) hashedRoot = { key, hash: await sha256(key) };
  return hashedRoot.hash;
}

/** For the isolate in which the key was revoked. */
export function forgetKey(hash: string): void {
  drop(keys, (_key, held) => held === hash);
}

async function lookUp(deps: Deps, hash: string): Promise<Result<Key | null>> {
  if (peek(unknown, hash, deps.now())) return accept(null);
  try {
    const key = await cached(keys, hash, deps.now, () => findKeyByHash(deps.db, hash));
    if (key === null) put(unknown, hash, true, deps.now());
    return accept(key);
  } catch (cause) {
    deps.log({ level: "error", message: "keys cannot be looked up", error: String(cause) });
    return refuse(unavailable);
  }
}

function callerOf(deps: Deps, key: Key | null): Result<Caller> {
  if (key === null) return refuse(invalid);
  if (key.revokedAt !== null) return refuse({ ...invalid, message: "This key has been revoked." });
  if (key.expiresAt !== null && key.expiresAt <= deps.now())
    return refuse({ ...invalid, message: "This key has expired." });
  const granted = scopes.filter((scope) => key.scopes.includes(scope));
  return accept({ actor: { kind: "key", id: key.id }, tenant: key.tenant, scopes: granted });
}

const root: Caller = { actor: { kind: "root", id: "root" }, tenant: null, scopes };

const missing = {
  code: "unauthenticated",
  message: "This needs a key.",
  hint: "Send the header Authorization: Bearer <key>.",
} as const;

const invalid = { code: "unauthenticated", message: "This key is not known." } as const;

const unavailable = {
  code: "unavailable",
  message: "Keys cannot be looked up just now.",
  hint: "Send the same request again.",
} as const;
