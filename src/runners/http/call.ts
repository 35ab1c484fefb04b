// HTTP call: sends one outbound call for any runner: checked, limited in time and size, and never redirected. It never
// throws and never retries; a failure is returned as data. The status alone decides about success, whatever happens to
// the body.
import type { BodyIncomplete } from "#schema/engine/outcome.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import {
  ANSWER_BYTES_MAX,
  ANSWER_DEPTH_MAX,
  EXCERPT_CHARS_MAX,
  RESPONSE_BYTES_KEPT,
  RESPONSE_HEADERS_KEPT,
} from "#schema/limits/outgoing/responses.ts";
import { SECRET_PART_CHARS_MIN } from "#schema/limits/outgoing/secret-sizes.ts";
import {
  classifyStatus,
  configurationFailure,
  networkFailure,
  timeoutFailure,
  type Failure,
} from "../core/classify.ts";
import { addressRefusal } from "#schema/egress/egress.ts";
import { readBody, type ReadBody } from "./body.ts";
import { effectOfBreak, effectOfStatus } from "./effect.ts";
import { isWhole, readText, storedOf } from "./read-text.ts";
import { headerNameIn, type SentHeaders } from "./request.ts";
import { reasonOf, targetOf } from "./call-description.ts";
import { isSecretName, isSecretQuery, redactHeader, redactText, redactValues } from "../core/redact.ts";
import type { RunnerContext } from "../core/runner.ts";
import { BlockedHost } from "../core/guarded-ports.ts";

export type HttpCall = {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers | SentHeaders;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
  /** The statuses that count as success. Default: every 2xx. */
  readonly expectedStatusCodes?: readonly number[] | undefined;
  /** Secrets in the path, in the body or inside base64, where no name identifies them. */
  readonly secrets?: readonly string[] | undefined;
  /** The number of bytes of a successful answer that are read. Default: as many as are stored. */
  readonly answerBytesMax?: number | undefined;
  /**
   * true: the call has no effect at the receiver. A success with a truncated body is then a failure that may be
   * retried.
   */
  readonly reads?: boolean | undefined;
};

export type HttpAnswer = {
  readonly ok: true;
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  /** The parsed body if it is JSON, its text if it is text, otherwise null. */
  readonly data: Json;
  /** The part of the body that may be stored. `truncated`: the body was longer. */
  readonly stored: { readonly data: Json; readonly truncated: boolean };
  /** Why the body is incomplete. null: it is complete. */
  readonly incomplete: BodyIncomplete | null;
};

/**
 * A failed call. `answered` is the answer, for runners that know the provider's error codes; null without an answer.
 */
export type HttpRefusal = Failure & {
  readonly ok: false;
  readonly answered: Pick<HttpAnswer, "status" | "headers" | "data"> | null;
};

/** The User-Agent of all calls: product and version. A config's own header overrides it. */
export const USER_AGENT = "Escapement/1";

/** The response headers that are stored: ids of the request, its times, and rate limits. */
const KEPT_HEADERS = new RegExp(
  "^(?:content-type|content-length|date|etag|last-modified|location|retry-after|link" +
    "|(?:x-)?(?:request|correlation|trace|message)-id|(?:x-)?ratelimit-[a-z-]+)$",
);

/** The ports that a call needs. A run and the engine's own calls both have them. */
type Surroundings = Pick<RunnerContext, "fetch" | "now" | "signal" | "allowLoopback"> & {
  readonly ticket: Pick<RunnerContext["ticket"], "timeoutMs">;
};

