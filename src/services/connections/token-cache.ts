// Token cache: caches access tokens in this isolate, and requests missing tokens from the objects of connections.
import { usableUntil } from "#policy/gates/token.ts";
import type { AccessTokenAnswer, AccessTokenRequest } from "#schema/gate.ts";
import { isolateCaches } from "#schema/limits/isolates/caches.ts";
import type { BoundSecret } from "#schema/outgoing/bound-secret.ts";
import type { TokenResult, OwnGrant, OwnTokenPort } from "#schema/provider/own-token.ts";
import type { Deps } from "../deps.ts";
import { sha256 } from "../hash.ts";
import { openIsolateCache, peekCached, putCached } from "../isolate-cache.ts";
import { keyedDigest } from "../secrets/sealing.ts";
import { openToken, sealGrant } from "./seal-token.ts";

type GrantedToken = Extract<AccessTokenAnswer, { ok: true }>;
type CachedToken = { readonly answer: GrantedToken; readonly givenAt: number };

const tokenCache = openIsolateCache<CachedToken>({
  sizeMax: isolateCaches.tokens.sizeMax,
  freshMs: ({ answer, givenAt }) => Math.max(0, usableUntil(answer, givenAt) - givenAt),
  staleMs: () => 0,
});

/** Returns a cached token, or asks the object. `holder` is the name of the object. */
export async function tokenFromCache(
  holder: string,
  ask: AccessTokenRequest,
  now: () => number,
  askHolder: (ask: AccessTokenRequest) => Promise<AccessTokenAnswer | null>,
): Promise<AccessTokenAnswer | null> {
  const { key, refused, asOf = 0 } = ask;
  const name = `${holder}\n${key}\n${asOf}`;
  const cached = peekCached(tokenCache, name, now());
  if (cached !== null && (refused === null || refused < cached.answer.serial)) return cached.answer;
  const answer = await askHolder(ask);
  if (answer?.ok) putCached(tokenCache, name, { answer, givenAt: now() }, now());
  else tokenCache.entries.delete(name);
  return answer;
}

export type TokenDeps = Pick<Deps, "now" | "randomBytes" | "gate" | "secretsKeys" | "log">;

/**
 * The secrets of a run: each decrypted value is added to `secrets`; `bounds` contains the secrets that may be sent only
 * to certain hosts.
 */
export type TokenSecrets = { readonly secrets: string[]; readonly bounds: readonly BoundSecret[] };

export type TokenOwner = {
  readonly tenant: string;
  /** The connection's id; for tokens of a config without a connection, an id derived from the grant. */
  readonly connection: string;
  /** The account's name in messages, such as "the config". */
  readonly called: string;
  readonly runSecrets: TokenSecrets;
  /**
   * The last token that this run received; null if none. Its serial number identifies the token that a provider
   * refuses.
   */
  last: { readonly serial: number; readonly token: string } | null;
};

/** Asks an object for a token; null if the object could not be called. */
export type RequestFromObject = (ask: AccessTokenRequest) => Promise<AccessTokenAnswer | null>;

/**
 * Returns a token for one run; null if no object answered. `refused` is the token that the provider has just refused.
 */
export async function tokenForRun(
  deps: TokenDeps,
  holder: TokenOwner,
  wanted: Omit<AccessTokenRequest, "refused">,
  refused: string | null,
  askHolder: RequestFromObject,
): Promise<TokenResult | null> {
  const { last } = holder;
  const ask = (serial: number | null) =>
    tokenFromCache(tokenObjectName(holder), { ...wanted, refused: serial }, deps.now, askHolder);
  let answer = await ask(refused !== null && last?.token === refused ? last.serial : null);
  let token = answer?.ok ? await openToken(deps, holder, answer.token) : null;
  // The answer's token is encrypted with a removed key, so it is treated like a token that the provider refused.
  if (answer?.ok && token === null) {
    answer = await ask(answer.serial);
    token = answer?.ok ? await openToken(deps, holder, answer.token) : null;
  }
  if (answer === null) return null;
  if (!answer.ok) {
    const { error, retryAfterMs, heldUntil } = answer;
    const retryAfter = retryAfterMs === undefined ? {} : { retryAfterMs };
    return { ok: false, failure: { error, ...retryAfter }, ...(heldUntil === undefined ? {} : { heldUntil }) };
  }
  if (token === null) return undecryptable(holder);
  holder.runSecrets.secrets.push(token);
  holder.last = { serial: answer.serial, token };
  return { ok: true, token };
}

