// Payload encoding: converts a payload to a request body: JSON, a form, or plain text. A value that has no single usual
// encoding in a form is refused.
import { z } from "zod";

export const encoding = z.enum(["json", "form"]);
type Encoding = z.infer<typeof encoding>;

const TYPES: { readonly [kind in Encoding]: string } = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
};

type Body = { readonly text: string | null; readonly contentType: string | null };

export function bodyOf(payload: unknown, as: Encoding = "json"): Body {
  if (payload === undefined) return { text: null, contentType: null };
  const contentType = TYPES[as];
  if (typeof payload === "string") return { text: payload, contentType };
  if (as === "json") return { text: JSON.stringify(payload), contentType };
  const form = new URLSearchParams();
  for (const { name, value } of fieldsOf(payload, [])) form.append(name, String(value));
  return { text: form.toString(), contentType };
}

type PayloadConfig = { readonly method: string; readonly payload?: unknown; readonly encoding?: Encoding | undefined };
type Refuse = (path: readonly (string | number)[], message: string) => void;

export function refusePayload({ method, payload, encoding: as }: PayloadConfig, refuse: Refuse): void {
  if (payload === undefined) {
    if (as === "form") refuse(["encoding"], "is missing: a form requires a payload, an object of its fields");
    return;
  }
  if (method === "GET" || method === "HEAD")
    return refuse(["payload"], `a ${method} request cannot have a payload; use query`);
  if (as !== "form" || typeof payload === "string") return;
  if (!isObject(payload)) return refuse(["payload"], "a form must be an object of its fields, or their encoded text");
  for (const { path, value } of fieldsOf(payload, [])) {
    if (value === null) refuse(["payload", ...path], "a form has no null: remove the field, or give it an empty text");
    if (typeof value === "object" && value !== null)
      refuse(
        ["payload", ...path],
        'a form has several encodings for this value: name its fields yourself, as in "items[0][id]"',
      );
  }
}

type Field = { readonly path: readonly (string | number)[]; readonly name: string; readonly value: unknown };

/**
 * Lists the fields of a form: `{ a: 1, b: [2, 3], c: { d: 4 } }` becomes a=1, b=2, b=3, c[d]=4. Objects inside lists
 * are not encoded.
 */
function fieldsOf(value: unknown, path: readonly string[]): Field[] {
  if (isObject(value)) return Object.entries(value).flatMap(([key, item]) => fieldsOf(item, [...path, key]));
  const [first = "", ...rest] = path;
  const name = first + rest.map((key) => `[${key}]`).join("");
  if (!Array.isArray(value)) return [{ path, name, value }];
  return value.map((item: unknown, at) => ({ path: [...path, at], name, value: item }));
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
