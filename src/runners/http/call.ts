// HTTP call: one outbound call, the same for every runner: guarded, bounded in time and size, never redirected, never
// thrown. No retries here: a failure is returned as data, and the execution decides. The status decides success,
// whatever happens to the body.
import type { BodyIncomplete } from "#schema/engine/outcome.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { limits } from "#schema/limits.ts";
import {
  ANSWER_BYTES_MAX,
  ANSWER_DEPTH_MAX,
  EXCERPT_CHARS_MAX,
  HEADERS_KEPT_MAX,
  SECRET_PART_CHARS_MIN,
} from "#schema/limits/runners.ts";
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
  /** Exact if given; otherwise every 2xx is a success. */
  readonly expectedStatusCodes?: readonly number[] | undefined;
  /** Credentials in places without a recognizable name: in the path, in the body, inside base64. */
  readonly secrets?: readonly string[] | undefined;
  /** How much of a success is read, if its content is needed; default: as much as is stored. */
  readonly answerBytesMax?: number | undefined;
  /** It changes nothing at the receiver: a success with a truncated body is a failure, and may be retried. */
  readonly reads?: boolean | undefined;
};

export type HttpAnswer = {
  readonly ok: true;
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  /** Parsed if it is JSON, text if it is text, else null. */
  readonly data: Json;
  /** The part that may be stored; `truncated`: the body was longer. */
  readonly stored: { readonly data: Json; readonly truncated: boolean };
  /** Why the body is incomplete. Only parsed data is certainly complete. */
  readonly incomplete: BodyIncomplete | null;
};

/** With the answer, for runners that know their provider's error codes; null without an answer. */
export type HttpRefusal = Failure & {
  readonly ok: false;
  readonly answered: Pick<HttpAnswer, "status" | "headers" | "data"> | null;
};

/** The User-Agent: the product and its version. A config that may set headers may override it. */
export const USER_AGENT = "Escapement/1";

/** Stored response headers: those that identify the request and say when to retry. */
const KEPT_HEADERS = new RegExp(
  "^(?:content-type|content-length|date|etag|last-modified|location|retry-after|link" +
    "|(?:x-)?(?:request|correlation|trace|message)-id|(?:x-)?ratelimit-[a-z-]+)$",
);

/** What a call needs: available to a run, and to the engine for its own calls. */
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

/** Some providers, and proxies in front of them, refuse calls without a User-Agent. */
function named(own: Headers | SentHeaders): Headers | SentHeaders {
  if (!(own instanceof Headers)) return headerNameIn(own, "User-Agent") ? own : { ...own, "User-Agent": USER_AGENT };
  if (own.has("User-Agent")) return own;
  const headers = new Headers(own);
  headers.set("User-Agent", USER_AGENT);
  return headers;
}

/** The part of a body that a result stores. */
export function storedData({ stored: { data, truncated } }: Pick<HttpAnswer, "stored">): JsonObject {
  return truncated ? { data, truncated } : { data };
}

/** A result's note about an incomplete body. */
export function bodyTrouble({ incomplete }: Pick<HttpAnswer, "incomplete">): { bodyIncomplete?: BodyIncomplete } {
  return incomplete === null ? {} : { bodyIncomplete: incomplete };
}

/**
 * For a success without the content that its runner needs. Its status says that it was done, so it is not repeated, and
 * a person must check. A read had no effect, so a retry may bring another answer; a shorter one it does not.
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

/** A refusal's details, for an error answer with a success status. */
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
  /** The receiver, in words: computed only for failures. */
  readonly target: () => string;
  readonly secrets: readonly string[];
};

async function answerOf(call: HttpCall, response: Response, asked: Asked): Promise<HttpAnswer | HttpRefusal> {
  const isSuccess = call.expectedStatusCodes?.includes(response.status) ?? response.ok;
  const bytesMax = isSuccess ? (call.answerBytesMax ?? limits.responseBytesKept) : limits.responseBytesKept;
  const body = await bodyOf(call, response, bytesMax, asked.context.signal);
  return isSuccess ? success(call, response, body, asked) : refusal(call, response, body, asked);
}

/** Responses without a body, whatever their headers say. */
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
  // An unneeded body is not read to its end, which is not a fault.
  const isLeft = trouble === "too_long" && call.answerBytesMax === undefined;
  const stored = isLeft ? { data, truncated: true } : storedOf(text, data, secrets);
  const kept = keptHeaders(headers, secrets);
  return { ok: true, status, headers: kept, data, stored, incomplete: isLeft ? null : (trouble ?? fault) } as const;
}

/** A refusal's status suffices, even if its body cannot be read. */
function refusal(call: HttpCall, { status, headers }: Response, { text }: ReadBody, asked: Asked): HttpRefusal {
  const { context, target, secrets } = asked;
  // Redacted before it is cut, so that no half of a secret remains.
  const body = redactText(redactValues(text, secrets)).slice(0, EXCERPT_CHARS_MAX);
  const retryAfter = headers.get("retry-after");
  const location = headers.get("location");
  const failure = classifyStatus({ status, target: target(), retryAfter, location, body, now: context.now() });
  const effect = call.reads === true ? "none" : effectOfStatus(status);
  const error = effect === null ? failure.error : { ...failure.error, effect };
  const { data } = readText(text, headers.get("content-type") ?? "", secrets);
  return { ok: false, ...failure, error, answered: { status, headers: keptHeaders(headers, secrets), data } };
}

/** Receivers echo requests: secrets of the call must be redacted from what is stored. */
export function secretsOf(call: Pick<HttpCall, "headers" | "secrets">, url: URL): string[] {
  const found = [...(call.secrets ?? [])];
  const headers = call.headers instanceof Headers ? call.headers : Object.entries(call.headers);
  for (const [name, value] of headers) if (isSecretName(name)) found.push(value, ...partsOf(value));
  if (url.search === "") return found;
  for (const [name, value] of url.searchParams) if (isSecretQuery(name)) found.push(value);
  return found;
}

/** "Bearer abcdef" may be echoed as "abcdef", "a=123456; b=654321" as either number. */
function partsOf(value: string): string[] {
  const parts = value.split(/[;,]\s*/).map((part) => part.replace(/^[\w-]+(?:\s+|=)/, ""));
  return parts.filter((part) => part.length >= SECRET_PART_CHARS_MIN);
}

function keptHeaders(headers: Headers, secrets: readonly string[]): { [name: string]: string } {
  const kept: { [name: string]: string } = {};
  let room = HEADERS_KEPT_MAX;
  for (const [name, value] of headers) {
    if (!KEPT_HEADERS.test(name)) continue;
    kept[name] = redactValues(redactHeader(name, value), secrets).slice(0, EXCERPT_CHARS_MAX);
    room -= 1;
    if (room === 0) break;
  }
  return kept;
}