export async function send(call: HttpCall, context: Surroundings): Promise<HttpAnswer | HttpRefusal> {
  const effect = call.reads === true ? "none" : null;
  const url = URL.parse(call.url);
  const refusal = addressRefusal(url, context);
  if (url === null || refusal !== null) return unanswered(configurationFailure(`url: ${refusal}`, "egress_refused"));
  const secrets = secretsOf(call, url);
  const target = () => targetOf(call.method, url, secrets);
  const { timeoutMs } = context.ticket;
  if (context.signal.aborted) return unanswered(timeoutFailure(timeoutMs, "none"));
  try {
    const { method, body } = call;
    const { signal } = context;
    const headers = named(call.headers);
    const response = await context.fetch(url.href, { method, headers, body, redirect: "manual", signal });
    return await answerOf(call, response, { context, target, secrets });
  } catch (error) {
    if (error instanceof BlockedHost) return unanswered(error.failure);
    if (context.signal.aborted) return unanswered(timeoutFailure(timeoutMs, effect ?? "unknown"));
    return unanswered(networkFailure(target(), reasonOf(error, secrets), effect ?? effectOfBreak(error)));
  }
}

/** Adds a User-Agent if the config has none, because some providers and proxies refuse calls without one. */
function named(own: Headers | SentHeaders): Headers | SentHeaders {
  if (!(own instanceof Headers)) return headerNameIn(own, "User-Agent") ? own : { ...own, "User-Agent": USER_AGENT };
  if (own.has("User-Agent")) return own;
  const headers = new Headers(own);
  headers.set("User-Agent", USER_AGENT);
  return headers;
}

/** Returns the part of the body that a result stores. */
export function storedData({ stored: { data, truncated } }: Pick<HttpAnswer, "stored">): JsonObject {
  return truncated ? { data, truncated } : { data };
}

/** Returns the result's note about an incomplete body. */
export function bodyTrouble({ incomplete }: Pick<HttpAnswer, "incomplete">): { bodyIncomplete?: BodyIncomplete } {
  return incomplete === null ? {} : { bodyIncomplete: incomplete };
}

/**
 * The failure of a success whose content the runner cannot use. The call took effect, so it is not retried and an
 * operator must check. A call with `reads` may be retried, unless its answer is too large.
 */
export function unreadable(message: string, answer: HttpAnswer, { reads = false } = {}): Failure {
  const { incomplete } = answer;
  const why = incomplete === null ? "" : `: ${TROUBLES[incomplete]}`;
  const details = { ...answerDetails(answer), ...bodyTrouble(answer) };
  const error = { type: "unknown_error", message: `${message}${why}`, code: "answer_unreadable", details };
  const isTooMuch = incomplete === "too_long" || incomplete === "too_deep";
  return { error: { ...error, retryable: reads && !isTooMuch, effect: reads ? "none" : "unknown" } };
}

const TROUBLES: { readonly [why in BodyIncomplete]: string } = {
  cut: "it was cut off",
  timeout: "it did not end in time",
  too_long: `it is longer than the limit of ${ANSWER_BYTES_MAX} bytes; request less`,
  too_deep: `it is nested deeper than ${ANSWER_DEPTH_MAX}`,
  not_json: "its content type is JSON, but it is not valid JSON",
};

/** Returns the details of an error that came with a success status. */
export function answerDetails({ status, data }: Pick<HttpAnswer, "status" | "data">): JsonObject {
  if (data === null) return { status };
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return { status, body: redactText(text).slice(0, EXCERPT_CHARS_MAX) };
}

function unanswered(failure: Failure): HttpRefusal {
  return { ok: false, ...failure, answered: null };
}

type Asked = {
  readonly context: Surroundings;
  /** Describes the receiver. Computed only for failures. */
  readonly target: () => string;
  readonly secrets: readonly string[];
};

async function answerOf(call: HttpCall, response: Response, asked: Asked): Promise<HttpAnswer | HttpRefusal> {
  const isSuccess = call.expectedStatusCodes?.includes(response.status) ?? response.ok;
  const bytesMax = isSuccess ? (call.answerBytesMax ?? RESPONSE_BYTES_KEPT) : RESPONSE_BYTES_KEPT;
  const body = await bodyOf(call, response, bytesMax, asked.context.signal);
  return isSuccess ? success(call, response, body, asked) : refusal(call, response, body, asked);
}

