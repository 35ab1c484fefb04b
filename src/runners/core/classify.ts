// HTTP status classification: which error a status means for the run, whether a retry can help, and when. Every HTTP
// runner uses it, so a status has the same meaning everywhere.
import type { JsonObject } from "#schema/json.ts";
import { meaningOfStatus } from "#schema/engine/http-status.ts";
import type { ActionError } from "#schema/engine/outcome.ts";

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
  const [type, retryable, meaning] = meaningOfStatus(status);
  const location = status >= 300 && status < 400 ? hostOfLocation(rejection.location) : null;
  const redirect = location === null ? "" : ` (to ${location})`;
  const details: JsonObject = body === "" ? { status } : { status, body };
  const error = {
    type,
    message: `${target} answered ${status}: ${meaning}${redirect}`,
    retryable,
    code: `http_${status}`,
    details,
  };
  const retryAfterMs = status >= 400 ? parseRetryAfter(rejection.retryAfter, now) : null;
  return retryAfterMs === null ? { error } : { error, retryAfterMs };
}

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
  return { error: { type: "aborted", message, retryable: true, code: "attempt_canceled", effect } };
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
