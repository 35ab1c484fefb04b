// A connection's access token as a run asks for it: got as the connection says, or with the grant of its provider's
// runner.
import type { StoredConnection } from "#catalog/connections.ts";
import type { OwnTokenPort, TokenResult } from "#schema/provider/own-token.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import { authKey, chainKey } from "./connection-auth.ts";
import { answered, givenToken, holderName, type Given, type Holder, type TokenDeps } from "./given-token.ts";
import { accountToken } from "./own-token.ts";

export type Failure = { readonly error: ActionError; readonly retryAfterMs?: number };
/** `refused` is a token that the provider has just refused: another one is got, once. */
export type AskToken = (refused: string | null) => Promise<TokenResult>;
type Credentials = { readonly values: { readonly [field: string]: string }; readonly setAt: number };

/** Each token that is opened is added to its `secrets`. A `check` wants to know now, whatever was refused before. */
export function tokenOf(
  deps: TokenDeps,
  row: StoredConnection,
  credentials: Credentials,
  given: Given,
  check = false,
): AskToken {
  const { auth } = row.settings;
  if (auth?.type === "bearer") return async (refused) => fixedToken(row, credentials.values.token ?? "", refused);
  if (auth?.type !== "oauth2") {
    const message = `the connection ${row.name} gives no tokens: its auth is not oauth2`;
    return async () => failure("invalid_configuration", message, "auth_mismatch");
  }
  const holder = holderOf(row, given);
  const gate = () => deps.gate(holderName(holder));
  return async (refused) => {
    const chain = await chainKey(auth.tokenEndpoint, row.settings.credentials);
    const wanted = { key: await authKey(row.settings), asOf: credentials.setAt, chain, ...(check ? { check } : {}) };
    const got = await givenToken(deps, holder, wanted, refused, (ask) =>
      answered(deps, holder, () => gate().token([ask])),
    );
    const lost = `the connection ${row.name} could not be asked for its token`;
    return got ?? failure("service_unavailable", lost, "token_lost");
  };
}

/** With the account's own grant, which its runner makes: the same object keeps its token. */
export function accountTokens(
  deps: TokenDeps,
  row: StoredConnection,
  { setAt }: Credentials,
  given: Given,
): OwnTokenPort {
  const holder = holderOf(row, given);
  return (grant, refused) => accountToken(deps, holder, grant, setAt, refused);
}

function holderOf({ tenant, id, name }: StoredConnection, given: Given): Holder {
  return { tenant, connection: id, called: name, given, last: null };
}

function fixedToken({ name }: StoredConnection, token: string, refused: string | null): TokenResult {
  if (refused === null) return { ok: true, token };
  return failure("authentication_failed", `the provider refused the token of the connection ${name}`, "token_refused");
}

function failure(type: string, message: string, code: string): TokenResult {
  return { ok: false, failure: { error: { type, message, retryable: type === "service_unavailable", code } } };
}
