// Encryption: encrypts texts with AES-256-GCM under the Worker's keyring, SECRETS_KEYS: "id:base64key[,id:base64key…]".
// The first key encrypts, and every key decrypts. To replace a key, a new key is put in front, and the old key stays
// while any text needs it. A ciphertext is bound to its owner, so a row copied to another tenant or name cannot be
// decrypted.
import { accept, refuse, type Result } from "#schema/refusal.ts";

export type Keyring = { readonly sealsWith: string; readonly keys: ReadonlyMap<string, CryptoKey> };
export type Sealed = { readonly keyId: string; readonly iv: string; readonly ciphertext: string };
/** The result of a decryption. `damaged`: the ciphertext was changed, or was encrypted for another owner. */
export type Opened =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: "key_missing" | "damaged" };

/** The size of the initialization vector of GCM. With random vectors, one key is safe for billions of texts. */
export const IV_BYTES = 12;

let parsedKeyring: { readonly written: string; readonly ring: Promise<Result<Keyring>> } | null = null;

/** Parses the keyring once per isolate. No error contains a part of the keyring. */
export function openKeyring(written: string | null): Promise<Result<Keyring>> {
  if (written === null || written.trim() === "") return Promise.resolve(refuse(keyringMissing));
  if (parsedKeyring?.written !== written) parsedKeyring = { written, ring: readKeyring(written) };
  return parsedKeyring.ring;
}

export async function seal(ring: Keyring, about: readonly string[], text: string, iv: Uint8Array): Promise<Sealed> {
  const key = ring.keys.get(ring.sealsWith);
  if (key === undefined) throw new Error("a keyring must contain its current key");
  const sealed = await crypto.subtle.encrypt(algorithm(iv, about), key, utf8(text));
  return { keyId: ring.sealsWith, iv: base64(iv), ciphertext: base64(new Uint8Array(sealed)) };
}

export async function unseal(
  ring: Keyring,
  about: readonly string[],
  { keyId, iv, ciphertext }: Sealed,
): Promise<Opened> {
  const key = ring.keys.get(keyId);
  if (key === undefined) return { ok: false, reason: "key_missing" };
  try {
    const text = await crypto.subtle.decrypt(algorithm(bytesOf(iv), about), key, bytesOf(ciphertext));
    return { ok: true, text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(text) };
  } catch {
    return { ok: false, reason: "damaged" };
  }
}

/**
 * Returns a digest of a text that depends on the keyring's first key. Without that key, the text cannot be found by
 * trying texts. Another first key gives another digest.
 */
export async function keyedDigest(written: string, text: string): Promise<string> {
  const [first = ""] = written.split(",");
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", utf8(first.trim()), hmac, false, ["sign"]);
  const digest = new Uint8Array(await crypto.subtle.sign("HMAC", key, utf8(text)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function readKeyring(written: string): Promise<Result<Keyring>> {
  const keys = new Map<string, CryptoKey>();
  for (const [n, entry] of written.split(",").entries()) {
    // 43 base64 characters, with or without padding, encode 32 bytes.
    const [, id, key] = /^\s*([A-Za-z0-9_-]{1,40}):([A-Za-z0-9+/_-]{43}=?)\s*$/.exec(entry) ?? [];
    if (id === undefined || key === undefined) {
      return refuse(keyringInvalid(`entry ${n + 1} must be an id, a colon and 32 bytes in base64`));
    }
    if (keys.has(id)) return refuse(keyringInvalid(`two keys have the id "${id}"`));
    const raw = bytesOf(key.replaceAll("-", "+").replaceAll("_", "/"));
    keys.set(id, await crypto.subtle.importKey("raw", raw, "AES-GCM", false, ["encrypt", "decrypt"]));
  }
  const [sealsWith = ""] = keys.keys();
  return accept({ sealsWith, keys });
}

const KEYRING_HINT =
  "Set the Worker secret SECRETS_KEYS (wrangler secret put SECRETS_KEYS) to k1:<key>, where the key is the output of `openssl rand -base64 32`.";

const keyringMissing = {
  code: "not_configured",
  message: "This installation has no key to encrypt secrets with.",
  hint: KEYRING_HINT,
} as const;

function keyringInvalid(what: string) {
  return {
    code: "not_configured",
    message: `The Worker secret SECRETS_KEYS is invalid: ${what}.`,
    hint: KEYRING_HINT,
  } as const;
}

function algorithm(iv: Uint8Array, about: readonly string[]) {
  // As JSON, ["a", "b/c"] and ["a/b", "c"] differ. Joined with slashes, they would be equal.
  return { name: "AES-GCM", iv, additionalData: utf8(JSON.stringify(about)) };
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}
