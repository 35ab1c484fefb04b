// Request fields: schemas of a definition's headers and query, and functions that build both.
import { z } from "zod";
import type { JsonObject } from "#schema/json.ts";

/** A text, number or boolean. A template that is a single expression keeps its type, so a number may replace a text. */
export const scalar = z.union([z.string(), z.number(), z.boolean()]);

const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, { message: "must be the name of an HTTP header" });
const headerValue = scalar.refine((value) => /^[\t\x20-\x7e\x80-\xff]*$/.test(String(value)), {
  message: "must be a header's value: one line, no control characters, no characters beyond Latin-1",
});

/** Headers that control the connection or its recipient. Definitions must not set them. */
const CONNECTION_HEADERS = /^(?:host|connection|content-length|transfer-encoding|upgrade|te|trailer|expect|proxy-.*)$/i;

export const requestHeaders = z.record(headerName, headerValue).superRefine((headers, context) => {
  for (const name of Object.keys(headers).filter((name) => CONNECTION_HEADERS.test(name))) {
    context.addIssue({ code: "custom", path: [name], message: "this header is set by the connection" });
  }
});

/** The query values to add to the URL's own query. For a list, the name is repeated for each item. */
export const requestQuery = z.record(z.string(), z.union([scalar, z.array(scalar)]));

export const absoluteUrl = z
  .string()
  .refine((url) => URL.canParse(url), { message: "must be an absolute URL such as https://example.com/hook" });

export const expectedStatusCodes = z.array(z.number().int().min(200).max(599)).min(1);

/**
 * Headers with their names as written. It is a plain object, because creating the platform's Headers costs as much as
 * the rest of a request.
 */
export type SentHeaders = { [name: string]: string };

/**
 * Merges the config's headers with default headers. A default applies if the config does not set a header of this name.
 */
export function headersOf(own: z.infer<typeof requestHeaders> = {}, defaults: JsonObject): SentHeaders {
  const headers: SentHeaders = {};
  for (const [name, value] of Object.entries(own)) {
    const known = headerNameIn(headers, name);
    const text = String(value).replace(OUTER_WHITESPACE, "");
    if (known === null) headers[name] = text;
    else headers[known] += `, ${text}`;
  }
  for (const [name, value] of Object.entries(defaults)) {
    if (value !== null && headerNameIn(headers, name) === null) headers[name] = String(value);
  }
  return headers;
}

/** Whitespace around a header's value, which HTTP ignores. */
const OUTER_WHITESPACE = /^[\t ]+|[\t ]+$/g;

export function setHeaders(headers: SentHeaders, more: { readonly [name: string]: string }): void {
  for (const [name, value] of Object.entries(more)) headers[headerNameIn(headers, name) ?? name] = value;
}

/** Finds a header case-insensitively. Returns its name as written; null if there is no such header. */
export function headerNameIn(headers: SentHeaders, name: string): string | null {
  const small = name.toLowerCase();
  for (const known in headers) if (known.length === small.length && known.toLowerCase() === small) return known;
  return null;
}

export function withQuery(url: string, query: z.infer<typeof requestQuery> = {}): string {
  const full = new URL(url);
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) full.searchParams.append(name, String(item));
  }
  return full.href;
}
