// Asks a token endpoint for an access token, and seals what it gives for the object that keeps it: the refresh token,
// where a new one came, together with what it descends from.
import { defaults } from "#schema/defaults.ts";
import type { Renewed } from "#schema/gate.ts";
import type { BoundSecret } from "#schema/outgoing/bound-secret.ts";
import { ACCOUNT_TIMEOUT_MS } from "#schema/limits/runners.ts";
import { tokenAnswerOf, type TokenRequest } from "#schema/provider/oauth.ts";
import { explained, tokenNotGiven, tokenRefused } from "#schema/provider/token-failure.ts";
import type { Deps } from "../deps.ts";
import { sha256 } from "../hash.ts";
import { openToken, sealToken } from "./seal-token.ts";

export type ObtainDeps = Pick<Deps, "now" | "randomBytes" | "secretsKeys" | "callOut">;

export type Asked = {
  readonly about: { readonly tenant: string; readonly connection: string };
  /** "the token endpoint of crm". */
  readonly what: string;
  readonly request: TokenRequest;
  /** To which hosts the secrets in it may go. */
  readonly bounds: readonly BoundSecret[];
  /** The refresh token that came with the last one, sealed. */
  readonly refresh: string | null;
};

export async function obtainToken(
  deps: ObtainDeps,
  { about, what, request, bounds, refresh }: Asked,
): Promise<Renewed> {
  const { refresh_token: first = "" } = request.form;
  const current = await currentRefresh(deps, about, refresh, first);
  const form = first === "" ? request.form : { ...request.form, refresh_token: current.token };
  const answer = await deps.callOut({ ...callOf({ ...request, form }), bounds });
  const hidden = [...request.secrets, current.token];
  if (!answer.ok) return { ok: false, ...explained(tokenRefused(what, answer, hidden), request) };
  const told = tokenAnswerOf(answer.data);
  if (told.kind !== "granted") return { ok: false, ...explained(tokenNotGiven(what, told, hidden), request) };
  const { accessToken, refreshToken, expiresInMs } = told.grant;
  const token = await sealToken(deps, about, accessToken);
  // Who asks with something else than a refresh token is given one for nothing.
  const isRotated = refreshToken !== null && first !== "";
  const rotated = isRotated ? JSON.stringify({ token: refreshToken, origin: current.origin }) : null;
  const kept = rotated === null ? null : await sealToken(deps, about, rotated);
  if (token === null || (rotated !== null && kept === null)) return unsealable;
  return { ok: true, token, refresh: kept, expiresAt: deps.now() + (expiresInMs ?? defaults.tokenLifeMs) };
}

/** A rotated refresh token goes over the secret's, until somebody sets that secret anew: then the chain begins again. */
async function currentRefresh(
  deps: ObtainDeps,
  about: Asked["about"],
  sealed: string | null,
  secret: string,
): Promise<{ readonly token: string; readonly origin: string }> {
  const origin = (await sha256(secret)).slice(0, 16);
  const text = sealed === null ? null : await openToken(deps, about, sealed);
  const rotated = text === null ? null : (JSON.parse(text) as { token: string; origin: string }); // sealed by us
  return rotated?.origin === origin ? { token: rotated.token, origin } : { token: secret, origin };
}

function callOf({ url, form, authorization, secrets }: TokenRequest) {
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

const unsealable: Renewed = {
  ok: false,
  error: {
    type: "service_unavailable",
    message: "tokens cannot be kept: this installation has no SECRETS_KEYS",
    retryable: true,
    code: "secrets_unreadable",
  },
};
