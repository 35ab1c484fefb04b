// Webhook signatures (Standard Webhooks 1.0): HMAC-SHA256 over "id.timestamp.body", by which a receiver verifies
// sender, content and age.
import { SIGNING_KEYS_CACHED_MAX } from "#schema/limits/isolates/compiled-caches.ts";
import { base64 } from "../core/bytes.ts";

type Signed = { readonly id: string; readonly timestamp: number; readonly body: string };

/**
 * Returns the three signature headers, with one signature per secret, so that receivers may have the old or the new
 * secret. Returns null if a secret is invalid. `timestamp` is in seconds.
 */
export async function signatureHeaders(
  secrets: readonly string[],
  signed: Signed,
): Promise<{ [name: string]: string } | null> {
  const content = utf8.encode(`${signed.id}.${signed.timestamp}.${signed.body}`);
  const signatures: string[] = [];
  for (const secret of secrets) {
    const key = await importKey(secret);
    if (key === null) return null;
    signatures.push(`v1,${base64(new Uint8Array(await crypto.subtle.sign("HMAC", key, content)))}`);
  }
  if (signatures.length === 0) return null;
  return {
    "webhook-id": signed.id,
    "webhook-timestamp": String(signed.timestamp),
    "webhook-signature": signatures.join(" "),
  };
}

const utf8 = new TextEncoder();
const imported = new Map<string, CryptoKey>();

/** Imports a signing key, and caches it, because importing takes longer than signing. */
async function importKey(secret: string): Promise<CryptoKey | null> {
  const known = imported.get(secret);
  if (known) return known;
  const bytes = keyBytes(secret);
  if (bytes === null) return null;
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  if (imported.size >= SIGNING_KEYS_CACHED_MAX) imported.clear();
  imported.set(secret, key);
  return key;
}

/** The lengths that Standard Webhooks allows for a key. A shorter key could be guessed. */
const KEY_BYTES = { min: 24, max: 64 };

function keyBytes(secret: string): Uint8Array<ArrayBuffer> | null {
  if (!secret.startsWith("whsec_")) return null;
  try {
    const bytes = Uint8Array.from(atob(secret.slice("whsec_".length)), (char) => char.charCodeAt(0));
    return bytes.byteLength < KEY_BYTES.min || bytes.byteLength > KEY_BYTES.max ? null : bytes;
  } catch {
    return null;
  }
}
