// What a definition may say of a request of its own: header names and values, query values, and what stays out.
import { z } from "zod";
import type { JsonObject } from "#schema/json.ts";

/** A rendered template that is one whole expression keeps its type, so a number may stand where text goes out. */
export const scalar = z.union([z.string(), z.number(), z.boolean()]);

const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, { message: "a header's name" });
const headerValue = scalar.refine((value) => /^[\t\x20-\x7e\x80-\xff]*$/.test(String(value)), {
  message: "a header's value: one line, no control characters, no characters beyond Latin-1",
});

/** They decide where a message ends and whom it is for: not the definition's to say. */
const CONNECTION_HEADERS = /^(?:host|connection|content-length|transfer-encoding|upgrade|te|trailer|expect|proxy-.*)$/i;

export const requestHeaders = z.record(headerName, headerValue).superRefine((headers, context) => {
  for (const name of Object.keys(headers).filter((name) => CONNECTION_HEADERS.test(name))) {
    context.addIssue({ code: "custom", path: [name], message: "this header is set by the connection" });
  }
});

/** Added to the URL's own query; a list gives the name several times. */
export const requestQuery = z.record(z.string(), z.union([scalar, z.array(scalar)]));

export const absoluteUrl = z
  .string()
  .refine((url) => URL.canParse(url), { message: "an absolute URL such as https://example.com/hook" });

export const expectedStatusCodes = z.array(z.number().int().min(200).max(599)).min(1);

/** The config's own headers first; what it leaves out is filled in. */
export function headersOf(own: z.infer<typeof requestHeaders> | undefined, defaults: JsonObject): Headers {
  const headers = new Headers(Object.entries(own ?? {}).map(([name, value]) => [name, String(value)]));
  for (const [name, value] of Object.entries(defaults)) {
    if (value !== null && !headers.has(name)) headers.set(name, String(value));
  }
  return headers;
}

export function withQuery(url: string, query: z.infer<typeof requestQuery> = {}): string {
  const full = new URL(url);
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) full.searchParams.append(name, String(item));
  }
  return full.href;
}
