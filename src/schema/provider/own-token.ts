// Runner tokens: an access token that a runner requests with the grant of a config or an account. All runs with the
// same grant share the token.
import type { ActionError } from "../engine/outcome.ts";
import type { TokenRequest } from "./oauth.ts";

type Failure = { readonly error: ActionError; readonly retryAfterMs?: number };

export type OwnGrant = {
  /** The values that identify the token, without the secrets among them. */
  readonly owner: readonly string[];
  /**
   * The secrets that identify the token: the same client name with another secret may mean another account. Only a
   * digest of them is stored.
   */
  readonly secrets: readonly string[];
  /**
   * The first refresh token of a chain, and its account. They alone identify the chain, whatever else the caller
   * requests.
   */
  readonly chain?: readonly string[];
  /** Creates the token request. It is called only if no token is cached, because signing the request takes time. */
  readonly request: () => Promise<
    { readonly ok: true; readonly request: TokenRequest } | (Failure & { readonly ok: false })
  >;
};

export type TokenResult =
  | { readonly ok: true; readonly token: string }
  /**
   * There is no token. `heldUntil`: an operator must fix the account, and the run may be held until then (epoch ms).
   */
  | { readonly ok: false; readonly failure: Failure; readonly heldUntil?: number };

/**
 * Returns a token for the grant. `refused`: a token that the provider has just refused; null if there is none. Resolves
 * to null if no object can cache tokens. The caller then requests a token itself.
 */
export type OwnTokenPort = (grant: OwnGrant, refused: string | null) => Promise<TokenResult | null>;