/** Returns the name of the object that caches the owner's tokens. */
export function tokenObjectName({ tenant, connection }: TokenOwner): string {
  return `${tenant}/${connection}`;
}

/** Returns the object's answer; null if the object does not answer, or runs code without this call. */
export async function firstAnswer(
  deps: TokenDeps,
  { connection }: TokenOwner,
  ask: () => Promise<readonly AccessTokenAnswer[]>,
): Promise<AccessTokenAnswer | null> {
  try {
    const [answer] = await ask();
    if (answer === undefined) throw new Error("an object returns an answer for every item");
    return answer;
  } catch (cause) {
    deps.log({ level: "error", event: "token_not_asked", connection, message: String(cause) });
    return null;
  }
}

function undecryptable({ called }: TokenOwner): TokenResult {
  const message = `the token of ${called} cannot be decrypted`;
  const error = { type: "service_unavailable", message, retryable: true, code: "secrets_unreadable" };
  return { ok: false, failure: { error } };
}

type TokenSelection = Omit<AccessTokenRequest, "refused">;

/**
 * Opens the tokens of configs without a connection. Another tenant, client, scope or secret uses another object, so no
 * run gets a token for other credentials.
 */
export function openConfigTokens(deps: TokenDeps, tenant: string, runSecrets: TokenSecrets): OwnTokenPort {
  const holders = new Map<string, TokenOwner>();
  return async (grant, refused) => {
    const { secretsKeys } = deps;
    if (secretsKeys === null) return null;
    const keyDigest = (await keyedDigest(secretsKeys, JSON.stringify([tenant, grant.owner, grant.secrets]))).slice(
      0,
      32,
    );
    // A chain's object must be found again after the Worker's keys change, so its name is a plain digest without these
    // keys. The name reveals nothing, because a refresh token cannot be guessed.
    const chain = grant.chain && (await sha256(JSON.stringify([tenant, ...grant.chain]))).slice(0, 32);
    const connection = `tok_${chain ?? keyDigest}`;
    const holder = holders.get(connection) ?? { tenant, connection, called: "the config", runSecrets, last: null };
    holders.set(connection, holder);
    if (chain === undefined) return ownToken(deps, holder, { key: keyDigest }, grant, refused);
    return (await ownToken(deps, holder, { key: keyDigest, chain }, grant, refused)) ?? chainUnreachable;
  };
}

/**
 * A run must not request the token itself here: a server that rotates treats a reused refresh token as stolen, and
 * revokes all tokens derived from it.
 */
const chainUnreachable: TokenResult = {
  ok: false,
  failure: {
    error: {
      type: "service_unavailable",
      code: "token_lost",
      message: "the object that stores this config's rotating refresh token did not answer",
      retryable: true,
      effect: "none",
    },
  },
};

/** Returns a token for an account's own grant. The grant's digest distinguishes the tokens of one account. */
export async function accountToken(
  deps: TokenDeps,
  holder: TokenOwner,
  grant: OwnGrant,
  asOf: number,
  refused: string | null,
): Promise<TokenResult | null> {
  const key = `own ${(await sha256(JSON.stringify(grant.owner))).slice(0, 16)}`;
  return ownToken(deps, holder, { key, asOf }, grant, refused);
}

/**
 * Returns a token for a grant that the runner makes itself; null if encryption is not available, or if the object does
 * not answer. The run then requests a token itself.
 */
function ownToken(
  deps: TokenDeps,
  holder: TokenOwner,
  wanted: TokenSelection,
  grant: OwnGrant,
  refused: string | null,
): Promise<TokenResult | null> {
  return tokenForRun(deps, holder, wanted, refused, async (ask) => {
    const tokenRequest = await grant.request();
    if (!tokenRequest.ok) return tokenRequest;
    const sealed = await sealGrant(deps, holder, { request: tokenRequest.request, bounds: holder.runSecrets.bounds });
    if (sealed === null) return null;
    return firstAnswer(deps, holder, () => deps.gate(tokenObjectName(holder)).ownToken([{ ...ask, grant: sealed }]));
  });
}
