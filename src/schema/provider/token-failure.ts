// Token failures: what a failed token request means for a run, the same for every caller.
import { MESSAGE_EXCERPT_CHARS_MAX } from "../limits/outgoing/responses.ts";
import type { ActionError } from "../engine/outcome.ts";
import type { OutboundAnswer } from "./outbound.ts";
import { tokenRefusalOf, type TokenAnswer, type TokenRefusal, type TokenRequest } from "./oauth.ts";

export type TokenFailure = { readonly error: ActionError; readonly retryAfterMs?: number };
type Refused = Omit<Extract<OutboundAnswer, { ok: false }>, "ok">;

/** 400 and 401 mean that the credentials or the grant are wrong: no retry helps. Other errors are retried. */
export function tokenRefused(what: string, refused: Refused, hidden: readonly string[]): TokenFailure {
  const { status, data, error, retryAfterMs } = refused;
  if (status === 400 || status === 401 || status === 403)
    return refusedBy(what, tokenRefusalOf(data), `http_${status}`, hidden);
  const later = retryAfterMs === undefined ? {} : { retryAfterMs };
  const said = `${what}: ${error.message}`;
  if (error.type === "rate_limit") return { ...failure("rate_limit", true, said, `http_${status}`), ...later };
  if (status === null || status >= 500 || status === 408) {
    // An address refused by the egress guard is permanently wrong.
    if (!error.retryable) return failure(error.type, false, said, error.code ?? "refused");
    return { ...failure("service_unavailable", true, said, "token_endpoint_unavailable"), ...later };
  }
  return failure("invalid_configuration", false, said, `http_${status}`);
}

/** Adds an instruction for the operator, if the caller has one that is clearer than the provider's text. */
export function explained(failure: TokenFailure, { explained: words = {} }: TokenRequest): TokenFailure {
  const { error } = failure;
  const message = error.code !== undefined && Object.hasOwn(words, error.code) ? words[error.code] : undefined;
  return message === undefined ? failure : { ...failure, error: { ...error, message } };
}

/** The failure for an answer with a success status and no token in it. */
export function tokenNotGiven(
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

/** RFC 6749 lists them (invalid_client, invalid_grant); another form may be anything. */
function codeOf(code: string | null): string | null {
  return code !== null && /^[a-z_]{1,50}$/.test(code) ? code : null;
}

function failure(type: string, retryable: boolean, message: string, code: string): TokenFailure {
  // The call that needs the token was not made yet.
  return { error: { type, message, retryable, code, effect: "none" } };
}
