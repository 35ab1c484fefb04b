// Token cache: keeps the access tokens that this isolate requests until shortly before they expire. The cache only
// saves requests: another isolate, or a concurrent run, may request a second token.
import { TOKENS_CACHED_MAX } from "#schema/limits/isolates/compiled-caches.ts";
import { TOKEN_EARLY_MS } from "#schema/limits/outgoing/tokens.ts";
import { base64url, sha256 } from "./bytes.ts";
import type { Failure } from "./classify.ts";
import type { RunnerContext } from "./runner.ts";

export type Token = { readonly ok: true; readonly token: string; readonly expiresInMs: number };
type Fetched = Token | (Failure & { readonly ok: false });

export type TokenMemory = Map<string, { readonly token: string; readonly until: number }>;

const isolate: TokenMemory = new Map();

/**
 * Returns a cached or new token. `owner` lists everything that determines the token, including secrets. The cache
 * stores only the digest of `owner`.
 */
export async function cachedToken(
  owner: readonly string[],
  refused: string | null,
  { now, tokens: kept = isolate }: Pick<RunnerContext, "now" | "tokens">,
  fetchToken: () => Promise<Fetched>,
): Promise<{ readonly ok: true; readonly token: string } | (Failure & { readonly ok: false })> {
  const key = base64url(await sha256(JSON.stringify(owner)));
  const found = kept.get(key);
  if (found !== undefined && found.token !== refused && found.until > now()) return { ok: true, token: found.token };
  const fetched = await fetchToken();
  if (!fetched.ok) return fetched;
  kept.delete(key);
  kept.set(key, { token: fetched.token, until: now() + fetched.expiresInMs - TOKEN_EARLY_MS });
  // A Map keeps the order of insertion, so its first key belongs to the oldest token.
  const [oldest] = kept.keys();
  if (kept.size > TOKENS_CACHED_MAX && oldest !== undefined) kept.delete(oldest);
  return { ok: true, token: fetched.token };
}
