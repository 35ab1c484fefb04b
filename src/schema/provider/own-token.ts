// An access token that a runner asks for with what its config or its account holds, and who gets it once for all.
import type { ActionError } from "../engine/outcome.ts";
import type { TokenRequest } from "./oauth.ts";

type Failure = { readonly error: ActionError; readonly retryAfterMs?: number };

export type OwnGrant = {
  /** All that decides which token it is, but for secrets. */
  readonly owner: readonly string[];
  /** They decide, too: with another key, another client may call itself the same. No more than a digest of them is kept. */
  readonly secrets: readonly string[];
  /** What a chain of refresh tokens hangs on, the first of them included: whatever else is asked for, there is one chain. */
  readonly chain?: readonly string[];
  /** Made only where there is no token yet: signing takes a while. */
  readonly request: () => Promise<
    { readonly ok: true; readonly request: TokenRequest } | (Failure & { readonly ok: false })
  >;
};

export type TokenResult =
  | { readonly ok: true; readonly token: string }
  /** `heldUntil`: a person has to mend the account, and the work may wait for that. */
  | { readonly ok: false; readonly failure: Failure; readonly heldUntil?: number };

/** `refused` is a token that the provider has just refused. null: nobody keeps tokens just now; each gets its own. */
export type OwnTokenPort = (grant: OwnGrant, refused: string | null) => Promise<TokenResult | null>;