/** Statuses of responses without a body, whatever their headers state. */
const BODILESS = new Set([204, 205, 304]);

async function bodyOf({ method }: HttpCall, response: Response, bytesMax: number, signal: AbortSignal) {
  if (method !== "HEAD" && !BODILESS.has(response.status)) return readBody(response, bytesMax, signal);
  void response.body?.cancel().catch(() => undefined);
  return { text: "", trouble: null };
}

function success(call: HttpCall, { status, headers }: Response, { text, trouble }: ReadBody, asked: Asked) {
  const { context, target, secrets } = asked;
  const { data, fault } = readText(text, headers.get("content-type") ?? "", secrets);
  const brokeOff = trouble === "cut" || trouble === "timeout";
  if (call.reads === true && brokeOff && !isWhole(data)) {
    if (trouble === "timeout") return unanswered(timeoutFailure(context.ticket.timeoutMs, "none"));
    return unanswered(networkFailure(target(), "the answer was cut off", "none"));
  }
  // A body that the runner does not need is not read to its end. That is no fault.
  const isLeft = trouble === "too_long" && call.answerBytesMax === undefined;
  const stored = isLeft ? { data, truncated: true } : storedOf(text, data, secrets);
  const kept = keptHeaders(headers, secrets);
  return { ok: true, status, headers: kept, data, stored, incomplete: isLeft ? null : (trouble ?? fault) } as const;
}

/** Classifies a refusal. The status suffices, even if the body cannot be read. */
function refusal(call: HttpCall, { status, headers }: Response, { text }: ReadBody, asked: Asked): HttpRefusal {
  const { context, target, secrets } = asked;
  // Redacted before it is shortened, so that no part of a secret remains at the end.
  const body = redactText(redactValues(text, secrets)).slice(0, EXCERPT_CHARS_MAX);
  const retryAfter = headers.get("retry-after");
  const location = headers.get("location");
  const failure = classifyStatus({ status, target: target(), retryAfter, location, body, now: context.now() });
  const effect = call.reads === true ? "none" : effectOfStatus(status);
  const error = effect === null ? failure.error : { ...failure.error, effect };
  const { data } = readText(text, headers.get("content-type") ?? "", secrets);
  return { ok: false, ...failure, error, answered: { status, headers: keptHeaders(headers, secrets), data } };
}

/** Returns the call's secrets, which must be redacted from answers, because receivers echo requests. */
export function secretsOf(call: Pick<HttpCall, "headers" | "secrets">, url: URL): string[] {
  const found = [...(call.secrets ?? [])];
  const headers = call.headers instanceof Headers ? call.headers : Object.entries(call.headers);
  for (const [name, value] of headers) if (isSecretName(name)) found.push(value, ...partsOf(value));
  if (url.search === "") return found;
  for (const [name, value] of url.searchParams) if (isSecretQuery(name)) found.push(value);
  return found;
}

/**
 * Returns the parts of a header that a receiver may echo alone: "abcdef" of "Bearer abcdef", "123456" of "a=123456;
 * b=654321".
 */
function partsOf(value: string): string[] {
  const parts = value.split(/[;,]\s*/).map((part) => part.replace(/^[\w-]+(?:\s+|=)/, ""));
  return parts.filter((part) => part.length >= SECRET_PART_CHARS_MIN);
}

function keptHeaders(headers: Headers, secrets: readonly string[]): { [name: string]: string } {
  const kept: { [name: string]: string } = {};
  let room = RESPONSE_HEADERS_KEPT;
  for (const [name, value] of headers) {
    if (!KEPT_HEADERS.test(name)) continue;
    kept[name] = redactValues(redactHeader(name, value), secrets).slice(0, EXCERPT_CHARS_MAX);
    room -= 1;
    if (room === 0) break;
  }
  return kept;
}
