// Rejected credentials of a connection: the provider refuses the account, so retries do not help. Attempts are held.
// From time to time a single attempt checks whether the provider accepts the account again. All functions are pure.
import { fixFor } from "../advice/suggested-fix.ts";
import type { Attention, TokenRenewalAnswer, AccessTokenAnswer, AccessTokenRequest } from "#schema/gate.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import {
  ACCOUNT_RESUME_GAP_MS,
  ACCOUNT_RESUME_SPREAD_MS_MAX,
  REJECTED_ACCOUNT_CHECK_MS_MAX,
  REJECTED_ACCOUNT_CHECK_MS_MIN,
  REJECTED_ACCOUNT_HOLD_MS,
} from "#schema/limits/outgoing/tokens.ts";

export type CredentialRejection = {
  /** Identifies the rejected credentials. Other credentials have another key, and newer secrets have a later `asOf`. */
  readonly key: string;
  readonly asOf: number;
  /** When the first of the consecutive refusals came, in epoch ms. */
  readonly since: number;
  readonly error: ActionError;
  /** The number of consecutive refusals. */
  readonly times: number;
  /** When the next attempt is sent to check the account, in epoch ms. */
  readonly lookAt: number;
  /**
   * How many attempts are held until `lookAt`; it is used to spread the instants at which they return. It is not
   * stored.
   */
  readonly waiting: number;
};

/** Returns the record after another refusal. A failure that may pass with time does not change the record. */
export function afterRefusal(
  before: CredentialRejection | null,
  { key, asOf = 0 }: AccessTokenRequest,
  { error }: Extract<TokenRenewalAnswer, { ok: false }>,
  now: number,
): CredentialRejection | null {
  if (error.type !== "authentication_failed" || error.retryable) return before;
  const current = before?.key === key && before.asOf >= asOf ? before : null;
  const times = (current?.times ?? 0) + 1;
  const gapMs = Math.min(REJECTED_ACCOUNT_CHECK_MS_MIN * 2 ** Math.min(times - 1, 10), REJECTED_ACCOUNT_CHECK_MS_MAX);
  return {
    key,
    asOf: Math.max(current?.asOf ?? 0, asOf),
    since: current?.since ?? now,
    error,
    times,
    lookAt: now + gapMs,
    waiting: 0,
  };
}

/** Returns whether the provider would refuse this request like the last one. If so, the request is not sent. */
export function isRejected(
  trouble: CredentialRejection | null,
  ask: AccessTokenRequest,
  now: number,
): trouble is CredentialRejection {
  if (trouble === null || ask.check === true) return false;
  return trouble.key === ask.key && trouble.asOf >= (ask.asOf ?? 0) && now < trouble.lookAt;
}

/**
 * Holds an attempt. Held attempts return at different instants after `lookAt`. After REJECTED_ACCOUNT_HOLD_MS an
 * attempt fails instead of being held.
 */
export function holdAttempt(
  trouble: CredentialRejection,
  now: number,
): { readonly trouble: CredentialRejection; readonly answer: Extract<AccessTokenAnswer, { ok: false }> } {
  const { error, since, lookAt, waiting } = trouble;
  if (now >= since + REJECTED_ACCOUNT_HOLD_MS) return { trouble, answer: { ok: false, error } };
  const heldUntil = lookAt + Math.min(waiting * ACCOUNT_RESUME_GAP_MS, ACCOUNT_RESUME_SPREAD_MS_MAX);
  return { trouble: { ...trouble, waiting: waiting + 1 }, answer: { ok: false, error, heldUntil } };
}

/** Returns the record for API responses, with advice for the operator. null if the credentials are not rejected. */
export function attentionOf(trouble: CredentialRejection | null): Attention | null {
  if (trouble === null) return null;
  const { since, error } = trouble;
  const { suggestedFix } = fixFor({ errorType: error.type, code: error.code ?? null, reason: null });
  const nextStep = `${suggestedFix.replace(/,? then retry\./, ".")} Held runs continue automatically.`;
  return { since, code: error.code ?? error.type, reason: error.message, nextStep };
}
