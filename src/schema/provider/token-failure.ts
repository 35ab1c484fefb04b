// Token failures: the error of a run whose token request failed, the same for every caller.
import { MESSAGE_EXCERPT_CHARS_MAX } from "../limits/outgoing/responses.ts";
import type { ActionError } from "../engine/outcome.ts";
import type { OutboundAnswer } from "./outbound.ts";
import { tokenRefusalOf, type TokenAnswer, type TokenRefusal, type TokenRequest } from "./oauth.ts";

export type TokenFailure = { readonly error: ActionError; readonly retryAfterMs?: number };
type Refused = Omit<Extract<OutboundAnswer, { ok: false }>, "ok">;

/**
 * Converts a failed token request to the run's error. 400, 401 and 403 mean wrong credentials or a wrong grant, so that
 * error is not retryable.
 */
export function tokenRefused(what: string, refused: Refused, hidden: readonly string[]): TokenFailure {
  const { status, data, error, retryAfterMs } = refused;
  if (status === 400 || status === 401 || status === 403)
    return refusedBy(what, tokenRefusalOf(data), `http_${status}`, hidden);
  const later = retryAfterMs === undefined ? {} : { retryAfterMs };
  const said = `${what}: ${error.message}`;
  if (error.type === "rate_limit") return { ...failure("rate_limit", true, said, `http_${status}`), ...later };
  if (status === null || status >= 500 || status === 408) {
    // The egress guard would refuse this URL at every attempt, so the error is not retryable.
    if (!error.retryable) return failure(error.type, false, said, error.code ?? "refused");
    return { ...failure("service_unavailable", true, said, "token_endpoint_unavailable"), ...later };
  }
  return failure("invalid_configuration", false, said, `http_${status}`);
}

/** If the token request has an instruction for this error code, it replaces the error's message. */
export function withInstruction(failure: TokenFailure, { explained: words = {} }: TokenRequest): TokenFailure {
  const { error } = failure;
  const message = error.code !== undefined && Object.hasOwn(words, error.code) ? words[error.code] : undefined;
  return message === undefined ? failure : { ...failure, error: { ...error, message } };
}

/** Returns the failure for an answer that has a success status but contains no token. */
export function tokenMissing(
  what: string,
  answer: Exclude<TokenAnswer, { kind: "granted" }>,
  hidden: readonly string[],
): TokenFailure {
  switch (answer.kind) {
    case "refused":
      return refusedBy(what, answer.refusal, "token_missing", hidden);
    case "unreadable":
      return failure("service_unavailable", true, `${what} returned an unreadable answer`, "token_answer_unreadable");
    case "missing":
      return failure("authentication_failed", false, `${what} returned no usable access_token`, "token_missing");
    case "unusable": {
      const type = answer.tokenType.slice(0, 20);
      const message = `${what} returned a token of the type ${type}, which requires a proof with each request; only bearer tokens are supported`;
      return failure("authentication_failed", false, message, "token_type_unsupported");
    }
  }
}

function refusedBy(what: string, { code, said }: TokenRefusal, otherwise: string, hidden: readonly string[]) {
  const words = hidden.filter(Boolean).reduce((text, each) => text.replaceAll(each, "[redacted]"), said);
  const why = words === "" ? "refused" : `refused: ${words.slice(0, MESSAGE_EXCERPT_CHARS_MAX)}`;
  return failure("authentication_failed", false, `${what} ${why}`, codeOf(code) ?? otherwise);
}

/** Returns the text if it has the form of an error code of RFC 6749, such as invalid_client. Returns null otherwise. */
function codeOf(code: string | null): string | null {
  return code !== null && /^[a-z_]{1,50}$/.test(code) ? code : null;
}

function failure(type: string, retryable: boolean, message: string, code: string): TokenFailure {
  // Without a token, the actual call was not made, so nothing was changed at the provider.
  return { error: { type, message, retryable, code, effect: "none" } };
}
