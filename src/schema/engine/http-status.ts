// HTTP statuses: which error an unexpected status means for a run, and whether a retry can help. All HTTP runners use it, so
// a status has the same meaning everywhere.
import type { errorTypes } from "./outcome.ts";

type ErrorType = (typeof errorTypes)[number];

/** Returns the type of the error, whether it is retryable, and its meaning in words. */
export function meaningOfStatus(status: number): readonly [type: ErrorType, isRetryable: boolean, meaning: string] {
  if (status === 401) return ["authentication_failed", false, "authentication failed"];
  if (status === 403) return ["authorization_failed", false, "insufficient permissions"];
  if (status === 404 || status === 410) return ["not_found", false, "there is no resource at this address"];
  if (status === 408) return ["timeout", true, "the receiver timed out"];
  if (status === 425 || status === 429) return ["rate_limit", true, "rate limit exceeded"];
  const final = NOT_RETRYABLE[status];
  if (final !== undefined) return final;
  if (status === 509) return ["rate_limit", true, "the receiver has used up its bandwidth"];
  if (status >= 500) return ["service_unavailable", true, "the service is unavailable"];
  if (status >= 400) return ["malformed_request", false, "the request was refused"];
  if (status >= 300) return ["malformed_request", false, "redirects are not followed"];
  // Any other status is a success that the config does not expect. The receiver has acted, and a retry would make it
  // act again.
  return ["unknown_error", false, "this status was not expected"];
}

/**
 * The server errors that a retry cannot change. All other server errors, including Cloudflare's 520 to 530, are
 * retried, because they mean that the receiver is unavailable.
 */
const NOT_RETRYABLE: { readonly [status: number]: readonly [ErrorType, false, string] } = {
  501: ["malformed_request", false, "the receiver does not support this method"],
  505: ["malformed_request", false, "the receiver does not support this HTTP version"],
  506: ["malformed_request", false, "the receiver has a configuration loop (variants)"],
  508: ["malformed_request", false, "the receiver detected an infinite loop"],
  510: ["malformed_request", false, "the receiver requires an unsupported HTTP extension"],
  511: ["authentication_failed", false, "the network in front of the receiver requires a login"],
};
