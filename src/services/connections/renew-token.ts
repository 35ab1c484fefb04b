// Gets an OAuth2 access token (RFC 6749): called by a connection's object, which sees to it that this happens once.
// What the object keeps goes back to it sealed, the refresh token together with what it descends from.
import { findConnection, type StoredConnection } from "#catalog/connections.ts";
import type { ConnectionAuth } from "#schema/connection.ts";
import type { RenewAsk, Renewed } from "#schema/gate.ts";
import { tokenGrantOf, tokenRefusalOf } from "#schema/provider/oauth.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import { ACCOUNT_TIMEOUT_MS, SAID_CHARS_MAX } from "#schema/limits/runners.ts";
import { defaults } from "#schema/defaults.ts";
import { basic } from "./connection-auth.ts";
import { openCredentials } from "./connection-credentials.ts";
import type { Deps } from "../deps.ts";
import { sha256 } from "../hash.ts";
import { openToken, sealToken } from "./seal-token.ts";

export type RenewDeps = Pick<Deps, "now" | "randomBytes" | "db" | "secretsKeys" | "callOut" | "log">;

type OAuth2 = Extract<ConnectionAuth, { type: "oauth2" }>;
type Credentials = { readonly [field: string]: string };
type Failed = Extract<Renewed, { ok: false }>;

export async function renewToken(deps: RenewDeps, { tenant, connection, refresh }: RenewAsk): Promise<Renewed> {
  const row = await findConnection(deps.db, tenant, connection);
  const auth = row?.settings.auth;
  if (row === null || auth?.type !== "oauth2")
    return failed("invalid_configuration", "there is no such OAuth2 connection", "auth_missing");
  const credentials = await openCredentials(deps, row);
  if (!credentials.ok) return { ok: false, error: credentials.error };
  const about = { tenant, connection };
  const current = await currentRefresh(deps, about, refresh, credentials.values.refreshToken ?? "");
  const answer = await deps.callOut({ ...callOf(auth, credentials.values, current.token), bounds: credentials.bounds });
  if (!answer.ok) return understood(row, answer, current.token);
  const told = tokenGrantOf(answer.data);
  if (told === null)
    return failed(
      "authentication_failed",
      `the token endpoint of ${row.name} answered without an access_token`,
      "token_answer_invalid",
    );
  const token = await sealToken(deps, about, told.accessToken);
  const rotated =
    told.refreshToken === null ? null : JSON.stringify({ token: told.refreshToken, origin: current.origin });
  const kept = rotated === null ? null : await sealToken(deps, about, rotated);
  if (token === null || (rotated !== null && kept === null)) {
    return failed(
      "service_unavailable",
      "tokens cannot be kept: this installation has no SECRETS_KEYS",
      "secrets_unreadable",
      true,
    );
  }
  const lifeMs = told.expiresInMs !== null && told.expiresInMs > 0 ? told.expiresInMs : defaults.tokenLifeMs;
  return { ok: true, token, refresh: kept, expiresAt: deps.now() + lifeMs };
}

/** A rotated refresh token goes over the secret's, until somebody sets that secret anew: then the chain begins again. */
async function currentRefresh(
  deps: RenewDeps,
  about: { readonly tenant: string; readonly connection: string },
  sealed: string | null,
  secret: string,
): Promise<{ readonly token: string; readonly origin: string }> {
  const origin = (await sha256(secret)).slice(0, 16);
  const text = sealed === null ? null : await openToken(deps, about, sealed);
  const rotated = text === null ? null : (JSON.parse(text) as { token: string; origin: string }); // sealed by us
  return rotated?.origin === origin ? { token: rotated.token, origin } : { token: secret, origin };
}

function callOf(auth: OAuth2, credentials: Credentials, refreshToken: string) {
  const { clientId = "", clientSecret = "" } = credentials;
  const form = new URLSearchParams({ grant_type: auth.grant });
  if (auth.grant === "refresh_token") form.set("refresh_token", refreshToken);
  if (auth.scopes !== undefined && auth.scopes.length > 0) form.set("scope", auth.scopes.join(" "));
  if (auth.audience !== undefined) form.set("audience", auth.audience);
  const inBody = auth.clientAuth === "body";
  if (inBody) {
    form.set("client_id", clientId);
    form.set("client_secret", clientSecret);
  }
  // RFC 6749, 2.3.1: both are form-encoded before they are joined.
  const header = inBody ? {} : { Authorization: basic(encodeURIComponent(clientId), encodeURIComponent(clientSecret)) };
  return {
    method: "POST",
    url: auth.tokenEndpoint,
    headers: { "Content-Type": "application/x-www-form-urlencoded", Accept: "application/json", ...header },
    body: form.toString(),
    timeoutMs: ACCOUNT_TIMEOUT_MS,
    // Not the refresh token: many providers answer with the same one, and that answer is needed whole.
    secrets: [clientSecret],
  };
}

type Refused = Extract<Awaited<ReturnType<Deps["callOut"]>>, { ok: false }>;

/** 400 and 401 say that the credentials or the grant are wrong: no repetition helps. What may pass is tried again. */
function understood(
  row: StoredConnection,
  { status, data, error, retryAfterMs }: Refused,
  refreshToken: string,
): Failed {
  const { code, said: all } = tokenRefusalOf(data);
  const words = all.slice(0, SAID_CHARS_MAX);
  const said = refreshToken === "" ? words : words.replaceAll(refreshToken, "[redacted]");
  const what = `the token endpoint of ${row.name}`;
  if (status === 400 || status === 401 || status === 403) {
    const why = said === "" ? `answered ${status}` : `refused: ${said}`;
    return failed("authentication_failed", `${what} ${why}`, codeOf(code) ?? `http_${status}`);
  }
  const later = retryAfterMs === undefined ? {} : { retryAfterMs };
  if (error.type === "rate_limit")
    return { ...failed("rate_limit", `${what}: ${error.message}`, `http_${status}`, true), ...later };
  if (status === null || status >= 500 || status === 408) {
    // An address that the guard refuses is wrong for good.
    if (!error.retryable) return failed(error.type, `${what}: ${error.message}`, error.code ?? "refused");
    return {
      ...failed("service_unavailable", `${what}: ${error.message}`, "token_endpoint_unavailable", true),
      ...later,
    };
  }
  return failed("invalid_configuration", `${what}: ${error.message}`, `http_${status}`);
}

/** RFC 6749 lists them (invalid_client, invalid_grant); what looks otherwise may be anything. */
function codeOf(code: string | null): string | null {
  return code !== null && /^[a-z_]{1,50}$/.test(code) ? code : null;
}

function failed(type: string, message: string, code: string, retryable = false): Failed {
  return { ok: false, error: { type, message, retryable, code } satisfies ActionError };
}
