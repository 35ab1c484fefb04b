// Runner tokens: an access token that a runner requests with the grant of its config or account, shared by all runs.
import type { ActionError } from "../engine/outcome.ts";
import type { TokenRequest } from "./oauth.ts";

type Failure = { readonly error: ActionError; readonly retryAfterMs?: number };

export type OwnGrant = {
  /** Everything that determines the token, except secrets. */
  readonly owner: readonly string[];
  /**
   * Secrets determine it, too: with another key, another client may use the same name. Only a digest of them is stored.
   */
  readonly secrets: readonly string[];
  /**
   * The origin of a chain of refresh tokens, the first of them included: there is one chain, whatever else is
   * requested.
   */
  readonly chain?: readonly string[];
  /** Created only if there is no token yet, because signing takes time. */
  readonly request: () => Promise<
    { readonly ok: true; readonly request: TokenRequest } | (Failure & { readonly ok: false })
  >;
};

export type TokenResult =
  | { readonly ok: true; readonly token: string }
  /** `heldUntil`: an operator must fix the account, and the run may wait for that. */
  | { readonly ok: false; readonly failure: Failure; readonly heldUntil?: number };

/**
 * `refused`: a token that the provider has just refused. null: no object stores tokens now; each caller requests its
 * own.
 */
export type OwnTokenPort = (grant: OwnGrant, refused: string | null) => Promise<TokenResult | null>;
