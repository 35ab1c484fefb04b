// Token cache: caches access tokens in this isolate, and requests missing tokens from the objects of connections. A
// null answer means that the object did not answer, or that the installation has no encryption keys. The caller then
// decides whether the run fails or requests a token itself.
import { usableUntil } from "#policy/gates/token.ts";
import type { AccessTokenAnswer, AccessTokenRequest } from "#schema/gate.ts";
import { isolateCaches } from "#schema/limits/isolates/caches.ts";
import type { BoundSecret } from "#schema/outgoing/bound-secret.ts";
import type { TokenResult } from "#schema/provider/own-token.ts";
import type { Deps } from "../deps.ts";
import { openIsolateCache, peekCached, putCached } from "../isolate-cache.ts";
import { openToken } from "./seal-token.ts";

type GrantedToken = Extract<AccessTokenAnswer, { ok: true }>;
type CachedToken = { readonly answer: GrantedToken; readonly givenAt: number };

const tokenCache = openIsolateCache<CachedToken>({
  sizeMax: isolateCaches.tokens.sizeMax,
  freshMs: ({ answer, givenAt }) => Math.max(0, usableUntil(answer, givenAt) - givenAt),
  staleMs: () => 0,
});

export type TokenDeps = Pick<Deps, "now" | "randomBytes" | "gate" | "secretsKeys" | "log">;

/**
 * The secrets of a run. Each decrypted value is added to `secrets`. `bounds` contains the secrets that may be sent only
 * to certain hosts.
 */
export type TokenSecrets = { readonly secrets: string[]; readonly bounds: readonly BoundSecret[] };

export type TokenOwner = {
  readonly tenant: string;
  /** The connection's id. For a config without a connection, it is an id derived from the grant. */
  readonly connection: string;
  /** The name of the account in messages. For a config without a connection it is "the config". */
  readonly accountName: string;
  readonly runSecrets: TokenSecrets;
  /**
   * The last token that this run received; null if none. If a provider refuses the token, its serial number identifies
   * it.
   */
  last: { readonly serial: number; readonly token: string } | null;
};

/** A token request without the serial number of a refused token, which `tokenForRun` adds. */
export type TokenSelection = Omit<AccessTokenRequest, "refused">;

export type AskObject = (request: AccessTokenRequest) => Promise<AccessTokenAnswer | null>;

/**
 * Returns a token for one run. If the token cannot be decrypted, the object is asked once more. `refusedToken` is the
 * token that the provider has just refused.
 */
export async function tokenForRun(
  deps: TokenDeps,
  owner: TokenOwner,
  selection: TokenSelection,
  refusedToken: string | null,
  askObject: AskObject,
): Promise<TokenResult | null> {
  const request = (refusedSerial: number | null) =>
    tokenFromCache(tokenObjectName(owner), { ...selection, refused: refusedSerial }, deps.now, askObject);
  let answer = await request(refusedSerialOf(owner, refusedToken));
  let token = answer?.ok ? await openToken(deps, owner, answer.token) : null;
  // A removed key encrypted the answer's token. So the object is asked for another token, as if the provider had
  // refused this one.
  if (answer?.ok && token === null) {
    answer = await request(answer.serial);
    token = answer?.ok ? await openToken(deps, owner, answer.token) : null;
  }
  if (answer === null) return null;
  if (!answer.ok) return failedResult(answer);
  if (token === null) return undecryptable(owner);
  owner.runSecrets.secrets.push(token);
  owner.last = { serial: answer.serial, token };
  return { ok: true, token };
}

function refusedSerialOf({ last }: TokenOwner, refusedToken: string | null): number | null {
  return refusedToken !== null && last?.token === refusedToken ? last.serial : null;
}

/** Returns a cached token that no provider has refused, or asks the object for a token. */
async function tokenFromCache(
  objectName: string,
  request: AccessTokenRequest,
  now: () => number,
  askObject: AskObject,
): Promise<AccessTokenAnswer | null> {
  const { key: authDigest, refused: refusedSerial, asOf = 0 } = request;
  const cacheKey = `${objectName}\n${authDigest}\n${asOf}`;
  const cached = peekCached(tokenCache, cacheKey, now());
  if (cached !== null && (refusedSerial === null || refusedSerial < cached.answer.serial)) return cached.answer;
  const answer = await askObject(request);
  if (answer?.ok) putCached(tokenCache, cacheKey, { answer, givenAt: now() }, now());
  else tokenCache.entries.delete(cacheKey);
  return answer;
}

function failedResult({ error, retryAfterMs, heldUntil }: Extract<AccessTokenAnswer, { ok: false }>): TokenResult {
  const retryAfter = retryAfterMs === undefined ? {} : { retryAfterMs };
  return { ok: false, failure: { error, ...retryAfter }, ...(heldUntil === undefined ? {} : { heldUntil }) };
}

/** Returns the name of the object that caches the owner's tokens. */
export function tokenObjectName({ tenant, connection }: TokenOwner): string {
  return `${tenant}/${connection}`;
}

/**
 * Returns the object's answer. Returns null if the object does not answer, or if its version of the code lacks this
 * call.
 */
export async function firstAnswer(
  deps: TokenDeps,
  { connection }: TokenOwner,
  call: () => Promise<readonly AccessTokenAnswer[]>,
): Promise<AccessTokenAnswer | null> {
  try {
    const [answer] = await call();
    if (answer === undefined) throw new Error("an object must return an answer for every item");
    return answer;
  } catch (cause) {
    deps.log({ level: "error", event: "token_not_read", connection, message: String(cause) });
    return null;
  }
}

function undecryptable({ accountName }: TokenOwner): TokenResult {
  const message = `the token of ${accountName} cannot be decrypted`;
  const error = { type: "service_unavailable", message, retryable: true, code: "secrets_unreadable" };
  return { ok: false, failure: { error } };
}
