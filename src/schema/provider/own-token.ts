// Runner tokens: an access token that a runner requests with the grant of its config or account. All runs share it.
import type { ActionError } from "../engine/outcome.ts";
import type { TokenRequest } from "./oauth.ts";

type Failure = { readonly error: ActionError; readonly retryAfterMs?: number };

export type OwnGrant = {
  /** The values that identify the token, except secrets. */
  readonly owner: readonly string[];
  /**
   * The secrets that identify the token. With another key the same client name may mean another account. Only their
   * digest is stored.
   */
  readonly secrets: readonly string[];
  /** The first refresh token of a chain, and its account. There is one chain, whatever else the caller requests. */
  readonly chain?: readonly string[];
  /** Creates the token request. It is called only without a cached token, because signing takes time. */
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
 * Returns a token for the grant. `refused`: a token that the provider has just refused. Resolves to null if no object
 * can cache tokens; the caller then requests its own.
 */
export type OwnTokenPort = (grant: OwnGrant, refused: string | null) => Promise<TokenResult | null>;
