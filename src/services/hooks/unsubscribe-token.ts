// Unsubscribe tokens: encrypt what an unsubscribe link does, so that its URL reveals neither tenant nor address, and so
// that only this installation can make one. Equal claims give equal tokens, because a provider with idempotency keys
// compares the bytes of all attempts.
import { fromBase64Url, joinBytes, textOf, toBase64Url, utf8 } from "#policy/inbound/bytes.ts";
import { claimText, parseClaim, type UnsubscribeClaim } from "#policy/inbound/callbacks/unsubscribe-claim.ts";
import { UNSUBSCRIBE_TOKEN_CHARS_MAX } from "#schema/limits/outgoing/unsubscribe-requests.ts";
import { IV_BYTES } from "../secrets/sealing.ts";

/** Returns the token. The initialization vector is an HMAC of the text, so that two texts never share one. */
export async function sealClaim(secret: string, claim: UnsubscribeClaim): Promise<string> {
  const text = utf8(claimText(claim));
  const iv = Uint8Array.from((await hmac(await hmac(utf8(secret), "vector"), text)).subarray(0, IV_BYTES));
  const key = await sealingKey(secret, "encrypt");
  const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, Uint8Array.from(text));
  return toBase64Url(joinBytes(iv, new Uint8Array(sealed)));
}

/** Returns the claim; null if none of the secrets has encrypted it. Each secret is tried, so that older links work. */
export async function openClaim(secrets: readonly string[], token: string): Promise<UnsubscribeClaim | null> {
  if (token.length > UNSUBSCRIBE_TOKEN_CHARS_MAX || !/^[A-Za-z0-9_-]+$/.test(token)) return null;
  const bytes = fromBase64Url(token);
  // Base64 may encode the same bytes in several texts, of which only one was issued.
  if (bytes === null || toBase64Url(bytes) !== token) return null;
  const opened = await Promise.all(secrets.map((secret) => decrypt(secret, bytes)));
  const text = opened.find((each) => each !== null) ?? null;
  return text === null ? null : parseClaim(text);
}

async function decrypt(secret: string, bytes: Uint8Array): Promise<string | null> {
  const key = await sealingKey(secret, "decrypt");
  const iv = Uint8Array.from(bytes.subarray(0, IV_BYTES));
  try {
    const opened = await crypto.subtle.decrypt({ name: "AES-GCM", iv }, key, Uint8Array.from(bytes.subarray(IV_BYTES)));
    return textOf(new Uint8Array(opened));
  } catch {
    return null;
  }
}

async function sealingKey(secret: string, use: "encrypt" | "decrypt"): Promise<CryptoKey> {
  const raw = await hmac(utf8(secret), "sealing");
  return crypto.subtle.importKey("raw", raw, "AES-GCM", false, [use]);
}

async function hmac(key: Uint8Array, text: string | Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", Uint8Array.from(key), algorithm, false, ["sign"]);
  const bytes = typeof text === "string" ? utf8(text) : text;
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, Uint8Array.from(bytes)));
}
