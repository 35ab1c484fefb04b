// The access token of a grant that the run brings along: that of an account's runner, or of a config that no connection
// stands for. Its request goes through the object sealed, so that one call is made for all, wherever they run.
import type { TokenAsk } from "#schema/gate.ts";
import type { OwnGrant, OwnTokenPort, TokenResult } from "#schema/provider/own-token.ts";
import { sha256 } from "../hash.ts";
import { keyedDigest } from "../secrets/sealing.ts";
import { answered, givenToken, holderName, type Given, type Holder, type TokenDeps } from "./given-token.ts";
import { sealGrant } from "./seal-token.ts";

type Wanted = Omit<TokenAsk, "refused">;

/** Another tenant, client, scope or secret is another object: nobody is given what somebody else could get. */
export function configTokens(deps: TokenDeps, tenant: string, given: Given): OwnTokenPort {
  const holders = new Map<string, Holder>();
  return async (grant, refused) => {
    const { secretsKeys } = deps;
    if (secretsKeys === null) return null;
    const whose = (await keyedDigest(secretsKeys, JSON.stringify([tenant, grant.owner, grant.secrets]))).slice(0, 32);
    // A chain's object must be found again when the Worker's keys have changed. Nobody guesses a refresh token.
    const chain = grant.chain && (await sha256(JSON.stringify([tenant, ...grant.chain]))).slice(0, 32);
    const connection = `tok_${chain ?? whose}`;
    const holder = holders.get(connection) ?? { tenant, connection, called: "the config", given, last: null };
    holders.set(connection, holder);
    if (chain === undefined) return ownToken(deps, holder, { key: whose }, grant, refused);
    return (await ownToken(deps, holder, { key: whose, chain }, grant, refused)) ?? unaskedChain;
  };
}

/** To a server that rotates, a refresh token that is used a second time is a stolen one: it takes back all that came of it. */
const unaskedChain: TokenResult = {
  ok: false,
  failure: {
    error: {
      type: "service_unavailable",
      code: "token_lost",
      message: "the object that keeps this config's rotating refresh token did not answer",
      retryable: true,
      effect: "none",
    },
  },
};

/** The same account's tokens are told apart by what is asked for. */
export async function accountToken(
  deps: TokenDeps,
  holder: Holder,
  grant: OwnGrant,
  asOf: number,
  refused: string | null,
): Promise<TokenResult | null> {
  const key = `own ${(await sha256(JSON.stringify(grant.owner))).slice(0, 16)}`;
  return ownToken(deps, holder, { key, asOf }, grant, refused);
}

/** null where nothing can be sealed, or the object does not answer: whoever asks can get a token itself. */
function ownToken(
  deps: TokenDeps,
  holder: Holder,
  wanted: Wanted,
  grant: OwnGrant,
  refused: string | null,
): Promise<TokenResult | null> {
  return givenToken(deps, holder, wanted, refused, async (ask) => {
    const made = await grant.request();
    if (!made.ok) return made;
    const sealed = await sealGrant(deps, holder, { request: made.request, bounds: holder.given.bounds });
    if (sealed === null) return null;
    return answered(deps, holder, () => deps.gate(holderName(holder)).ownToken([{ ...ask, grant: sealed }]));
  });
}
