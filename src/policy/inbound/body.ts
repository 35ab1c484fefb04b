// Parses the bodies of inbound requests. A sender cannot change what it signs, so every signed body must be readable.
// JSON is parsed as in other requests.
import type { DeliveryFault } from "#schema/inbound/delivery.ts";
import { jsonShape, type Json } from "#schema/json.ts";
import { BODY_DEPTH_MAX, BODY_VALUES_MAX } from "#schema/limits/api-requests.ts";
import { textOf } from "./bytes.ts";
import { fieldsOf, isForm, mediaType } from "./form.ts";
import type { HookRequest } from "./scheme.ts";

export type ReadBody =
  /** `json`: the JSON text as it was received; absent if the body was not JSON. */
  | { readonly kind: "read"; readonly value: Json; readonly json?: string }
  /** The body cannot be parsed, so no mapping can use it. Its text is kept for an operator. */
  | { readonly kind: "unreadable"; readonly reason: DeliveryFault; readonly text: string }
  /** No mapping supports the body's media type. */
  | { readonly kind: "unsupported" };

const JSON_TYPE = /^(?:application\/json|text\/json|[\w.+-]+\/[\w.-]+\+json)$/;
const TEXT_TYPE = /^(?:text\/[\w.+-]+|application\/xml|[\w.+-]+\/[\w.-]+\+xml)$/;

/**
 * Parses a body. `formField`: the form field in which some senders put JSON; null if there is none. The caller has
 * limited the number of form fields (`formRefusal`).
 */
export function readBody(request: HookRequest, formField: string | null = null): ReadBody {
  const type = mediaType(request);
  if (request.body.byteLength === 0) return { kind: "read", value: null };
  const text = textOf(request.body);
  if (!isForm(request) && !isReadable(type)) return { kind: "unsupported" };
  if (text === null)
    return unreadable(
      "text_not_unicode",
      "the request body is not valid UTF-8",
      new TextDecoder().decode(request.body),
    );
  if (isForm(request)) return readForm(text, formField);
  return JSON_TYPE.test(type) || type === "" ? readJson(text) : { kind: "read", value: text };
}

/** Returns whether a body of this media type may be JSON or text. A body without a media type may be JSON. */
function isReadable(type: string): boolean {
  return type === "" || JSON_TYPE.test(type) || TEXT_TYPE.test(type);
}

/** Parses JSON. Its depth and its number of values are limited. */
export function readJson(text: string): Exclude<ReadBody, { kind: "unsupported" }> {
  const { depth, values } = jsonShape(text);
  if (depth > BODY_DEPTH_MAX)
    return unreadable(
      "too_deep",
      `the request body is nested ${depth} levels deep; the limit is ${BODY_DEPTH_MAX}`,
      text,
    );
  if (values > BODY_VALUES_MAX)
    return unreadable(
      "too_many_values",
      `the request body has ${values} JSON values; the limit is ${BODY_VALUES_MAX}`,
      text,
    );
  const value = parseJson(text);
  if (value === undefined) return unreadable("malformed_json", "the request body is not JSON", text);
  return { kind: "read", value, json: text };
}

function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json; // JSON.parse returns only JSON.
  } catch {
    return undefined;
  }
}

function readForm(text: string, jsonField: string | null): ReadBody {
  const fields = fieldsOf(new URLSearchParams(text));
  const inner = jsonField === null || !Object.hasOwn(fields, jsonField) ? undefined : fields[jsonField];
  return typeof inner === "string" ? readJson(inner) : { kind: "read", value: fields };
}

function unreadable(code: string, message: string, text: string) {
  return { kind: "unreadable", reason: { code, message }, text } as const;
}
