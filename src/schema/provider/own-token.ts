// Runner tokens: access tokens that a runner requests with a grant of a config or an account. All runs with the same
// grant share a token.
import type { ActionError } from "../engine/outcome.ts";
import type { TokenRequest } from "./oauth.ts";

type Failure = { readonly error: ActionError; readonly retryAfterMs?: number };

export type OwnGrant = {
  /** The values that identify the token and are not secret. */
  readonly owner: readonly string[];
  /**
   * The secrets that identify the token: the same client id with another secret may mean another account. Only a digest
   * of them is stored.
   */
  readonly secrets: readonly string[];
  /**
   * The first refresh token of a chain, and its account. They alone identify the chain; the other fields may differ.
   */
  readonly chain?: readonly string[];
  /** Makes the token request. It is called only if no token is cached, because signing a request takes time. */
  readonly request: () => Promise<
    { readonly ok: true; readonly request: TokenRequest } | (Failure & { readonly ok: false })
  >;
};

export type TokenResult =
  | { readonly ok: true; readonly token: string }
  /**
   * There is no token. `heldUntil`: an operator must fix the account, and until this time (epoch ms) the run may wait
   * for that.
   */
  | { readonly ok: false; readonly failure: Failure; readonly heldUntil?: number };

/**
 * Returns a token for the grant. `refused`: a token that the provider has just refused; null if there is none. Returns
 * null if no object can cache tokens. The caller then requests a token itself.
 */
export type OwnTokenPort = (grant: OwnGrant, refused: string | null) => Promise<TokenResult | null>;
