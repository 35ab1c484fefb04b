// Response bodies: read at most a number of bytes, within the deadline, in the body's charset. An error is returned
// together with the text that was read. Nothing is thrown, and the connection is always released.
import type { BodyIncomplete } from "#schema/engine/outcome.ts";
import { concat } from "../core/bytes.ts";

export type ReadBody = {
  readonly text: string;
  readonly incomplete: Extract<BodyIncomplete, "cut" | "timeout" | "too_long"> | null;
};

const EMPTY: ReadBody = { text: "", incomplete: null };

export async function readBody(response: Response, bytesMax: number, signal: AbortSignal): Promise<ReadBody> {
  const { body, headers } = response;
  if (body === null) return EMPTY;
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  // Canceling the reader ends a read that hangs, because some runtimes ignore the fetch's signal after the headers.
  const cancel = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener("abort", cancel, { once: true });
  let isAtEnd = false;
  try {
    const type = headers.get("content-type");
    if (!TEXTUAL.test(type ?? "text/plain")) return EMPTY;
    const { parts, incomplete } = await readParts(reader, { bytesMax, bytesDeclared: declaredLength(headers) }, signal);
    isAtEnd = incomplete === null;
    const [first = new Uint8Array()] = parts;
    const bytes = parts.length > 1 ? concat(...parts) : first;
    return { text: decode(bytes, type ?? "", !isAtEnd), incomplete };
  } finally {
    signal.removeEventListener("abort", cancel);
    // Only an unfinished body is canceled. A body that was read to its end holds no connection.
    if (!isAtEnd) cancel();
  }
}

type Parts = { readonly parts: readonly Uint8Array[]; readonly incomplete: ReadBody["incomplete"] };

async function readParts(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { bytesMax, bytesDeclared }: { readonly bytesMax: number; readonly bytesDeclared: number | null },
  signal: AbortSignal,
): Promise<Parts> {
  const parts: Uint8Array[] = [];
  let bytesLeft = bytesMax;
  // Stops at the length that the header declares, because one more read costs as much as a whole short body.
  while (bytesMax - bytesLeft !== bytesDeclared) {
    const part = await reader.read().catch(() => null);
    if (signal.aborted) return { parts, incomplete: "timeout" };
    if (part === null) return { parts, incomplete: "cut" };
    if (part.done) return { parts, incomplete: bytesMax - bytesLeft < (bytesDeclared ?? 0) ? "cut" : null };
    parts.push(part.value.subarray(0, bytesLeft));
    if (part.value.byteLength > bytesLeft) return { parts, incomplete: "too_long" };
    bytesLeft -= part.value.byteLength;
  }
  return { parts, incomplete: null };
}

/** Returns the length of the stream in bytes; null if the length is unknown or the data is compressed. */
function declaredLength(headers: Headers): number | null {
  const length = headers.get("content-length");
  return length === null || headers.has("content-encoding") ? null : Number(length);
}

/**
 * The content types of bodies that are stored. Images and archives are not stored, because people read a run's history.
 */
const TEXTUAL = /^text\/|json|[/+]xml\b|x-www-form-urlencoded|javascript|charset=/i;

/** Decodes the text. In a truncated body an incomplete last character is dropped. */
function decode(bytes: Uint8Array, type: string, isCut: boolean): string {
  if (!isCut && IS_UTF8.test(type) && bytes[0] !== 0xfe && bytes[0] !== 0xff) return UTF8.decode(bytes);
  return decoderFor(bytes, type).decode(bytes, { stream: isCut });
}

/** Matches content types in UTF-8, the usual case. All complete bodies of these types share one decoder. */
const IS_UTF8 = /^[^;]*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;
const UTF8 = new TextDecoder();

/**
 * Returns the decoder as browsers choose it: a byte order mark overrides the header, and an unknown charset is read as
 * UTF-8.
 */
function decoderFor(bytes: Uint8Array, type: string): TextDecoder {
  const [first, second] = bytes;
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be");
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le");
  if (first === 0xef && second === 0xbb) return new TextDecoder();
  const named = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(type)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(named);
  } catch {
    return new TextDecoder();
  }
}
