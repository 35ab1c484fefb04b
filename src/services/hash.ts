// Hashes: SHA-256 as hex, for key lookups and content comparison.
export async function sha256(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", utf8.encode(text)));
  let hex = "";
  for (const byte of digest) hex += HEX[byte];
  return hex;
}

const utf8 = new TextEncoder();

/**
 * The two hex digits of every byte. The table is computed in advance, because each request hashes its key and its body.
 */
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Compares two digests in a time that does not depend on their content. The length of a digest is not secret. */
export function equalInConstantTime(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}
