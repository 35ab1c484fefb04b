// Hook tokens: makes and reads the token in a trigger's URL, and finds the token's trigger.
import { findTrigger, type StoredTrigger } from "#catalog/triggers.ts";
import { isEqual, utf8 } from "#policy/inbound/bytes.ts";
import { claimText, parseToken, tokenText, type TokenIds } from "#policy/inbound/token.ts";
import { isolateCaches } from "#schema/limits/isolates/caches.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { Deps } from "../deps.ts";
import { readCached, dropCached, openIsolateCache } from "../isolate-cache.ts";
import { withTimeLimit } from "../time-limit.ts";

type TokenDeps = Pick<Deps, "hookTokenSecrets">;

export async function makeToken(deps: TokenDeps, ids: TokenIds): Promise<Result<string>> {
  const [secret] = await deps.hookTokenSecrets();
  return secret === undefined ? refuse(keyMissing) : accept(tokenText(ids, await proofOf(secret, ids)));
}

/**
 * Returns the ids in the token. Returns null if this installation did not issue the token. Each of the installation's
 * keys is tried, so that older tokens stay valid while a key is replaced.
 */
export async function readToken(deps: TokenDeps, token: string): Promise<TokenIds | null> {
  const parsed = parseToken(token);
  if (parsed === null) return null;
  const secrets = await deps.hookTokenSecrets();
  const proofs = await Promise.all(secrets.map((secret) => proofOf(secret, parsed.ids)));
  return proofs.filter((proof) => isEqual(proof, parsed.proof)).length > 0 ? parsed.ids : null;
}

async function proofOf(secret: string, ids: TokenIds): Promise<Uint8Array> {
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", utf8(secret), hmac, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, utf8(claimText(ids))));
}

const keyMissing = {
  code: "not_configured",
  message: "This installation has no key for the addresses of triggers.",
  hint: "Set the Worker secret SIGNING_KEY (wrangler secret put SIGNING_KEY).",
} as const;

const triggerCache = openIsolateCache<StoredTrigger | null>({
  sizeMax: isolateCaches.triggers.sizeMax,
  freshMs: () => isolateCaches.triggers.freshMs,
  staleMs: (row) => (row === null ? 0 : isolateCaches.triggers.staleMs),
});

/** Finds the trigger. Returns null if it was deleted. Throws if the catalog does not answer and nothing is cached. */
export function findHook(
  deps: Pick<Deps, "db" | "now">,
  tenant: string,
  trigger: string,
): Promise<StoredTrigger | null> {
  const load = () => withTimeLimit(isolateCaches.triggers.lookMs, findTrigger(deps.db, tenant, trigger));
  return readCached(triggerCache, `${tenant}\n${trigger}`, deps.now, load);
}

/** Evicts the tenant's triggers from this isolate's cache after one was changed. */
export function evictTriggers(tenant: string): void {
  dropCached(triggerCache, (_row, key) => key.startsWith(`${tenant}\n`));
}
