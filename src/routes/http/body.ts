// Reads a request's body once, up to a limit, and says of broken JSON where it breaks.
import { limits } from "#schema/limits.ts";
import type { AppContext } from "./context.ts";
import type { HttpRefusal } from "./problem.ts";
import { depthOf } from "./json-depth.ts";
import { faultOf } from "./json-fault.ts";

/** Leaves the text where the validators look for it. */
export async function takeBody(c: AppContext): Promise<HttpRefusal | null> {
  const declared = Number(c.req.header("Content-Length") ?? 0);
  if (declared > limits.bodyBytesMax) return tooLarge(declared);
  const text = await readText(c.req.raw);
  if (text === null) return tooLarge(null);
  const depth = depthOf(text);
  if (depth > limits.bodyDepthMax) return tooDeep(depth);
  if (text === "") c.req.raw = bodiless(c.req.raw);
  // Callers that always say "JSON" say so for a body they leave out, too.
  Object.assign(c.req.bodyCache, { text: Promise.resolve(text === "" ? "{}" : text) });
  return null;
}

/** Some clients say "no body" with a length of zero, which the validators would take for a body without a type. */
function bodiless({ url, method, headers }: Request): Request {
  const plain = new Headers(headers);
  plain.delete("Content-Length");
  return new Request(url, { method, headers: plain });
}

export async function malformed(c: AppContext): Promise<HttpRefusal> {
  const fault = faultOf(await c.req.text());
  const where = `line ${fault.line}, column ${fault.column} (position ${fault.position})`;
  return {
    code: "malformed_json",
    message: `The body is not JSON: ${fault.message} at ${where}.`,
    errors: [{ pointer: "", code: "malformed_json", message: `${fault.message} at ${where}` }],
    details: { position: fault.position, line: fault.line, column: fault.column },
  };
}

async function readText(request: Request): Promise<string | null> {
  if (request.body === null) return "";
  // Where HTTP itself says how long it is, nobody has to count along; the caller has looked at the length.
  if (request.headers.has("Content-Length")) return within(await request.text());
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = "";
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    bytes += part.value.byteLength;
    if (bytes > limits.bodyBytesMax) {
      await reader.cancel();
      return null;
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}

/** A length that was not HTTP's own may have lied. */
function within(text: string): string | null {
  return text.length > limits.bodyBytesMax ? null : text;
}

function tooDeep(depth: number): HttpRefusal {
  return {
    code: "limit_exceeded",
    message: `The body nests ${depth} levels deep; the limit is ${limits.bodyDepthMax}.`,
    details: { field: "body", size: depth, limit: limits.bodyDepthMax },
  };
}

function tooLarge(bytes: number | null): HttpRefusal {
  const size = bytes === null ? "more bytes than allowed" : `${bytes} bytes`;
  return {
    code: "body_too_large",
    message: `The body has ${size}; the limit is ${limits.bodyBytesMax} bytes.`,
    details: { field: "body", ...(bytes === null ? {} : { size: bytes }), limit: limits.bodyBytesMax },
  };
}
