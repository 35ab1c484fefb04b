// DocuSign errors: the meanings of its error codes. DocuSign returns { errorCode, message } with a less precise HTTP
// status.
import type { HttpRefusal } from "../http/call.ts";
import type { Failure } from "../core/classify.ts";
import { textAt } from "#schema/provider/json-pointer.ts";
import { meaningFrom, refineRefusal, type ErrorMeanings } from "../core/refine-refusal.ts";

const identity = (code: string) => ["authentication_failed", false, code] as const;
const permission = (code: string) => ["authorization_failed", false, code] as const;
const wrong = (code: string) => ["invalid_configuration", false, code] as const;
const busy = (code: string) => ["rate_limit", true, code] as const;

const MEANINGS: ErrorMeanings = {
  AUTHORIZATION_INVALID_TOKEN: identity("token_refused"),
  USER_AUTHENTICATION_FAILED: identity("user_authentication_failed"),
  PARTNER_AUTHENTICATION_FAILED: identity("integration_key_refused"),
  ACCOUNT_LACKS_PERMISSIONS: permission("account_lacks_permissions"),
  USER_LACKS_PERMISSIONS: permission("user_lacks_permissions"),
  USER_LACKS_MEMBERSHIP: permission("user_not_in_account"),
  USER_DOES_NOT_BELONG_TO_SPECIFIED_ACCOUNT: permission("user_not_in_account"),
  ACCOUNT_HAS_BEEN_SUSPENDED: permission("account_suspended"),
  // The account's paid quota is used up. A retry cannot help; a new plan or a new month can.
  ENVELOPE_ALLOWANCE_EXCEEDED: ["rate_limit", false, "envelope_allowance_exceeded"],
  TEMPLATE_ID_INVALID: wrong("template_unknown"),
  TEMPLATE_NOT_FOUND: wrong("template_unknown"),
  TEMPLATE_ROLE_NOT_FOUND: wrong("template_role_unknown"),
  INVALID_TEMPLATE_ROLE: wrong("template_role_unknown"),
  ACCOUNT_DOES_NOT_EXIST: wrong("account_unknown"),
  INVALID_EMAIL_ADDRESS_FOR_RECIPIENT: wrong("invalid_address"),
  UNKNOWN_ENVELOPE_RECIPIENT: wrong("recipient_invalid"),
  RECIPIENT_NAME_INVALID: wrong("recipient_invalid"),
  ENVELOPE_DOES_NOT_EXIST: ["not_found", false, "envelope_unknown"],
  RECIPIENT_NOT_IN_SEQUENCE: ["malformed_request", false, "recipient_out_of_turn"],
  ENVELOPE_IS_INCOMPLETE: wrong("envelope_incomplete"),
  ENVELOPE_HAS_NO_DOCUMENTS: wrong("envelope_incomplete"),
  INVALID_REQUEST_PARAMETER: ["malformed_request", false, "invalid_parameter"],
  INVALID_REQUEST_BODY: ["malformed_request", false, "invalid_body"],
  HOURLY_APIINVOCATION_LIMIT_EXCEEDED: busy("hourly_limit_exceeded"),
  BURST_APIINVOCATION_LIMIT_EXCEEDED: busy("burst_limit_exceeded"),
  EDIT_LOCK_ENVELOPE_LOCKED: ["service_unavailable", true, "envelope_locked"],
};

/** Bursts are counted over thirty seconds. DocuSign does not report when a burst ends. */
const BURST_MS = 30_000;

export function docusignFailure(refusal: HttpRefusal, now: number): Failure {
  if (refusal.answered === null) return refusal;
  const { data, headers, status } = refusal.answered;
  const code = textAt(data, "/errorCode");
  // Lists show the code, so only a single word is used as code.
  if (code === null || !/^\w{1,80}$/.test(code)) return refusal;
  const providerMessage = [code, textAt(data, "/message")].filter((each) => each !== null).join(": ");
  // An unknown code has the meaning of the status. Its error code is `docusign_` and the code, like that of a known
  // code.
  const meaning = { code: `docusign_${code.toLowerCase()}`, ...meaningFrom(MEANINGS, code) };
  const isBusy = meaning.type === "rate_limit" || status === 429;
  const retryAfterMs = !isBusy || meaning.retryable === false ? null : waitMs(code, headers["x-ratelimit-reset"], now);
  return refineRefusal(refusal, { ...meaning, providerMessage, retryAfterMs });
}

/**
 * Returns the wait in milliseconds; null if it is unknown. The header contains the end of the hourly limit, in seconds
 * since 1970.
 */
function waitMs(code: string, reset: string | undefined, now: number): number | null {
  if (code === "BURST_APIINVOCATION_LIMIT_EXCEEDED") return BURST_MS;
  const resetAt = Number(reset ?? Number.NaN) * 1000;
  return Number.isFinite(resetAt) ? Math.max(0, resetAt - now) : null;
}
