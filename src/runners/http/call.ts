// One outbound HTTP call, the same for every runner: guarded, bounded in time and size, never redirected, never thrown.
// No retries here: a failure goes back as data, and the execution decides.
import type { Json, JsonObject } from "#schema/json.ts";
import { limits } from "#schema/limits.ts";
import { EXCERPT_CHARS_MAX, SAID_CHARS_MAX, SECRET_PART_CHARS_MIN } from "#schema/limits/runners.ts";
import {
  classifyStatus,
  configurationFailure,
  networkFailure,
  timeoutFailure,
  type Failure,
} from "../core/classify.ts";
import { egressRefusal } from "./egress.ts";
import { readCapped } from "./body.ts";
import { isSecretName, isSecretQuery, redactHeaders, redactJson, redactText, redactValues } from "../core/redact.ts";
import type { RunnerContext } from "../core/runner.ts";

export type HttpCall = {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
  /** Exact when given; otherwise every 2xx is a success. */
  readonly expectedStatusCodes?: readonly number[] | undefined;
  /** Credentials that travel where their name does not give them away: in the path, in the body, inside base64. */
  readonly secrets?: readonly string[] | undefined;
  /** How much of a success is read, where a runner has to read it all and keeps little of it. */
  readonly answerBytesMax?: number | undefined;
};

export type HttpAnswer = {
  readonly ok: true;
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  /** Parsed when it is JSON, text when it is text, null when it is neither or nothing. */
  readonly data: Json;
  /** The body was longer than what is kept. */
  readonly truncated: boolean;
};

/** With what was answered, for runners that know their provider's error codes; null where nobody answered. */
export type HttpRefusal = Failure & {
  readonly ok: false;
  readonly answered: Pick<HttpAnswer, "status" | "headers" | "data"> | null;
};

/** Who calls: the product and its version. A config that may set headers may say otherwise. */
export const USER_AGENT = "Escapement/1";

/** What is kept of an answer's headers: what says which request it was and when to come back. */
const KEPT_HEADERS = new RegExp(
  "^(?:content-type|content-length|date|etag|last-modified|location|retry-after|link" +
    "|(?:x-)?(?:request|correlation|trace|message)-id|(?:x-)?ratelimit-[a-z-]+)$",
);

/** What a call needs of its surroundings: a run has it, and so has the engine where it calls for itself. */
type Surroundings = Pick<RunnerContext, "fetch" | "now" | "signal" | "allowLoopback"> & {
  readonly ticket: Pick<RunnerContext["ticket"], "timeoutMs">;
};

export async function send(call: HttpCall, context: Surroundings): Promise<HttpAnswer | HttpRefusal> {
  const refusal = egressRefusal(call.url, context);
  if (refusal !== null) return unanswered(configurationFailure(`url: ${refusal}`, "egress_refused"));
  const url = new URL(call.url);
  const target = `${call.method} ${url.hostname}`;
  const secrets = secretsOf(call, url);
  try {
    context.signal.throwIfAborted();
    const { method, body } = call;
    const { signal } = context;
    const headers = named(call.headers);
    const response = await context.fetch(url.href, { method, headers, body, redirect: "manual", signal });
    return await answerOf(call, response, { context, target, secrets });
  } catch (error) {
    if (context.signal.aborted) return unanswered(timeoutFailure(context.ticket.timeoutMs));
    const reason = redactText(redactValues(reasonOf(error), secrets)).slice(0, SAID_CHARS_MAX);
    return unanswered(networkFailure(target, reason));
  }
}

/** A caller that does not say who it is is turned away by some providers, and by what stands before others. */
function named(own: Headers): Headers {
  const headers = new Headers(own);
  if (!headers.has("User-Agent")) headers.set("User-Agent", USER_AGENT);
  return headers;
}

/** What a refusal's details hold, for an answer that says no with a status that says yes. */
export function answered({ status, data }: Pick<HttpAnswer, "status" | "data">): JsonObject {
  if (data === null) return { status };
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return { status, body: redactText(text).slice(0, EXCERPT_CHARS_MAX) };
}

function unanswered(failure: Failure): HttpRefusal {
  return { ok: false, ...failure, answered: null };
}

type Asked = { readonly context: Surroundings; readonly target: string; readonly secrets: readonly string[] };

async function answerOf(call: HttpCall, response: Response, { context, target, secrets }: Asked) {
  const { status, headers } = response;
  if (call.expectedStatusCodes?.includes(status) ?? response.ok) {
    const { text, truncated } = await readCapped(
      response,
      call.answerBytesMax ?? limits.responseBytesKept,
      context.signal,
    );
    const data = redactJson(parsed(text, headers), secrets);
    return { ok: true, status, headers: keptHeaders(headers, secrets), data, truncated } as const;
  }
  const text = await textOf(response, context.signal);
  // Redacted before it is cut, so that no half of a secret stays.
  const body = redactText(redactValues(text, secrets)).slice(0, EXCERPT_CHARS_MAX);
  const retryAfter = headers.get("retry-after");
  const location = headers.get("location");
  const failure = classifyStatus({ status, target, retryAfter, location, body, now: context.now() });
  const data = redactJson(parsed(text, headers), secrets);
  return { ok: false, ...failure, answered: { status, headers: keptHeaders(headers, secrets), data } } as const;
}

/** A refusal's status says enough: that its body could not be read changes nothing. */
async function textOf(response: Response, signal: AbortSignal): Promise<string> {
  try {
    return (await readCapped(response, limits.responseBytesKept, signal)).text;
  } catch {
    return "";
  }
}

/** Receivers echo requests: what the call carried in secret places must not come back in what is kept. */
export function secretsOf(call: Pick<HttpCall, "headers" | "secrets">, url: URL): string[] {
  const headers = [...call.headers].filter(([name]) => isSecretName(name)).map(([, value]) => value);
  const query = [...url.searchParams].filter(([name]) => isSecretQuery(name)).map(([, value]) => value);
  return [...headers, ...headers.flatMap(partsOf), ...query, ...(call.secrets ?? [])];
}

/** "Bearer abcdef" may come back as "abcdef", "a=123456; b=654321" as either number. */
function partsOf(value: string): string[] {
  const parts = value.split(/[;,]\s*/).map((part) => part.replace(/^[\w-]+(?:\s+|=)/, ""));
  return parts.filter((part) => part.length >= SECRET_PART_CHARS_MIN);
}

function keptHeaders(headers: Headers, secrets: readonly string[]): { [name: string]: string } {
  const kept = Object.entries(redactHeaders(headers)).filter(([name]) => KEPT_HEADERS.test(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, redactValues(value, secrets)]));
}

/** A body that calls itself JSON and is not (or was cut off) stays text: what the receiver did is done. */
function parsed(text: string, headers: Headers): Json {
  if (text === "") return null;
  if (!/[/+]json\b/i.test(headers.get("content-type") ?? "")) return text;
  try {
    return JSON.parse(text) as Json; // JSON.parse gives nothing but JSON
  } catch {
    return text;
  }
}

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Node puts what happened (ECONNREFUSED, ENOTFOUND) into the cause; workerd into the message.
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
