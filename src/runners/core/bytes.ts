// Bytes and text: the encodings that providers and RFCs use, and SHA-256 digests.

export function utf8(text: string): Uint8Array<ArrayBuffer> {
  // Copies the bytes: according to its type, the encoder's buffer could be shared memory, which WebCrypto does not
  // accept.
  return Uint8Array.from(new TextEncoder().encode(text));
}

/**
 * Bytes per call of String.fromCharCode. Longer argument lists overflow the stack, and appending single characters
 * takes twenty bytes for each.
 */
const CHUNK_BYTES = 4_096;

export function base64(bytes: Uint8Array): string {
  let chars = "";
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
    chars += String.fromCharCode(...bytes.subarray(at, at + CHUNK_BYTES));
  return btoa(chars);
}

export function base64url(bytes: Uint8Array): string {
  return base64(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Decodes base64 of either alphabet, with or without padding. Returns null if the text is not base64. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    const standard = text.replaceAll("-", "+").replaceAll("_", "/");
    return Uint8Array.from(atob(standard), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}

export async function sha256(text: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", utf8(text)));
}

/**
 * Derives a UUID (version 8, RFC 9562) from the text, for providers that accept only UUIDs as keys. The same text
 * always gives the same UUID.
 */
export async function deriveUuid(text: string): Promise<string> {
  const hex = Array.from(await sha256(text), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
