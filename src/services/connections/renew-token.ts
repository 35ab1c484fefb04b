// Token renewal: requests an access token from the provider's token endpoint, and encrypts it.
import { type StoredConnection, findConnection } from "#catalog/connections.ts";
import { defaults } from "#schema/defaults.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import type { TokenRenewalAnswer, TokenRenewalRequest } from "#schema/gate.ts";
import { ACCOUNT_TIMEOUT_MS } from "#schema/limits/outgoing/responses.ts";
import type { BoundSecret } from "#schema/outgoing/bound-secret.ts";
import { tokenAnswerOf, type TokenRequest } from "#schema/provider/oauth.ts";
import type { OwnTokenPort, TokenResult } from "#schema/provider/own-token.ts";
import { withInstruction, tokenMissing, tokenRefused } from "#schema/provider/token-failure.ts";
import type { Deps } from "../deps.ts";
import { sha256 } from "../hash.ts";
import { openNewestSecrets } from "../secrets/open-secrets.ts";
import { authKey, chainKey } from "./connection-auth.ts";
import { openCredentials } from "./connection-credentials.ts";
import { connectionRequest } from "./connection-request.ts";
import { accountToken } from "./own-tokens.ts";
import {
  firstAnswer,
  tokenForRun,
  tokenObjectName,
  type TokenDeps,
  type TokenOwner,
  type TokenSecrets,
} from "./token-cache.ts";
import { openToken, sealToken, openGrant } from "./seal-token.ts";

export type Failure = { readonly error: ActionError; readonly retryAfterMs?: number };
/**
 * Returns an access token. `refused` is a token that the provider has just refused; one other token is then requested.
 */
export type GetToken = (refused: string | null) => Promise<TokenResult>;
type Credentials = { readonly values: { readonly [field: string]: string }; readonly setAt: number };

/**
 * Opens the tokens of a connection. Each decrypted token is added to `given.secrets`. If `check` is true, a token is
 * requested now, even if the provider has just refused a request.
 */
export function openConnectionToken(
  deps: TokenDeps,
  row: StoredConnection,
  credentials: Credentials,
  runSecrets: TokenSecrets,
  check = false,
): GetToken {
  const { auth } = row.settings;
  if (auth?.type === "bearer") return async (refused) => fixedToken(row, credentials.values.token ?? "", refused);
  if (auth?.type !== "oauth2") {
    const message = `the connection ${row.name} has no tokens: its auth is not oauth2`;
    return async () => failure("invalid_configuration", message, "auth_mismatch");
  }
  const owner = tokenOwnerOf(row, runSecrets);
  const gate = () => deps.gate(tokenObjectName(owner));
  return async (refused) => {
    const chain = await chainKey(auth.tokenEndpoint, row.settings.credentials);
    const key = await authKey(row.settings);
    const selection = { key, asOf: credentials.setAt, chain, ...(check ? { check } : {}) };
    const obtained = await tokenForRun(deps, owner, selection, refused, (request) =>
      firstAnswer(deps, owner, () => gate().token([request])),
    );
    const lostText = `the object of the connection ${row.name} did not answer, so its token is unknown`;
    return obtained ?? failure("service_unavailable", lostText, "token_lost");
  };
}

/**
 * Opens the tokens of a grant that the account's runner makes itself. The connection's object caches them like the
 * connection's own tokens.
 */
export function openAccountTokens(
  deps: TokenDeps,
  row: StoredConnection,
  { setAt }: Credentials,
  runSecrets: TokenSecrets,
): OwnTokenPort {
  const owner = tokenOwnerOf(row, runSecrets);
  return (grant, refused) => accountToken(deps, owner, grant, setAt, refused);
}

function tokenOwnerOf({ tenant, id, name }: StoredConnection, runSecrets: TokenSecrets): TokenOwner {
  return { tenant, connection: id, accountName: name, runSecrets, last: null };
}

function fixedToken({ name }: StoredConnection, token: string, refused: string | null): TokenResult {
  if (refused === null) return { ok: true, token };
  return failure("authentication_failed", `the provider refused the token of the connection ${name}`, "token_refused");
}

function failure(type: string, message: string, code: string): TokenResult {
  return { ok: false, failure: { error: { type, message, retryable: type === "service_unavailable", code } } };
}

export type ObtainDeps = Pick<Deps, "now" | "randomBytes" | "secretsKeys" | "callOut">;

export type ObtainRequest = {
  readonly about: { readonly tenant: string; readonly connection: string };
  /** The endpoint as messages name it, such as "the token endpoint of crm". */
  readonly what: string;
  readonly request: TokenRequest;
  /** Those of the request's secrets that may be sent only to certain hosts, with these hosts. */
  readonly bounds: readonly BoundSecret[];
  /** The encrypted refresh token that came with the last access token; null if there was none. */
  readonly refresh: string | null;
};

