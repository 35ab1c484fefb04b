// What every verified inbound hook needs, whoever sends it: the body's raw bytes up to a limit, a keyed digest compared
// in constant time, and a window in which a message is still news. Pure but for the stream and WebCrypto.
import { limits } from "#schema/limits.ts";

type HookDigest = "SHA-256" | "SHA-1";

type Claim = {
  /** Several while one is being replaced; the bytes of each as the sender uses them. */
  readonly keys: readonly string[];
  /** Exactly what was signed: mostly the raw body, with some a time or an address before it. */
  readonly content: Uint8Array;
  /** As they were sent, decoded; null for one that could not be. */
  readonly signatures: readonly (Uint8Array | null)[];
  readonly digest?: HookDigest;
};

/** One of the signatures is made with one of the keys. Every pair is looked at: how long it takes tells nothing. */
export async function isSigned({ keys, content, signatures, digest = "SHA-256" }: Claim): Promise<boolean> {
  let matches = 0;
  for (const key of keys) {
    const expected = await keyedDigest(digest, key, content);
    for (const given of signatures.slice(0, limits.hookSignaturesMax))
      matches += given !== null && isEqual(expected, given) ? 1 : 0;
  }
  return matches > 0;
}

/** Takes as long for a near miss as for a far one; the length of a digest is no secret. */
export function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.byteLength ^ b.byteLength;
  for (const [at, byte] of a.entries()) difference |= byte ^ (b[at] ?? 0);
  return difference === 0;
}

type Window = { readonly pastMs: number; readonly futureMs: number };

/** NaN, for a time that is none, is never fresh. */
export function isFresh(atMs: number, nowMs: number, { pastMs, futureMs }: Window): boolean {
  return atMs >= nowMs - pastMs && atMs <= nowMs + futureMs;
}

export function fromBase64(text: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}

export function fromHex(text: string): Uint8Array | null {
  if (text.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(text)) return null;
  return Uint8Array.from({ length: text.length / 2 }, (_, at) => Number.parseInt(text.slice(at * 2, at * 2 + 2), 16));
}

async function keyedDigest(digest: HookDigest, key: string, content: Uint8Array): Promise<Uint8Array> {
  // An empty key is no key: WebCrypto refuses it, and so it should.
  const algorithm = { name: "HMAC", hash: digest };
  const imported = await crypto.subtle.importKey("raw", new TextEncoder().encode(key), algorithm, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, content));
}
