// HTTP call: sends one outbound call for any runner: checked, limited in time and size, and without following
// redirects. It never throws and never retries; a failure is returned as data. Only the status decides whether the call
// succeeded, even if the body cannot be read.
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
import { effectOfError, effectOfStatus } from "./effect.ts";
import { isComplete, readText, storablePart } from "./read-text.ts";
import { headerNameIn, type SentHeaders } from "./request.ts";
import { describeError, describeReceiver } from "./call-description.ts";
import { isSecretName, isSecretQuery, redactHeader, redactText } from "../core/redact.ts";
import { redactValues } from "../core/redact-values.ts";
import type { RunnerContext } from "../core/runner.ts";
import { BlockedHost } from "../core/guarded-ports.ts";

export type HttpCall = {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers | SentHeaders;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
  /** The statuses that count as success. Default: every 2xx. */
  readonly expectedStatusCodes?: readonly number[] | undefined;
  /** Secrets in the path, in the body or inside base64. No field name identifies them as secret there. */
  readonly secrets?: readonly string[] | undefined;
  /** The number of bytes to read of a successful answer's body. Default: the number of bytes that are stored. */
  readonly answerBytesMax?: number | undefined;
  /**
   * True: the call has no effect at the receiver. A successful answer that is truncated then counts as a failure that
   * may be retried.
   */
  readonly reads?: boolean | undefined;
};

export type HttpAnswer = {
  readonly ok: true;
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  /** The parsed body if it is JSON; its text if it is another text; null otherwise. */
  readonly data: Json;
  /** The part of the body that may be stored. `truncated`: the body was longer. */
  readonly stored: { readonly data: Json; readonly truncated: boolean };
  /** Why the body is incomplete; null if it is complete. */
  readonly incomplete: BodyIncomplete | null;
};

/**
 * A failed call. `answered` is the answer, from which runners read the provider's error code; null if there was no
 * answer.
 */
export type HttpRefusal = Failure & {
  readonly ok: false;
  readonly answered: Pick<HttpAnswer, "status" | "headers" | "data"> | null;
};

/** The User-Agent of all calls: product and version. A config's own header overrides it. */
export const USER_AGENT = "Escapement/1";

/** The response headers that are stored: ids of the request, times, and rate limits. */
const KEPT_HEADERS = new RegExp(
  "^(?:content-type|content-length|date|etag|last-modified|location|retry-after|link" +
    "|(?:x-)?(?:request|correlation|trace|message)-id|(?:x-)?ratelimit-[a-z-]+)$",
);

/** The ports that a call needs. Both a run and the engine's own calls have these ports. */
type CallPorts = Pick<RunnerContext, "fetch" | "now" | "signal" | "allowLoopback"> & {
  readonly ticket: Pick<RunnerContext["ticket"], "timeoutMs">;
};

export async function send(call: HttpCall, context: CallPorts): Promise<HttpAnswer | HttpRefusal> {
  const effect = call.reads === true ? "none" : null;
  const url = URL.parse(call.url);
  const refusal = addressRefusal(url, context);
  if (url === null || refusal !== null) return unanswered(configurationFailure(`url: ${refusal}`, "egress_refused"));
  const secrets = secretsOf(call, url);
  const describeTarget = () => describeReceiver(call.method, url, secrets);
  const { timeoutMs } = context.ticket;
  if (context.signal.aborted) return unanswered(timeoutFailure(timeoutMs, "none"));
  try {
    const { method, body } = call;
    const { signal } = context;
    const headers = withUserAgent(call.headers);
    const response = await context.fetch(url.href, { method, headers, body, redirect: "manual", signal });
    return await answerOf(call, response, { context, describeTarget, secrets });
  } catch (error) {
    if (error instanceof BlockedHost) return unanswered(error.failure);
    if (context.signal.aborted) return unanswered(timeoutFailure(timeoutMs, effect ?? "unknown"));
    return unanswered(networkFailure(describeTarget(), describeError(error, secrets), effect ?? effectOfError(error)));
  }
}

/** Adds a User-Agent if the config has none, because some providers and proxies refuse calls without one. */
function withUserAgent(own: Headers | SentHeaders): Headers | SentHeaders {
  if (!(own instanceof Headers)) return headerNameIn(own, "User-Agent") ? own : { ...own, "User-Agent": USER_AGENT };
  if (own.has("User-Agent")) return own;
  const headers = new Headers(own);
  headers.set("User-Agent", USER_AGENT);
  return headers;
}

/** Returns the part of the body that the run's result stores. */
export function storedData({ stored: { data, truncated } }: Pick<HttpAnswer, "stored">): JsonObject {
  return truncated ? { data, truncated } : { data };
}

/** Returns a note for the run's result which says that the body is incomplete; empty if it is complete. */
export function incompleteNote({ incomplete }: Pick<HttpAnswer, "incomplete">): { bodyIncomplete?: BodyIncomplete } {
  return incomplete === null ? {} : { bodyIncomplete: incomplete };
}

/**
 * The failure if the call succeeded, but the runner cannot use its answer. The call took effect, so it is not retried
 * and an operator must check. A call with `reads` may be retried, unless its answer is too large.
 */
export function unreadableFailure(message: string, answer: HttpAnswer, { reads = false } = {}): Failure {
  const { incomplete } = answer;
  const reason = incomplete === null ? "" : `: ${INCOMPLETE_REASONS[incomplete]}`;
  const details = { ...answerDetails(answer), ...incompleteNote(answer) };
  const error = { type: "unknown_error", message: `${message}${reason}`, code: "answer_unreadable", details };
  const isTooLarge = incomplete === "too_long" || incomplete === "too_deep";
  return { error: { ...error, retryable: reads && !isTooLarge, effect: reads ? "none" : "unknown" } };
}