export async function obtainToken(
  deps: ObtainDeps,
  { about, what, request, bounds, refresh }: ObtainRequest,
): Promise<TokenRenewalAnswer> {
  const { refresh_token: first = "" } = request.form;
  const current = await refreshTokenInUse(deps, about, refresh, first);
  const form = first === "" ? request.form : { ...request.form, refresh_token: current.token };
  const answer = await deps.callOut({ ...tokenCall({ ...request, form }), bounds });
  const hidden = [...request.secrets, current.token];
  if (!answer.ok) return { ok: false, ...withInstruction(tokenRefused(what, answer, hidden), request) };
  const tokenAnswer = tokenAnswerOf(answer.data);
  if (tokenAnswer.kind !== "granted")
    return { ok: false, ...withInstruction(tokenMissing(what, tokenAnswer, hidden), request) };
  const { accessToken, refreshToken, expiresInMs } = tokenAnswer.grant;
  const token = await sealToken(deps, about, accessToken);
  // The refresh token in the answer is stored only if the grant itself used a refresh token.
  const isRotated = refreshToken !== null && first !== "";
  const rotated = isRotated ? JSON.stringify({ token: refreshToken, origin: current.origin }) : null;
  const sealedRefresh = rotated === null ? null : await sealToken(deps, about, rotated);
  if (token === null || (rotated !== null && sealedRefresh === null)) return unsealable;
  return { ok: true, token, refresh: sealedRefresh, expiresAt: deps.now() + (expiresInMs ?? defaults.tokenLifeMs) };
}

/**
 * Returns the refresh token to use. A rotated refresh token takes precedence over the one in the secret, until the
 * secret is replaced.
 */
async function refreshTokenInUse(
  deps: ObtainDeps,
  about: ObtainRequest["about"],
  sealed: string | null,
  secret: string,
): Promise<{ readonly token: string; readonly origin: string }> {
  const origin = (await sha256(secret)).slice(0, 16);
  const text = sealed === null ? null : await openToken(deps, about, sealed);
  // obtainToken wrote this text as JSON of this form.
  const rotated = text === null ? null : (JSON.parse(text) as { token: string; origin: string });
  return rotated?.origin === origin ? { token: rotated.token, origin } : { token: secret, origin };
}

function tokenCall({ url, form, authorization, secrets }: TokenRequest) {
  const header = authorization === undefined ? {} : { Authorization: authorization };
  return {
    method: "POST",
    url,
    headers: { "Content-Type": "application/x-www-form-urlencoded", Accept: "application/json", ...header },
    body: new URLSearchParams(form).toString(),
    timeoutMs: ACCOUNT_TIMEOUT_MS,
    secrets,
  };
}

const unsealable: TokenRenewalAnswer = {
  ok: false,
  error: {
    type: "service_unavailable",
    message: "tokens cannot be stored: this installation has no SECRETS_KEYS",
    retryable: true,
    code: "secrets_unreadable",
  },
};

export type RenewDeps = ObtainDeps & Pick<Deps, "db" | "log" | "signJwt">;

export async function renewToken(deps: RenewDeps, ask: TokenRenewalRequest): Promise<TokenRenewalAnswer> {
  const { tenant, connection, refresh, grant } = ask;
  const about = { tenant, connection };
  if (grant !== undefined) {
    const opened = await openGrant(deps, about, grant);
    if (opened === null)
      return failed("service_unavailable", "a token request could not be decrypted", "secrets_unreadable");
    return obtainToken(deps, { about, what: "the token endpoint", ...opened, refresh });
  }
  const row = await findConnection(deps.db, tenant, connection);
  const auth = row?.settings.auth;
  if (row === null || auth?.type !== "oauth2")
    return failed("invalid_configuration", "there is no such OAuth2 connection", "auth_missing");
  const credentials = await openCredentials(deps, row, openNewestSecrets);
  if (!credentials.ok) return { ok: false, error: credentials.error };
  const request = await connectionRequest(deps, auth, credentials.values);
  if (request === null) {
    const algorithm = auth.assertion?.algorithm ?? "RS256";
    const message = `the connection ${row.name} has no private key for ${algorithm} in PEM (PKCS #8)`;
    return failed("invalid_configuration", message, "credential_invalid");
  }
  const { bounds } = credentials;
  const what = `the token endpoint of ${row.name}`;
  const renewed = await obtainToken(deps, { about, what, request, bounds, refresh });
  return renewed.ok ? { ...renewed, asOf: credentials.setAt } : renewed;
}

function failed(type: string, message: string, code: string): TokenRenewalAnswer {
  return { ok: false, error: { type, message, retryable: type === "service_unavailable", code } };
}
