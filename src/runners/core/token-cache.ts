// Token cache: access tokens that runners request themselves, kept in this isolate until shortly before they expire. It
// only saves calls: an isolate without the token requests another one, and two concurrent requests both get a token.
import { TOKEN_EARLY_MS } from "#schema/limits/outgoing-calls.ts";
import { TOKENS_KEPT_MAX } from "#schema/limits/runners.ts";
import { base64url, sha256 } from "./bytes.ts";
import type { Failure } from "./classify.ts";
import type { RunnerContext } from "./runner.ts";

export type Token = { readonly ok: true; readonly token: string; readonly expiresInMs: number };
type Fetched = Token | (Failure & { readonly ok: false });

export type TokenMemory = Map<string, { readonly token: string; readonly until: number }>;

const isolate: TokenMemory = new Map();

/** `owner` names everything that determines the token, secrets too: only its digest is kept. */
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
  // A map keeps the order of insertion: the first is the oldest.
  const [oldest] = kept.keys();
  if (kept.size > TOKENS_KEPT_MAX && oldest !== undefined) kept.delete(oldest);
  return { ok: true, token: fetched.token };
}
