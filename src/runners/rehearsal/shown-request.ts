// Shown requests: the form in which a rehearsed request is shown. A secret's name replaces its value.
import type { Json, JsonObject } from "#schema/json.ts";
import { RESPONSE_BYTES_KEPT } from "#schema/limits/outgoing/responses.ts";
import type { HttpInteraction } from "#schema/rehearsal.ts";
import { utf8 } from "../core/bytes.ts";
import { secretsInPath } from "../evm/rpc.ts";
import { isSecretName, isSecretQuery, REDACTED, redactText, redactUrl } from "../core/redact.ts";
import { redactValues } from "../core/redact-values.ts";
import type { Answer, RehearsedRequest } from "./answers.ts";

/** Matches the placeholders of stand-ins.ts, including the spellings in URLs and forms. */
const ESCAPED_PLACEHOLDER = /(?:%5B|\[)(secret|token(?:%20|\+| )of)(?:%20|\+| )([A-Za-z0-9_.-]{1,100})(?:%5D|\])/gi;
const ONLY_PLACEHOLDER = /^(?:[A-Za-z]{1,10} )?\[(?:secret|token of) [A-Za-z0-9_.-]{1,100}\]$/;

export function shownRequest(
  { method, url, headers, body }: RehearsedRequest,
  hidden: readonly string[],
): Pick<HttpInteraction, "method" | "url" | "headers" | "body" | "bodyBytes"> {
  return {
    method,
    url: shownText(redactUrl(url.href), hidden),
    headers: shownHeaders([...headers], hidden),
    ...bodyOf(body, headers, hidden),
  };
}

export function shownAnswer({ status, headers, body }: Answer, hidden: readonly string[]) {
  return { status, headers: shownHeaders(Object.entries(headers), hidden), body: shorten(shownJson(body, hidden)) };
}

export function shownText(text: string, hidden: readonly string[]): string {
  const plain = text.replace(
    ESCAPED_PLACEHOLDER,
    (_all, kind: string, name: string) => `[${kind.replace(/%20|\+/, " ")} ${name}]`,
  );
  return redactText(redactValues(plain, hidden));
}

export function shownJson(value: Json, hidden: readonly string[]): Json {
  if (typeof value === "string") return shownText(value, hidden);
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((item: Json) => shownJson(item, hidden));
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([name, item]) => [shownText(name, hidden), fieldOf(name, item, hidden)]), // lists are excluded above
  );
}

/** Returns the secrets that a config contains literally, so that they are hidden in everything that is shown. */
export function secretsInConfig(value: Json, name = ""): string[] {
  // The URL of a token endpoint is not secret, although its field's name contains "token".
  if (typeof value === "string") return isSecretName(name) && !/^https?:|\[secret /.test(value) ? [value] : [];
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, item]) =>
    secretsInConfig(item as Json, Array.isArray(value) ? name : effectiveName(name, key)),
  );
}

/**
 * Returns the name that decides whether a field is secret. The field `key` of a file in the bucket gets another name,
 * because its value is not secret.
 */
function effectiveName(name: string, key: string): string {
  return name === "r2" && key === "key" ? "r2Key" : key;
}

function fieldOf(name: string, item: Json, hidden: readonly string[]): Json {
  if (Array.isArray(item)) return item.map((each: Json) => fieldOf(name, each, hidden));
  const isShown = item === null || typeof item === "object" || typeof item === "boolean" || !isSecretName(name);
  return isShown || ONLY_PLACEHOLDER.test(String(item)) ? shownJson(item, hidden) : REDACTED;
}

function shownHeaders(headers: readonly (readonly [string, string])[], hidden: readonly string[]) {
  return Object.fromEntries(
    headers.map(([name, value]) => {
      const text = shownText(value, hidden);
      return [name, isSecretName(name) && !ONLY_PLACEHOLDER.test(text) ? REDACTED : text];
    }),
  );
}

/** Returns the secrets in a request. They are hidden in the rest of the request and in its answer. */
export function secretsInRequest({ url, headers, body }: RehearsedRequest): string[] {
  const inHeaders = [...headers].filter(([name]) => isSecretName(name)).map(([, value]) => value);
  const parts = inHeaders.map((value) => value.replace(/^\w+ /, ""));
  const inQuery = [...url.searchParams].filter(([name]) => isSecretQuery(name)).map(([, value]) => value);
  const isRpc = typeof body === "string" && body.startsWith('{"jsonrpc"');
  const inPath = isRpc ? secretsInPath(url.href) : [];
  return [...inHeaders, ...parts, ...inQuery, ...inPath].filter((value) => !/\[(?:secret|token)/.test(value));
}

function bodyOf(body: RehearsedRequest["body"], headers: Headers, hidden: readonly string[]) {
  if (body === null) return { body: null, bodyBytes: 0 };
  if (typeof body !== "string") return { body: `[${body.byteLength} bytes]`, bodyBytes: body.byteLength };
  const isJson = /[/+]json\b/i.test(headers.get("content-type") ?? "");
  const shown = isJson ? shownJson(parsed(body), hidden) : shownText(body, hidden);
  return { body: shorten(shown), bodyBytes: utf8(body).byteLength };
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json; // JSON.parse returns only JSON
  } catch {
    return text;
  }
}

function shorten(value: Json): Json {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length <= RESPONSE_BYTES_KEPT ? value : `${text.slice(0, RESPONSE_BYTES_KEPT)}…`;
}
