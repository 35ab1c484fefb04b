// Request bodies: reads a body once, up to a limit, and refuses JSON that cannot be stored unchanged. A syntax error is
// reported with its position.
import { BODY_DEPTH_MAX, BODY_VALUES_MAX } from "#schema/limits/api-requests.ts";
import type { AppContext } from "./context.ts";
import type { HttpRefusal } from "./problem.ts";
import { jsonShape } from "#schema/json.ts";
import { faultOf } from "./json-fault.ts";
import { lossIn, type Loss } from "#schema/inbound/json-losses.ts";
import { readRaw } from "./raw-body.ts";

/** Reads and checks the body, then caches its text for the validators. Returns the refusal, or null. */
export async function readBody(c: AppContext): Promise<HttpRefusal | null> {
  const raw = await readRaw(c.req.raw);
  if (!raw.ok) return raw.refusal;
  const text = decode(raw.bytes);
  if (text === null) return notUtf8(raw.bytes, c.req.header("Content-Encoding"));
  const { depth, values } = jsonShape(text);
  if (depth > BODY_DEPTH_MAX)
    return limitExceeded(`is nested ${depth} levels deep`, { size: depth, limit: BODY_DEPTH_MAX });
  if (values > BODY_VALUES_MAX)
    return limitExceeded(`has ${values} JSON values`, { size: values, limit: BODY_VALUES_MAX });
  const loss = lossIn(text);
  if (loss !== null) return lossRefusal(loss);
  if (text === "") c.req.raw = withoutContentLength(c.req.raw);
  // Some clients send the content type of JSON and an empty body.
  Object.assign(c.req.bodyCache, { text: Promise.resolve(text === "" ? "{}" : text) });
  return null;
}

/** Removes Content-Length. Some clients send length 0 for an absent body, and the validators would require a type. */
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

/** One decoder for all requests. It keeps no state, because each text is decoded whole. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

/** Returns null if the bytes are not UTF-8. */
function decode(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

function notUtf8(bytes: Uint8Array, encoding = "identity"): HttpRefusal {
  // A lenient decoder replaces the first unreadable sequence with this character and keeps the text before it.
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