const INCOMPLETE_REASONS: { readonly [why in BodyIncomplete]: string } = {
  cut: "the body was cut off",
  timeout: "the body was not completely received in time",
  too_long: `the body is longer than the limit of ${ANSWER_BYTES_MAX} bytes; request less`,
  too_deep: `the JSON of the body has more than ${ANSWER_DEPTH_MAX} levels`,
  not_json: "the content type is JSON, but the body is not valid JSON",
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

type CallSetup = {
  readonly context: CallPorts;
  /** Describes the receiver. It is a function, because only failures need the description. */
  readonly describeTarget: () => string;
  readonly secrets: readonly string[];
};

async function answerOf(call: HttpCall, response: Response, setup: CallSetup): Promise<HttpAnswer | HttpRefusal> {
  const isSuccess = call.expectedStatusCodes?.includes(response.status) ?? response.ok;
  const bytesMax = isSuccess ? (call.answerBytesMax ?? RESPONSE_BYTES_KEPT) : RESPONSE_BYTES_KEPT;
  const body = await bodyOf(call, response, bytesMax, setup.context.signal);
  return isSuccess ? successAnswer(call, response, body, setup) : refusalAnswer(call, response, body, setup);
}

/** The statuses of responses without a body. The headers of such a response may still announce a body. */
const STATUSES_WITHOUT_BODY = new Set([204, 205, 304]);

async function bodyOf({ method }: HttpCall, response: Response, bytesMax: number, signal: AbortSignal) {
  if (method !== "HEAD" && !STATUSES_WITHOUT_BODY.has(response.status)) return readBody(response, bytesMax, signal);
  void response.body?.cancel().catch(() => undefined);
  return { text: "", incomplete: null };
}

function successAnswer(
  call: HttpCall,
  { status, headers }: Response,
  { text, incomplete }: ReadBody,
  setup: CallSetup,
) {
  const { context, describeTarget, secrets } = setup;
  const { data, fault } = readText(text, headers.get("content-type") ?? "", secrets);
  const brokeOff = incomplete === "cut" || incomplete === "timeout";
  if (call.reads === true && brokeOff && !isComplete(data)) {
    if (incomplete === "timeout") return unanswered(timeoutFailure(context.ticket.timeoutMs, "none"));
    return unanswered(networkFailure(describeTarget(), "the answer was cut off", "none"));
  }
  // A long body is not read to its end if the runner needs only its stored part. A truncated body is then no fault.
  const isUnneeded = incomplete === "too_long" && call.answerBytesMax === undefined;
  const stored = isUnneeded ? { data, truncated: true } : storablePart(text, data, secrets);
  const storedHeaders = storableHeaders(headers, secrets);
  return {
    ok: true,
    status,
    headers: storedHeaders,
    data,
    stored,
    incomplete: isUnneeded ? null : (incomplete ?? fault),
  } as const;
}

/** Classifies a refusal by its status, which suffices even if the body cannot be read. */
function refusalAnswer(
  call: HttpCall,
  { status, headers }: Response,
  { text }: ReadBody,
  setup: CallSetup,
): HttpRefusal {
  const { context, describeTarget, secrets } = setup;
  // The text is redacted before it is shortened, so that no part of a secret remains at the end.
  const body = redactText(redactValues(text, secrets)).slice(0, EXCERPT_CHARS_MAX);
  const retryAfter = headers.get("retry-after");
  const location = headers.get("location");
  const failure = classifyStatus({ status, target: describeTarget(), retryAfter, location, body, now: context.now() });
  const effect = call.reads === true ? "none" : effectOfStatus(status);
  const error = effect === null ? failure.error : { ...failure.error, effect };
  const { data } = readText(text, headers.get("content-type") ?? "", secrets);
  return { ok: false, ...failure, error, answered: { status, headers: storableHeaders(headers, secrets), data } };
}

/**
 * Returns the call's secrets. They must be redacted from answers, because receivers repeat parts of a request in their
 * answers.
 */
export function secretsOf(call: Pick<HttpCall, "headers" | "secrets">, url: URL): string[] {
  const found = [...(call.secrets ?? [])];
  const headers = call.headers instanceof Headers ? call.headers : Object.entries(call.headers);
  for (const [name, value] of headers) if (isSecretName(name)) found.push(value, ...partsOf(value));
  if (url.search === "") return found;
  for (const [name, value] of url.searchParams) if (isSecretQuery(name)) found.push(value);
  return found;
}

/**
 * Returns the parts of a header's value that a receiver may repeat alone: "abcdef" of "Bearer abcdef", "123456" of
 * "a=123456; b=654321".
 */
function partsOf(value: string): string[] {
  const parts = value.split(/[;,]\s*/).map((part) => part.replace(/^[\w-]+(?:\s+|=)/, ""));
  return parts.filter((part) => part.length >= SECRET_PART_CHARS_MIN);
}

function storableHeaders(headers: Headers, secrets: readonly string[]): { [name: string]: string } {
  const stored: { [name: string]: string } = {};
  let headersLeft = RESPONSE_HEADERS_KEPT;
  for (const [name, value] of headers) {
    if (!KEPT_HEADERS.test(name)) continue;
    stored[name] = redactValues(redactHeader(name, value), secrets).slice(0, EXCERPT_CHARS_MAX);
    headersLeft -= 1;
    if (headersLeft === 0) break;
  }
  return stored;
}
