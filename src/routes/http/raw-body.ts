// Raw bodies: reads a body's bytes, up to a limit. A body that is too large or ends early is refused.
import { BODY_BYTES_MAX } from "#schema/limits/api-requests.ts";
import { BODY_PIECE_BYTES } from "#schema/limits/inbound/deliveries.ts";
import type { AppContext } from "./context.ts";
import type { HttpRefusal } from "./problem.ts";

export type RequestHead = {
  readonly method: string;
  readonly url: string;
  readonly headers: ReadonlyMap<string, string>;
  /** The sender's IP address; null if the platform reports none. */
  readonly sender: string | null;
};

/** Returns the parts of a request that a hook checks before the body is read. */
export function requestHead(c: AppContext): RequestHead {
  const { method, url, raw } = c.req;
  return { method, url, headers: new Map(raw.headers), sender: c.req.header("CF-Connecting-IP") ?? null };
}

export type RawBody =
  | { readonly ok: true; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly ok: false; readonly refusal: HttpRefusal };

/** Returns the bytes as received, because a signature covers the bytes and not a decoder's result. */
export async function readRaw(request: Request, bytesMax: number = BODY_BYTES_MAX): Promise<RawBody> {
  const declared = Number(request.headers.get("Content-Length") ?? 0);
  if (declared > bytesMax) return tooLarge(declared, bytesMax);
  try {
    const bytes = await readBytes(request, bytesMax);
    return bytes === null ? tooLarge(null, bytesMax) : { ok: true, bytes };
  } catch {
    // The client's stream failed before its end. The request is refused, because an incomplete body must not be
    // processed.
    return { ok: false, refusal: unreadable };
  }
}

/** Reads all bytes; null if the body has more bytes than the limit, in which case the request is refused. */
async function readBytes(request: Request, bytesMax: number): Promise<Uint8Array<ArrayBuffer> | null> {
  // The runtime reads no more bytes than Content-Length declares, and readRaw has already checked that number. Without
  // the header, the bytes are counted while they arrive.
  if (!request.headers.has("Content-Length")) return readCounted(request.body, bytesMax);
  const bytes = new Uint8Array(await request.arrayBuffer());
  return bytes.byteLength > bytesMax ? null : bytes;
}

async function readCounted(
  body: ReadableStream<Uint8Array> | null,
  bytesMax: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body === null ? [] : piecesOf(body)) {
    length += part.byteLength;
    if (length > bytesMax) return null;
    parts.push(part);
  }
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.byteLength;
  }
  return whole;
}

/** A BYOB reader with the option `min`. The runtime supports this option, but its types do not declare it. */
type ByteReader = {
  read(
    view: Uint8Array,
    options: { readonly min: number },
  ): Promise<{ readonly done: boolean; readonly value?: Uint8Array }>;
};

/** Yields the body in large pieces. Cancels the body if the caller stops early. */
async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader({ mode: "byob" });
  const bytes = reader as unknown as ByteReader; // the runtime's reader has the option `min` of ByteReader
  try {
    for (let isDone = false; !isDone;) {
      const { done, value } = await bytes.read(new Uint8Array(BODY_PIECE_BYTES), { min: BODY_PIECE_BYTES });
      isDone = done;
      // The last read may return a piece together with `done`.
      if (value !== undefined) yield value;
    }
  } finally {
    await reader.cancel();
  }
}

function tooLarge(bytes: number | null, limit: number): RawBody {
  const size = bytes === null ? "more bytes than the limit" : `${bytes} bytes`;
  const refusal = {
    code: "body_too_large",
    message: `The body has ${size}; the limit is ${limit} bytes.`,
    details: { field: "body", ...(bytes === null ? {} : { size: bytes }), limit },
  } as const;
  return { ok: false, refusal };
}

const UNREADABLE = "ended early, or its chunks are not valid HTTP";
const unreadable = {
  code: "body_unreadable",
  message: `The body ${UNREADABLE}. Nothing was changed.`,
  hint: "Retry with a correct Content-Length or with valid chunks.",
  errors: [{ pointer: "", code: "body_unreadable", message: UNREADABLE }],
} as const;
