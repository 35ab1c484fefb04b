// Which access token to hand out, and when to get another: before the one at hand runs out, and once when the
// provider refuses it. Tokens are sealed here: opaque text.
import type { RenewAsk, Renewed, TokenAsk } from "#schema/gate.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import {
  TOKEN_EARLY_MS,
  TOKEN_REPLACED_MS,
  TOKEN_SETBACK_MS,
  TOKEN_SETBACK_MS_MAX,
} from "#schema/limits/outgoing-calls.ts";

export type HeldToken = {
  /** How the connection authenticated when it got this one. */
  readonly key: string;
  readonly serial: number;
  readonly token: string;
  readonly refresh: string | null;
  readonly obtainedAt: number;
  readonly expiresAt: number;
  /** It replaces one that the provider had refused. */
  readonly isReplacement: boolean;
};

/** The last attempt to get one failed: nobody tries again before `until`. */
export type Setback = {
  readonly key: string;
  readonly error: ActionError;
  readonly until: number;
};

export type TokenChoice =
  | { readonly kind: "use"; readonly held: HeldToken }
  | { readonly kind: "renew"; readonly refresh: RenewAsk["refresh"]; readonly isReplacement: boolean }
  | { readonly kind: "fail"; readonly error: ActionError; readonly retryAfterMs: number };

export function chooseToken(held: HeldToken | null, setback: Setback | null, ask: TokenAsk, now: number): TokenChoice {
  const mine = held?.key === ask.key ? held : null;
  const isRefused = mine !== null && ask.refused !== null && ask.refused >= mine.serial;
  if (mine !== null && !isRefused && now < mine.expiresAt - skew(mine)) return { kind: "use", held: mine };
  if (isRefused && mine.isReplacement && now < mine.obtainedAt + TOKEN_REPLACED_MS) {
    return { kind: "fail", error: refusedAgain, retryAfterMs: 0 };
  }
  if (setback?.key === ask.key && now < setback.until) {
    return { kind: "fail", error: setback.error, retryAfterMs: setback.error.retryable ? setback.until - now : 0 };
  }
  return { kind: "renew", refresh: mine?.refresh ?? null, isReplacement: isRefused };
}

type Choice = Extract<TokenChoice, { kind: "renew" }>;

/** A provider that sends no new refresh token means the old one to stay. */
export function keepToken(
  held: HeldToken | null,
  key: string,
  choice: Choice,
  renewed: Extract<Renewed, { ok: true }>,
  now: number,
): HeldToken {
  const { token, refresh, expiresAt } = renewed;
  const { isReplacement } = choice;
  const serial = (held?.serial ?? 0) + 1;
  return { key, serial, token, refresh: refresh ?? choice.refresh, obtainedAt: now, expiresAt, isReplacement };
}

export function setbackOf(key: string, failed: Extract<Renewed, { ok: false }>, now: number): Setback {
  const waitMs = Math.min(Math.max(failed.retryAfterMs ?? 0, TOKEN_SETBACK_MS), TOKEN_SETBACK_MS_MAX);
  return { key, error: failed.error, until: now + waitMs };
}

function skew({ obtainedAt, expiresAt }: HeldToken): number {
  return Math.min(TOKEN_EARLY_MS, (expiresAt - obtainedAt) / 10);
}

const refusedAgain: ActionError = {
  type: "authentication_failed",
  code: "token_refused",
  message: "the provider refused a token that it had only just been given",
  retryable: false,
};
