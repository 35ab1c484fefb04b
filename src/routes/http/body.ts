// Request bodies: reads a body once, up to a limit, and refuses JSON that cannot be stored unchanged. A syntax error is
// reported with its position.
import { BODY_DEPTH_MAX, BODY_VALUES_MAX } from "#schema/limits/api-requests.ts";
import type { AppContext } from "./context.ts";
import type { EndpointId } from "./endpoint-access.ts";
import type { HttpRefusal } from "./problem.ts";
import { jsonShape } from "#schema/json.ts";
import { faultOf } from "./json-fault.ts";
import { lossIn, type Loss } from "#schema/inbound/json-losses.ts";
import { readRaw } from "./raw-body.ts";

type TextBody = { readonly type: string; readonly field: string };

/**
 * Endpoints whose JSON body may also be sent as a text of another media type. The text is read as one field of the body,
 * so that its limits and findings are the same.
 */
export const textBodies: ReadonlyMap<EndpointId, TextBody> = new Map([
  ["putCalendar", { type: "text/calendar", field: "ics" }],
]);

/**
 * Reads and checks the body, then caches its text for the validators. Returns the refusal of an invalid body; null if
 * the body is valid.
 */
export async function readBody(c: AppContext, endpoint: EndpointId): Promise<HttpRefusal | null> {
  const raw = await readRaw(c.req.raw);
  if (!raw.ok) return raw.refusal;
  const decoded = decode(raw.bytes);
  if (decoded === null) return notUtf8(raw.bytes, c.req.header("Content-Encoding"));
  const text = textAsJson(c, endpoint, decoded);
  const { depth, values } = jsonShape(text);
  if (depth > BODY_DEPTH_MAX)
    return limitExceeded(`is nested ${depth} levels deep`, { size: depth, limit: BODY_DEPTH_MAX });
  if (values > BODY_VALUES_MAX)
    return limitExceeded(`has ${values} JSON values`, { size: values, limit: BODY_VALUES_MAX });
  const loss = lossIn(text);
  if (loss !== null) return lossRefusal(loss);
  if (text === "") c.req.raw = withoutContentLength(c.req.raw);
  // Some clients send an empty body with the content type of JSON. It is read as {}.
  Object.assign(c.req.bodyCache, { text: Promise.resolve(text === "" ? "{}" : text) });
  return null;
}

/** Returns the JSON of a body that was sent as a text. Any other body is returned unchanged. */
function textAsJson(c: AppContext, endpoint: EndpointId, text: string): string {
  const accepted = textBodies.get(endpoint);
  const [type = ""] = (c.req.header("Content-Type") ?? "").split(";");
  if (accepted === undefined || type.trim().toLowerCase() !== accepted.type) return text;
  const headers = new Headers(c.req.raw.headers);
  headers.set("Content-Type", "application/json");
  const { url, method } = c.req.raw;
  c.req.raw = new Request(url, { method, headers });
  return JSON.stringify({ [accepted.field]: text });
}

/**
 * Removes Content-Length. Some clients send the length 0 for an absent body, and the validators would then require a
 * content type.
 */
function withoutContentLength({ url, method, headers }: Request): Request {
  const plain = new Headers(headers);
  plain.delete("Content-Length");
  return new Request(url, { method, headers: plain });
}

/** Explains why the body is not JSON. app.ts calls this after a validator has thrown. */
export async function malformedRefusal(c: AppContext): Promise<HttpRefusal> {
  const fault = faultOf(await c.req.text());
  const where = `line ${fault.line}, column ${fault.column} (position ${fault.position})`;
  return {
    code: "malformed_json",
    message: `The body is not JSON: ${fault.message} at ${where}.`,
    errors: [{ pointer: "", code: "malformed_json", message: `${fault.message} at ${where}` }],
    details: { position: fault.position, line: fault.line, column: fault.column },
  };
}

/** One decoder for all requests. It keeps no state between requests, because each body is decoded in one call. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

/** Returns the text; null if the bytes are not UTF-8, in which case the body is refused. */
function decode(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

function notUtf8(bytes: Uint8Array, encoding = "identity"): HttpRefusal {
  // A lenient decoder replaces the first unreadable bytes with this character. Its position shows how much of the text
  // was readable.
  const position = new TextDecoder().decode(bytes).indexOf("\ufffd");
  const message = `the text is not valid UTF-8 from character ${position}`;
  return {
    code: "malformed_json",
    message: `The body is not JSON: ${message}.`,
    hint:
      encoding === "identity"
        ? "Encode the body as UTF-8."
        : "Send the body without Content-Encoding: compressed bodies are not accepted.",
    errors: [{ pointer: "", code: "text_not_unicode", message }],
    details: { position },
  };
}

function lossRefusal(loss: Loss): HttpRefusal {
  return {
    code: "malformed_json",
    message: `The body cannot be stored exactly as sent: at ${loss.pointer || "the top"}, ${loss.message}.`,
    errors: [loss],
  };
}

function limitExceeded(
  excess: string,
  { size, limit }: { readonly size: number; readonly limit: number },
): HttpRefusal {
  const message = `The body ${excess}; the limit is ${limit}.`;
  return { code: "limit_exceeded", message, details: { field: "body", size, limit } };
}
