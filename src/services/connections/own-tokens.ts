// Own tokens: access tokens for grants that a runner makes itself, either for an account or for a config without a
// connection. The objects of connections cache these tokens.
import type { OwnGrant, OwnTokenPort, TokenResult } from "#schema/provider/own-token.ts";
import { sha256 } from "../hash.ts";
import { keyedDigest } from "../secrets/sealing.ts";
import { sealGrant } from "./seal-token.ts";
import {
  firstAnswer,
  tokenForRun,
  tokenObjectName,
  type TokenDeps,
  type TokenOwner,
  type TokenSecrets,
  type TokenSelection,
} from "./token-cache.ts";

/**
 * The number of hexadecimal digits that names and keys take from a digest: 32 digits are 128 bits. Within one account,
 * half of them are enough.
 */
const DIGEST_DIGITS = 32;
const ACCOUNT_DIGEST_DIGITS = 16;

/**
 * Opens the tokens of configs without a connection. Each combination of tenant, client, scope and secret has an object
 * of its own, so no run gets a token for other credentials.
 */
export function openConfigTokens(deps: TokenDeps, tenant: string, runSecrets: TokenSecrets): OwnTokenPort {
  const owners = new Map<string, TokenOwner>();
  return async (grant, refusedToken) => {
    const { secretsKeys } = deps;
    if (secretsKeys === null) return null;
    const credentials = JSON.stringify([tenant, grant.owner, grant.secrets]);
    const credentialsDigest = (await keyedDigest(secretsKeys, credentials)).slice(0, DIGEST_DIGITS);
    // A chain's object must still be found after the Worker's keys were replaced. So its name is a plain digest,
    // without these keys. The digest reveals nothing, because a refresh token cannot be guessed.
    const chain = grant.chain && (await sha256(JSON.stringify([tenant, ...grant.chain]))).slice(0, DIGEST_DIGITS);
    const connection = `tok_${chain ?? credentialsDigest}`;
    const owner = owners.get(connection) ?? { tenant, connection, accountName: "the config", runSecrets, last: null };
    owners.set(connection, owner);
    if (chain === undefined) return ownToken(deps, owner, { key: credentialsDigest }, grant, refusedToken);
    return (await ownToken(deps, owner, { key: credentialsDigest, chain }, grant, refusedToken)) ?? chainUnreachable;
  };
}

/**
 * The run does not request a token itself. A server that rotates refresh tokens treats a reused refresh token as
 * stolen, and revokes all tokens derived from it.
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

/** Returns a token for an account's own grant. A digest of the grant distinguishes the tokens of one account. */
export async function accountToken(
  deps: TokenDeps,
  owner: TokenOwner,
  grant: OwnGrant,
  asOf: number,
  refusedToken: string | null,
): Promise<TokenResult | null> {
  const key = `own ${(await sha256(JSON.stringify(grant.owner))).slice(0, ACCOUNT_DIGEST_DIGITS)}`;
  return ownToken(deps, owner, { key, asOf }, grant, refusedToken);
}

/** Returns a token for a grant that the runner makes itself. If it returns null, the run requests a token itself. */
function ownToken(
  deps: TokenDeps,
  owner: TokenOwner,
  selection: TokenSelection,
  grant: OwnGrant,
  refusedToken: string | null,
): Promise<TokenResult | null> {
  return tokenForRun(deps, owner, selection, refusedToken, async (request) => {
    const tokenRequest = await grant.request();
    if (!tokenRequest.ok) return tokenRequest;
    const sealed = await sealGrant(deps, owner, { request: tokenRequest.request, bounds: owner.runSecrets.bounds });
    if (sealed === null) return null;
    return firstAnswer(deps, owner, () => deps.gate(tokenObjectName(owner)).ownToken([{ ...request, grant: sealed }]));
  });
}
