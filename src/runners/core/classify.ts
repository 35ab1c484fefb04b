// HTTP status classification: which error a status means for the run, whether a retry can help, and when. The table is
// the action framework's; every HTTP runner uses it, so a status means the same everywhere.
import type { JsonObject } from "#schema/json.ts";
import type { ActionError, errorTypes } from "#schema/engine/outcome.ts";

type ErrorType = (typeof errorTypes)[number];
export type Effect = NonNullable<ActionError["effect"]>;
export type Failure = { readonly error: ActionError; readonly retryAfterMs?: number };

type Rejection = {
  readonly status: number;
  /** "POST api.example.com": method and host, without path or query. */
  readonly target: string;
  readonly retryAfter: string | null;
  readonly location: string | null;
  /** The body, already redacted and shortened. */
  readonly body: string;
  readonly now: number;
};

/** For an unexpected status; an expected one is never passed. */
export function classifyStatus(rejection: Rejection): Failure {
  const { status, target, body, now } = rejection;
  const [type, retryable, meaning] = meaningOf(status, locationHost(rejection.location));
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

function meaningOf(status: number, location: string | null): readonly [ErrorType, boolean, string] {
  if (status === 401) return ["authentication_failed", false, "authentication failed"];
  if (status === 403) return ["authorization_failed", false, "insufficient permissions"];
  if (status === 404 || status === 410) return ["not_found", false, "there is no resource at this address"];
  if (status === 408) return ["timeout", true, "the receiver timed out"];
  if (status === 425 || status === 429) return ["rate_limit", true, "rate limit exceeded"];
  const final = FINAL[status];
  if (final !== undefined) return [...final];
  if (status === 509) return ["rate_limit", true, "the receiver has used up its bandwidth"];
  if (status >= 500) return ["service_unavailable", true, "the service is unavailable"];
  if (status >= 400) return ["malformed_request", false, "the request was refused"];
  if (status >= 300)
    return ["malformed_request", false, `redirects are not followed${location === null ? "" : ` (to ${location})`}`];
  // The receiver did something unexpected: a retry would do it twice.
  return ["unknown_error", false, "this status was not expected"];
}

/**
 * A retry would get the same answer. The codes in between (520 to 530, as Cloudflare uses them) mean that the origin is
 * away, as do the others: worth a retry.
 */
const FINAL: { readonly [status: number]: readonly [ErrorType, false, string] } = {
  501: ["malformed_request", false, "the receiver does not support this method"],
  505: ["malformed_request", false, "the receiver does not support this HTTP version"],
  506: ["malformed_request", false, "the receiver has a configuration loop (variants)"],
  508: ["malformed_request", false, "the receiver detected an infinite loop"],
  510: ["malformed_request", false, "the receiver requires an unsupported HTTP extension"],
  511: ["authentication_failed", false, "the network in front of the receiver requires a login"],
};

/** Only the host: paths and queries of redirects carry tokens. A relative location stays on the same host. */
function locationHost(location: string | null): string | null {
  if (location === null) return null;
  return URL.canParse(location) ? new URL(location).host : "the same host";
}

/** Seconds or an HTTP date; null if it is neither. A moment in the past means "at once". */
export function parseRetryAfter(value: string | null, now: number): number | null {
  const text = value?.trim() ?? "";
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : dateOf(text) - now;
  return Number.isFinite(ms) ? Math.max(0, Math.ceil(ms)) : null;
}

/** Date.parse accepts "5" and "soon 5" as dates; an HTTP date begins with a day's name. */
function dateOf(text: string): number {
  return /^(mon|tue|wed|thu|fri|sat|sun)/i.test(text) ? Date.parse(text) : Number.NaN;
}

export function timeoutFailure(timeoutMs: number, effect: Effect): Failure {
  const message = `no answer within the action's time limit of ${timeoutMs} ms`;
  return { error: { type: "timeout", message, retryable: true, code: "deadline", effect } };
}

/** Its execution was canceled, or no longer needs the run: the attempt was aborted. */
export function abortedFailure(effect: Effect): Failure {
  const said = effect === "none" ? "nothing was sent" : "whether it took effect is unknown";
  const message = `the attempt was aborted; ${said}`;
  return { error: { type: "aborted", message, retryable: true, code: "called_off", effect } };
}

export function networkFailure(target: string, reason: string, effect: Effect): Failure {
  const message = `${target}: the connection failed: ${reason}`;
  return { error: { type: "network_error", message, retryable: true, code: "connection", effect } };
}

/** The definition is wrong: names the field. No retry helps until it is changed. */
export function configurationFailure(message: string, code: string, details?: JsonObject): Failure {
  const error = { type: "invalid_configuration", message, retryable: false, code } as const;
  return { error: details === undefined ? error : { ...error, details } };
}
