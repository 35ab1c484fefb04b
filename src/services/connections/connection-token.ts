// A connection's access token as a run asks for it: the object keeps it sealed, and here it is opened.
import type { StoredConnection } from "#catalog/connections.ts";
import type { TokenAnswer } from "#schema/gate.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import { authKey } from "./connection-auth.ts";
import type { Deps } from "../deps.ts";
import { openToken } from "./seal-token.ts";

export type Failure = { readonly error: ActionError; readonly retryAfterMs?: number };
type Token = { readonly ok: true; readonly token: string } | { readonly ok: false; readonly failure: Failure };
/** `refused` is a token that the provider has just refused: another one is got, once. */
export type AskToken = (refused: string | null) => Promise<Token>;

type TokenDeps = Pick<Deps, "gate" | "secretsKeys" | "log">;

/** Each token that is opened is added to `secrets`. */
export function tokenOf(
  deps: TokenDeps,
  row: StoredConnection,
  credentials: { readonly [field: string]: string },
  secrets: string[],
): AskToken {
  const { auth } = row.settings;
  if (auth?.type === "bearer") return async (refused) => fixedToken(row, credentials.token ?? "", refused);
  if (auth?.type !== "oauth2") {
    const message = `the connection ${row.name} gives no tokens: its auth is not oauth2`;
    return async () => failure("invalid_configuration", message, "auth_mismatch");
  }
  let last: { readonly serial: number; readonly token: string } | null = null;
  return async (refused) => {
    let answer = await askObject(deps, row, refused !== null && last?.token === refused ? last.serial : null);
    let token = answer.ok ? await opened(deps, row, answer.token) : null;
    // Sealed with a key that has gone since: as good as refused.
    if (answer.ok && token === null) {
      answer = await askObject(deps, row, answer.serial);
      token = answer.ok ? await opened(deps, row, answer.token) : null;
    }
    if (!answer.ok) return { ok: false, failure: answer };
    if (token === null)
      return failure("service_unavailable", `the token of ${row.name} does not open`, "secrets_unreadable");
    secrets.push(token);
    last = { serial: answer.serial, token };
    return { ok: true, token };
  };
}

function fixedToken({ name }: StoredConnection, token: string, refused: string | null): Token {
  if (refused === null) return { ok: true, token };
  return failure("authentication_failed", `the provider refused the token of the connection ${name}`, "token_refused");
}

function opened(deps: TokenDeps, { tenant, id }: StoredConnection, sealed: string): Promise<string | null> {
  return openToken(deps, { tenant, connection: id }, sealed);
}

async function askObject(deps: TokenDeps, row: StoredConnection, refused: number | null): Promise<TokenAnswer> {
  try {
    const [answer] = await deps.gate(`${row.tenant}/${row.id}`).token([{ key: await authKey(row.settings), refused }]);
    if (answer === undefined) throw new Error("an object answers every question");
    return answer;
  } catch (cause) {
    deps.log({ level: "error", event: "token_not_asked", connection: row.id, message: String(cause) });
    const message = `the connection ${row.name} could not be asked for its token`;
    return { ok: false, error: { type: "service_unavailable", message, retryable: true, code: "token_lost" } };
  }
}

function failure(type: string, message: string, code: string): Token {
  return { ok: false, failure: { error: { type, message, retryable: type === "service_unavailable", code } } };
}
