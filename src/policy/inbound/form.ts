// Parses the fields of forms and query strings. A form's fields are counted before it is parsed.
import type { StoredRequest } from "#schema/inbound/delivery.ts";
import type { JsonObject } from "#schema/json.ts";
import { FORM_FIELDS_MAX } from "#schema/limits/inbound/deliveries.ts";
import type { Refusal } from "#schema/refusal.ts";
import { header, type HookRequest } from "./scheme.ts";

export type Fields = ReadonlyMap<string, readonly string[]>;

const FORM_TYPE = "application/x-www-form-urlencoded";
const AMPERSAND = 38;

/** Returns the media type of the request in lower case, without parameters. */
export function mediaType(request: HookRequest): string {
  return (header(request, "Content-Type") ?? "").replace(/;.*$/s, "").trim().toLowerCase();
}

export function isForm(request: HookRequest): boolean {
  return mediaType(request) === FORM_TYPE;
}

/** Refuses a form with too many fields. They are counted in the bytes of the body, before these are parsed. */
export function formRefusal(request: HookRequest): Refusal | null {
  const size = isForm(request) ? countFields(request.body) : 0;
  if (size <= FORM_FIELDS_MAX) return null;
  const message = `The form has ${size} fields; the limit is ${FORM_FIELDS_MAX}.`;
  return {
    code: "limit_exceeded",
    message,
    hint: "Send fewer fields, or send JSON.",
    errors: [{ pointer: "", code: "too_many_fields", message }],
    details: { field: "body", size, limit: FORM_FIELDS_MAX },
  };
}

/**
 * Groups the fields by name. Names are in the order in which they first occur, and the values of a name keep their
 * order.
 */
export function groupFields(params: URLSearchParams): Fields {
  const groups = new Map<string, string[]>();
  for (const [name, value] of params) {
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [value]);
    else group.push(value);
  }
  return groups;
}

/** Returns the fields as an object. If a name has several values, its field is a list. */
export function fieldsOf(params: URLSearchParams): JsonObject & StoredRequest["query"] {
  return Object.fromEntries(
    Array.from(groupFields(params), ([name, values]) => [name, values.length === 1 ? String(values[0]) : values]),
  );
}

function countFields(body: Uint8Array): number {
  let count = 1;
  for (let at = body.indexOf(AMPERSAND); at !== -1; at = body.indexOf(AMPERSAND, at + 1)) count++;
  return count;
}
