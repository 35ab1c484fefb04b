// JSON bodies with files: serializes JSON in which files become base64. Each file is encoded once, directly into the
// body's buffer, because large files must not be copied.
import type { Json } from "#schema/json.ts";

export type JsonWithFiles = Json | Uint8Array | { readonly [name: string]: JsonWithFiles } | readonly JsonWithFiles[];

/** Serializes the value. Returns a text if it contains no file; otherwise returns bytes. */
export function jsonBody(value: JsonWithFiles): string | Uint8Array<ArrayBuffer> {
  const files: Uint8Array[] = [];
  // The placeholder for files is random, so that no config can contain it by chance or on purpose.
  const mark = crypto.randomUUID();
  const text = JSON.stringify(value, (_, part: JsonWithFiles) => {
    if (!(part instanceof Uint8Array)) return part;
    files.push(part);
    return mark;
  });
  if (files.length === 0) return text;
  const parts = text.split(mark).map((part) => new TextEncoder().encode(part));
  const length = [...parts.map((part) => part.byteLength), ...files.map(base64Length)].reduce((a, b) => a + b, 0);
  const body = new Uint8Array(length);
  let at = 0;
  for (const [n, part] of parts.entries()) {
    body.set(part, at);
    at += part.byteLength;
    const file = files[n];
    if (file !== undefined) at = writeBase64(file, body, at);
  }
  return body;
}

export function base64Length({ byteLength }: Uint8Array): number {
  return Math.ceil(byteLength / 3) * 4;
}

const ALPHABET = new TextEncoder().encode("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
const PADDING = "=".charCodeAt(0);

/** Writes the bytes as base64 into `into` at the position `from`. Returns the position after the written text. */
function writeBase64(bytes: Uint8Array, into: Uint8Array, from: number): number {
  let at = from;
  for (let n = 0; n < bytes.length; n += 3) {
    const [a = 0, b = 0, c = 0] = [bytes[n], bytes[n + 1], bytes[n + 2]];
    into[at++] = base64Char(a >> 2);
    into[at++] = base64Char(((a & 3) << 4) | (b >> 4));
    into[at++] = n + 1 < bytes.length ? base64Char(((b & 15) << 2) | (c >> 6)) : PADDING;
    into[at++] = n + 2 < bytes.length ? base64Char(c & 63) : PADDING;
  }
  return at;
}

function base64Char(six: number): number {
  return ALPHABET[six] ?? PADDING;
}
