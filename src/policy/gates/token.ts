// Decides which access token of a connection is used, and when a new one is requested: before it expires, and once if
// the provider refuses it. The tokens in this state are encrypted.
import type { TokenRenewalRequest, TokenRenewalAnswer, AccessTokenRequest } from "#schema/gate.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import {
  TOKEN_EARLY_MS,
  TOKEN_FAILURE_MS,
  TOKEN_FAILURE_MS_MAX,
  TOKEN_RENEWED_MS,
} from "#schema/limits/outgoing/tokens.ts";

export type HeldToken = {
  /** Identifies the credentials with which this token was requested. */
  readonly key: string;
  /** How many tokens were obtained so far. A client names the serial of the token that the provider has refused. */
  readonly serial: number;
  readonly token: string;
  readonly refresh: string | null;
  readonly obtainedAt: number;
  readonly expiresAt: number;
  /** True if this token was requested because the provider had refused the one before. */
  readonly isReplacement: boolean;
  /** When the newest secret behind the token was set, in epoch ms. */
  readonly asOf?: number;
  /** The chain of refresh tokens from which the token comes; see AccessTokenRequest. */
  readonly chain?: string;
};

/** A request for a token that has failed. Before `until` no other request is sent. */
export type Setback = {
  readonly key: string;
  readonly asOf: number;
  readonly error: ActionError;
  readonly until: number;
};

export type TokenChoice =
  | { readonly kind: "use"; readonly held: HeldToken }
  | { readonly kind: "renew"; readonly refresh: TokenRenewalRequest["refresh"]; readonly isReplacement: boolean }
  | { readonly kind: "fail"; readonly error: ActionError; readonly retryAfterMs: number };

/** Returns the token to use, a request for a new token, or the error of a recent request. */
export function chooseToken(
  held: HeldToken | null,
  setback: Setback | null,
  ask: AccessTokenRequest,
  now: number,
): TokenChoice {
  const sameAccount = held?.key === ask.key ? held : null;
  // The client has an older secret of the same account. It gets the token that was obtained with the newer secret.
  const token = sameAccount !== null && hasCurrentSecrets(sameAccount, ask) ? sameAccount : null;
  const isRefused = token !== null && ask.refused !== null && ask.refused >= token.serial;
  if (token !== null && !isRefused && now < usableUntil(token, token.obtainedAt)) return { kind: "use", held: token };
  if (isRefused && token.isReplacement && now < token.obtainedAt + TOKEN_RENEWED_MS) {
    return { kind: "fail", error: refusedAgain, retryAfterMs: 0 };
  }
  if (setback?.key === ask.key && hasCurrentSecrets(setback, ask) && now < setback.until) {
    return { kind: "fail", error: setback.error, retryAfterMs: setback.error.retryable ? setback.until - now : 0 };
  }
  return { kind: "renew", refresh: refreshTokenFor(held, ask), isReplacement: isRefused };
}

/**
 * Returns the refresh token to use. After the provider has replaced a refresh token, it accepts no older one. The
 * replacement is therefore used even for another scope or client secret.
 */
function refreshTokenFor(held: HeldToken | null, { key, chain }: AccessTokenRequest): string | null {
  if (held === null) return null;
  const isSameChain = held.chain === undefined || chain === undefined ? held.key === key : held.chain === chain;
  return isSameChain ? held.refresh : null;
}

/** Returns whether the token is as new as the newest secret that the request contains. */
function hasCurrentSecrets({ asOf = 0 }: { readonly asOf?: number }, ask: AccessTokenRequest): boolean {
  return asOf >= (ask.asOf ?? 0);
}

type Choice = Extract<TokenChoice, { kind: "renew" }>;

/** Returns the token to store. If the response contains no new refresh token, the earlier one stays valid. */
export function tokenToStore(
  held: HeldToken | null,
  ask: AccessTokenRequest,
  choice: Choice,
  renewed: Extract<TokenRenewalAnswer, { ok: true }>,
  now: number,
): HeldToken {
  const { token, refresh, expiresAt, asOf = ask.asOf ?? 0 } = renewed;
  const { isReplacement } = choice;
  const { key, chain } = ask;
  // The request was sent before a secret changed, but its response arrives after that of a newer request.
  if (held?.key === key && (held.asOf ?? 0) > asOf) return held;
  const serial = (held?.serial ?? 0) + 1;
  return {
    key,
    asOf,
    ...(chain === undefined ? {} : { chain }),
    serial,
    token,
    refresh: refresh ?? choice.refresh,
    obtainedAt: now,
    expiresAt,
    isReplacement,
  };
}

/** Records a failed request. The next one waits for as long as the provider has requested, within limits. */
export function setbackOf(
  { key, asOf = 0 }: AccessTokenRequest,
  failed: Extract<TokenRenewalAnswer, { ok: false }>,
  now: number,
): Setback {
  const waitMs = Math.min(Math.max(failed.retryAfterMs ?? 0, TOKEN_FAILURE_MS), TOKEN_FAILURE_MS_MAX);
  return { key, asOf, error: failed.error, until: now + waitMs };
}

/** Returns the instant from which the engine stops using the token, which is before it expires. */
export function usableUntil({ expiresAt }: Pick<HeldToken, "expiresAt">, obtainedAt: number): number {
  return expiresAt - Math.min(TOKEN_EARLY_MS, Math.max(0, expiresAt - obtainedAt) / 10);
}

const refusedAgain: ActionError = {
  type: "authentication_failed",
  code: "token_refused",
  message: "the provider rejected a token that it had just issued",
  retryable: false,
};
