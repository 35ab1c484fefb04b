// Joins the bytes of signed content, and decodes signatures. Decoders return null for invalid text.

const encoder = new TextEncoder();

export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

export function joinBytes(...parts: readonly (string | Uint8Array)[]): Uint8Array {
  const pieces = parts.map((part) => (typeof part === "string" ? utf8(part) : part));
  const whole = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}

/** Decodes UTF-8; returns null for invalid bytes. */
export function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return null;
  }
}

export function fromBase64(text: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}

export function fromBase64Url(text: string): Uint8Array | null {
  return fromBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
}

export function toBase64Url(bytes: Uint8Array): string {
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export function fromHex(text: string): Uint8Array | null {
  if (text.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(text)) return null;
  return Uint8Array.from({ length: text.length / 2 }, (_, at) => Number.parseInt(text.slice(at * 2, at * 2 + 2), 16));
}

/** Compares in constant time, so that the duration does not reveal which bytes are equal. The length is not secret. */
export function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.byteLength ^ b.byteLength;
  for (const [at, byte] of a.entries()) difference |= byte ^ (b[at] ?? 0);
  return difference === 0;
}

/**
 * Converts a P-256 signature from DER (a sequence of two integers) to the format of WebCrypto, in which both integers
 * have 32 bytes and follow each other.
 */
export function fromDer(der: Uint8Array): Uint8Array | null {
  const [sequence, length, ...rest] = der;
  if (sequence !== 0x30 || length !== rest.length) return null;
  const r = numberAt(rest, 0);
  if (r === null) return null;
  const s = numberAt(rest, r.end);
  return s?.end === rest.length ? joinBytes(r.number, s.number) : null;
}

const HALF = 32;

function numberAt(bytes: readonly number[], at: number): { readonly number: Uint8Array; readonly end: number } | null {
  const [kind, length = 0] = bytes.slice(at, at + 2);
  const digits = bytes.slice(at + 2, at + 2 + length);
  if (kind !== 0x02 || length === 0 || digits.length !== length) return null;
  const significant = digits.slice(digits.findIndex((digit) => digit !== 0));
  if (significant.length > HALF) return null;
  const number = new Uint8Array(HALF);
  number.set(significant, HALF - significant.length);
  return { number, end: at + 2 + length };
}
