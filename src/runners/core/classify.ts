// HTTP status classification: which error a status means for the run, whether a retry can help, and when. Every HTTP
// runner uses it, so a status has the same meaning everywhere.
import type { JsonObject } from "#schema/json.ts";
import type { ActionError, errorTypes } from "#schema/engine/outcome.ts";

type ErrorType = (typeof errorTypes)[number];
export type Effect = NonNullable<ActionError["effect"]>;
export type Failure = { readonly error: ActionError; readonly retryAfterMs?: number };

type Rejection = {
  readonly status: number;
  /** The method and host, without path and query: "POST api.example.com". */
  readonly target: string;
  readonly retryAfter: string | null;
  readonly location: string | null;
  /** The response body, already redacted and shortened. */
  readonly body: string;
  readonly now: number;
};

/** Returns the failure that an unexpected status means. Callers handle expected statuses themselves. */
export function classifyStatus(rejection: Rejection): Failure {
  const { status, target, body, now } = rejection;
  const [type, retryable, meaning] = meaningOfStatus(status, hostOfLocation(rejection.location));
  const details: JsonObject = body === "" ? { status } : { status, body };
  const error = {
    type,
    message: `${target} answered ${status}: ${meaning}`,
    retryable,
    code: `http_${status}`,
    details,
  };
  const retryAfterMs = status >= 400 ? parseRetryAfter(rejection.retryAfter, now) : null;
  return retryAfterMs === null ? { error } : { error, retryAfterMs };
}

function meaningOfStatus(status: number, location: string | null): readonly [ErrorType, boolean, string] {
  if (status === 401) return ["authentication_failed", false, "authentication failed"];
  if (status === 403) return ["authorization_failed", false, "insufficient permissions"];
  if (status === 404 || status === 410) return ["not_found", false, "there is no resource at this address"];
  if (status === 408) return ["timeout", true, "the receiver timed out"];
  if (status === 425 || status === 429) return ["rate_limit", true, "rate limit exceeded"];
  const final = NOT_RETRYABLE[status];
  if (final !== undefined) return [...final];
  if (status === 509) return ["rate_limit", true, "the receiver has used up its bandwidth"];
  if (status >= 500) return ["service_unavailable", true, "the service is unavailable"];
  if (status >= 400) return ["malformed_request", false, "the request was refused"];
  if (status >= 300)
    return ["malformed_request", false, `redirects are not followed${location === null ? "" : ` (to ${location})`}`];
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

/**
 * Returns only the host of a redirect, because its path and query may contain tokens. Returns "the same host" for a
 * relative location, and null without a location.
 */
function hostOfLocation(location: string | null): string | null {
  if (location === null) return null;
  return URL.canParse(location) ? new URL(location).host : "the same host";
}

/**
 * Parses a Retry-After value, which is a number of seconds or an HTTP date. Returns milliseconds, 0 for a past date,
 * and null for any other text.
 */
export function parseRetryAfter(value: string | null, now: number): number | null {
  const text = value?.trim() ?? "";
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : parseHttpDate(text) - now;
  return Number.isFinite(ms) ? Math.max(0, Math.ceil(ms)) : null;
}

/**
 * Parses an HTTP date, which begins with a weekday. The weekday is checked, because Date.parse alone would accept "5"
 * and "soon 5" as dates.
 */
function parseHttpDate(text: string): number {
  return /^(mon|tue|wed|thu|fri|sat|sun)/i.test(text) ? Date.parse(text) : Number.NaN;
}

export function timeoutFailure(timeoutMs: number, effect: Effect): Failure {
  const message = `no answer within the action's time limit of ${timeoutMs} ms`;
  return { error: { type: "timeout", message, retryable: true, code: "deadline", effect } };
}

/** The failure of an attempt that was aborted, because its execution was canceled or no longer needs the run. */
export function abortedFailure(effect: Effect): Failure {
  const said = effect === "none" ? "nothing was sent" : "it is unknown whether the attempt took effect";
  const message = `the attempt was aborted; ${said}`;
  return { error: { type: "aborted", message, retryable: true, code: "called_off", effect } };
}

export function networkFailure(target: string, reason: string, effect: Effect): Failure {
  const message = `${target}: the connection failed: ${reason}`;
  return { error: { type: "network_error", message, retryable: true, code: "connection", effect } };
}

/**
 * The failure of a wrong definition or connection. Its message names the wrong field. A retry cannot help until the
 * field is changed.
 */
export function configurationFailure(message: string, code: string, details?: JsonObject): Failure {
  const error = { type: "invalid_configuration", message, retryable: false, code } as const;
  return { error: details === undefined ? error : { ...error, details } };
}
